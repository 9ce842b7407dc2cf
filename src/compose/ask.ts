import { readFile } from "node:fs/promises";
import { observedSpan } from "../belief/span.ts";
import type { Vec3 } from "../geometry/index.ts";
import type { CallOptions, MemoryReader } from "../memory/port.ts";
import { type Moment, momentUs } from "../memory/query.ts";
import type { EncodedImage, LanguageModel, ModelBudget, ModelPrices, ModelRoles } from "../models/index.ts";
import type { Asked } from "../reasoning/index.ts";
import type { Listed, Listing } from "../reasoning/listings.ts";
import type { SystemName, SystemSettings } from "../reasoning/systems/index.ts";
import type { Turn } from "../reasoning/talk/turn.ts";
import {
  type AnswerRecord,
  type Effort,
  type Expression,
  LociError,
  parseExpression,
} from "../schema/index.ts";
import { askedMap, poseFrom, toldIn } from "./asked-map.ts";
import { checkNames } from "./known-names.ts";
import type { Memory } from "./memory.ts";
import type { PixelBox } from "./recognise.ts";
import { mapsOf } from "./scene-maps.ts";
import { sitePairs } from "./site-pairs.ts";

export interface AskRequest {
  /** When it is asked; default: the last moment the memory knows of. */
  readonly now?: Moment | undefined;
  readonly options?: readonly string[] | undefined;
  readonly agentId?: string | undefined;
  readonly sceneId?: string | undefined;
  /** Asked in the map that this frame belongs to; places and goals are told in it. Default: the map of the robot that is asked, else the first. */
  readonly frame?: string | undefined;
  readonly pose?: { readonly position: Vec3; readonly yawRad: number } | undefined;
  /** Which paper's system answers; default: our own rules, or with a language model R⁴. */
  readonly system?: SystemName | undefined;
  readonly settings?: SystemSettings | undefined;
  readonly rounds?: number | undefined;
  /** At most this share of the answers given may be wrong: what is less sure is not answered. */
  readonly risk?: number | undefined;
  /** Carried out as it is, instead of reading the question. */
  readonly expression?: Expression | undefined;
  /** What was asked and answered before, for a model that reads it. */
  readonly talk?: readonly { readonly question: string; readonly answer: string }[] | undefined;
  /** Also find where to stand to see what was found; default true. It takes opening the map. */
  readonly navigate?: boolean | undefined;
  /** Answers with this language model instead of by rules; the caller closes it. */
  readonly model?: LanguageModel | undefined;
  readonly prices?: ModelPrices | undefined;
  /** What the model may use up for this question; each system has its own default. */
  readonly budget?: ModelBudget | undefined;
  /** Models by role: reasoner, confidence and selector count here. */
  readonly models?: ModelRoles | undefined;
  /** When the model fails for good; default: the rules answer, and the trace says so. */
  readonly onFailure?: "rules" | "throw" | "throw-unavailable" | undefined;
  /**
   * Pictures that the question brings along: "this" is what they show. A model sees them; the rules know again what
   * the memory's own views show alike.
   */
  readonly images?: readonly EncodedImage[] | undefined;
  /** Where in the first picture "this" is: a box, or one pixel as a box without size. For the rules. */
  readonly at?: PixelBox | undefined;
  /** What the one who is asked sees at this moment; tried before the memory (docs/formulas.md#answerable). */
  readonly inView?: EncodedImage | undefined;
  /** The stored views that the pictures are, in their order, which an answer from them then cites. */
  readonly viewIds?: readonly string[] | undefined;
}

/** A call that works on an answer: ended by its signal, and within what may be spent on it. */
export interface WorkCall extends CallOptions {
  readonly effort?: Effort | undefined;
}

export interface AskCall extends WorkCall {
  /** Told how the question was understood before it is carried out: the likeliest first, in the algebra's notation. */
  readonly onReadings?: ((readings: readonly string[]) => void) | undefined;
}

/** Answers a question from a memory, by our own reader or with a language model; the memory may be a view as a principal or of a time. */
export async function askMemory(
  memory: Memory,
  question: string,
  request: AskRequest = {},
  call: AskCall = {},
): Promise<AnswerRecord> {
  return withNotes(memory, request, await answered(memory, question, request, call));
}

/** An answer in the frame that was asked for, with which ingests are unfinished and which maps were left out. */
async function withNotes(memory: Memory, request: AskRequest, answer: AnswerRecord): Promise<AnswerRecord> {
  const told = toldIn(await askedMap(await memory.reader(), request), answer);
  const unfinished = await memory.unfinished();
  return unfinished.length === 0
    ? told
    : { ...told, contradictions: [...told.contradictions, ...unfinished] };
}

async function answered(
  memory: Memory,
  question: string,
  request: AskRequest,
  call: AskCall,
): Promise<AnswerRecord> {
  const model = request.expression === undefined ? modelOf(request) : undefined;
  const name = systemOf(request);
  if (name === "rules") {
    const { ask } = await import("../reasoning/ask.ts");
    return ask(question, await optionsFor(memory, request, call));
  }
  const { answerBy } = await import("../reasoning/systems/index.ts");
  const options = model
    ? await modelOptions(memory, request, model, call)
    : await optionsFor(memory, request, call);
  return answerBy(name, question, { ...options, ...request.settings });
}

const modelOf = (request: AskRequest) => request.model ?? request.models?.get("reasoner");

/** What answers: what was asked for by name; else R⁴ where there is a model for it. An expression is carried out by the rules. */
function systemOf(request: AskRequest): string {
  if (request.expression !== undefined) return "rules";
  const { system = "auto" } = request as { readonly system?: string };
  return system === "auto" ? (modelOf(request) ? "r4" : "rules") : system;
}

/** A conversation with a memory: what was asked before is what "and the blue one?" is about. */
export class Conversation {
  readonly #memory: Memory;
  readonly #request: AskRequest;
  #history: readonly Turn[] = [];
  #talk: NonNullable<AskRequest["talk"]> = [];

  constructor(memory: Memory, request: AskRequest = {}) {
    this.#memory = memory;
    this.#request = request;
  }

  async ask(question: string, call: AskCall = {}): Promise<AnswerRecord> {
    if (systemOf(this.#request) !== "rules") return this.#askModel(question, call);
    const { askInTalk } = await import("../reasoning/ask.ts");
    const options = await optionsFor(this.#memory, this.#request, call);
    const { answer, turn } = await askInTalk(question, { ...options, history: this.#history });
    this.#history = [...this.#history, turn].slice(-MAX_TURNS);
    return withNotes(this.#memory, this.#request, answer);
  }

  /** A model is given what was said in words. */
  async #askModel(question: string, call: AskCall): Promise<AnswerRecord> {
    const answer = await askMemory(this.#memory, question, { ...this.#request, talk: this.#talk }, call);
    this.#talk = [...this.#talk, { question, answer: answer.text.slice(0, 2_000) }].slice(-MAX_TURNS);
    return answer;
  }
}

/** Turns of a conversation that are kept. */
const MAX_TURNS = 4;

/** Things, rooms, people, changes or a way as plain rows, by the operators that answer questions. */
export async function listMemory(
  memory: Memory,
  listing: Listing,
  request: AskRequest = {},
  call: WorkCall = {},
): Promise<Listed> {
  const { listingOf } = await import("../reasoning/listings.ts");
  const listed = await listingOf(listing, await scopeFor(memory, request, call));
  const { leftOut } = await askedMap(await memory.reader(), request);
  return leftOut.length === 0 ? listed : { ...listed, notes: leftOut };
}

/** What expressions over a memory are carried out in, for those who build them themselves. */
export async function scopeFor(memory: Memory, request: AskRequest = {}, call: WorkCall = {}) {
  const { scopeOf } = await import("../reasoning/ask.ts");
  return scopeOf(await optionsFor(memory, request, call));
}

/** What a question to a memory is answered with. */
export async function optionsFor(memory: Memory, request: AskRequest, { onReadings, ...call }: AskCall) {
  const { models, images, viewIds: _, onFailure: __, at, inView, frame: ___, ...rest } = request;
  const { system, settings: ____, model: _____, prices: ______, ...plain } = rest;
  await checkSystem(system);
  const whole = await memory.reader();
  await checkNames(whole, request);
  const asked = await askedMap(whole, request);
  const { reader, root } = asked;
  const nowUs =
    request.now === undefined
      ? ((await observedSpan(reader))?.toUs ?? Date.now() * 1000)
      : momentUs(request.now);
  const pairs = await sitePairs(memory.folder);
  const hasPictures = inView !== undefined || (images !== undefined && images.length > 0);
  const shown = hasPictures
    ? await (await import("./recognise.ts")).shownBy(reader, { images, at, inView }, call.signal)
    : {};
  return {
    ...plain,
    ...call,
    ...(await rolesOf(models)),
    ...(await meaningsOf(memory, reader)),
    ...shown,
    ...(pairs && { pairs }),
    ...(request.pose && { pose: poseFrom(asked, request.pose) }),
    ...(onReadings && { read: readingAloud(onReadings) }),
    reader,
    nowUs,
    isNowGiven: request.now !== undefined,
    map: () => mapsOf(memory).of(request.sceneId, root),
    forest: async () => (await import("../map/index.ts")).loadForest(reader, sceneOf(request)),
  };
}

/** Our own reader, which tells how it reads. */
function readingAloud(tell: (readings: readonly string[]) => void) {
  return async (question: string, asked: Asked) => {
    const { read } = await import("../reasoning/index.ts");
    const { print } = await import("../reasoning/algebra/index.ts");
    const readings = await read(question, asked);
    tell(readings.map(({ parts }) => parts.map(print).join("; ")));
    return readings;
  };
}

/** What compares by meaning: none for a memory that holds no vectors. */
async function meaningsOf(memory: Memory, reader: MemoryReader) {
  if ((await reader.embedder("text")) === null) return {};
  return { embedder: await memory.embedder(), background: await memory.background() };
}

/** The same with a model, its prices, and the pictures that it is shown. */
async function modelOptions(memory: Memory, request: AskRequest, model: LanguageModel, call: CallOptions) {
  const { images, viewIds, onFailure, inView } = request;
  const prices = request.prices ?? request.models?.get("reasoner")?.prices;
  if ((inView || (images && images.length > 0)) && !model.capabilities.vision)
    throw new LociError("not-supported", `${model.id} sees no pictures; choose a model that does`);
  const seen = [...(inView ? [inView] : []), ...(images ?? [])];
  const text = await aboutPictures(request);
  const live =
    seen.length > 0 ? { images: seen, recordIds: viewIds, ...(text !== "" && { text }) } : undefined;
  const options = await optionsFor(memory, { ...request, images: undefined, inView: undefined }, call);
  return { ...options, model, prices, onFailure, ...(live && { live }) };
}

/** What a model must be told of the pictures beside seeing them: which is which, and where somebody points. */
async function aboutPictures({ images = [], inView, at }: AskRequest): Promise<string> {
  const both = inView !== undefined && images.length > 0;
  const lines = both ? ["The first picture is what is in view; the question is about the others."] : [];
  const pointedIn = images[0] ?? inView;
  if (at !== undefined && pointedIn !== undefined) {
    const { decodeColour } = await import("../sensors/images.ts");
    const { whereIn } = await import("./where-in.ts");
    const which = both ? "In the second picture " : "";
    lines.push(`${which}${whereIn(at, await decodeColour(pointedIn.bytes))}.`);
  }
  return lines.join("\n");
}

/** The other model roles of a question: confidence rater and selector of the forest. */
export async function rolesOf(models: ModelRoles | undefined) {
  const [confidence, selector] = [models?.get("confidence"), models?.get("selector")];
  if (confidence === undefined && selector === undefined) return {};
  const { modelConfidence, modelSelector } = await import("../models/roles/index.ts");
  return {
    ...(confidence && { confidence: modelConfidence(confidence) }),
    ...(selector && { selector: modelSelector(selector) }),
  };
}

async function checkSystem(system: string | undefined): Promise<void> {
  if (system !== undefined) (await import("../reasoning/systems/index.ts")).systemNamed(system);
}

const sceneOf = ({ sceneId }: AskRequest) => (sceneId === undefined ? {} : { sceneId });

/** An expression out of its notation, or out of a file of JSON; checked against the table either way. */
export async function readExpression(given: string): Promise<Expression> {
  const { kindOf, scan } = await import("../reasoning/algebra/index.ts");
  const expression = /\.json$/i.test(given.trim()) ? await expressionIn(given.trim()) : scan(given);
  kindOf(expression);
  return expression;
}

async function expressionIn(path: string): Promise<Expression> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new LociError("invalid-input", `cannot read the expression in ${path}`, { cause });
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new LociError("invalid-input", `${path} is not JSON`, { cause });
  }
  return parseExpression(json);
}
