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
import { type AskedMap, askedMap, mapsSeen, poseFrom, toldIn } from "./asked-map.ts";
import { checkNames } from "./known-names.ts";
import type { Memory } from "./memory.ts";
import type { PixelBox } from "./recognise.ts";
import { mapsOf } from "./scene-maps.ts";
import { sitePairs } from "./site-pairs.ts";

export interface AskRequest {
  /** Time of the question; default: the latest moment the memory knows. */
  readonly now?: Moment | undefined;
  readonly options?: readonly string[] | undefined;
  readonly agentId?: string | undefined;
  readonly sceneId?: string | undefined;
  /**
   * Answers for the map that contains this frame, with places and goals in this frame. Default: the map of the robot
   * that is asked, else the first map.
   */
  readonly frame?: string | undefined;
  readonly pose?: { readonly position: Vec3; readonly yawRad: number } | undefined;
  /** Which paper's system answers; default: our own rules, or R⁴ with a language model. */
  readonly system?: SystemName | undefined;
  readonly settings?: SystemSettings | undefined;
  readonly rounds?: number | undefined;
  /** Largest share of given answers that may be wrong; less certain questions are declined. */
  readonly risk?: number | undefined;
  /** Evaluated as given, instead of reading the question. */
  readonly expression?: Expression | undefined;
  /** Earlier questions and answers, given to a language model as context. */
  readonly talk?: readonly { readonly question: string; readonly answer: string }[] | undefined;
  /** Earlier questions with their results, which the rules use as context. */
  readonly history?: readonly Turn[] | undefined;
  /** Also find where to stand to see the result; default true. This opens the map. */
  readonly navigate?: boolean | undefined;
  /** Answers with this language model instead of by rules; the caller closes it. */
  readonly model?: LanguageModel | undefined;
  readonly prices?: ModelPrices | undefined;
  /** Budget of the model for this question; each system has its own default. */
  readonly budget?: ModelBudget | undefined;
  /** Models by role; reasoner, confidence and selector are used. */
  readonly models?: ModelRoles | undefined;
  /** What to do once the model has failed for good; default: answer by rules and say so in the trace. */
  readonly onFailure?: "rules" | "throw" | "throw-unavailable" | undefined;
  /**
   * Pictures attached to the question; "this" refers to what they show. A model sees them; the rules match them
   * against the memory's own views.
   */
  readonly images?: readonly EncodedImage[] | undefined;
  /** Region of the first picture that "this" refers to: a box, or a pixel as a box without size. Used by the rules. */
  readonly at?: PixelBox | undefined;
  /** What the agent that is asked sees now; tried before the memory (docs/formulas.md#answerable). */
  readonly inView?: EncodedImage | undefined;
  /** Ids of the stored views of these pictures, in the same order, for the answer to cite. */
  readonly viewIds?: readonly string[] | undefined;
}

/** A call that works on an answer: it can be aborted, and its effort is bounded. */
export interface WorkCall extends CallOptions {
  readonly effort?: Effort | undefined;
}

export interface AskCall extends WorkCall {
  /** Called with the readings of the question before evaluation, likeliest first, in the algebra's notation. */
  readonly onReadings?: ((readings: readonly string[]) => void) | undefined;
}

/**
 * Answers a question from a memory by rules or with a language model. The memory may be a view for a principal or a
 * time.
 */
export async function askMemory(
  memory: Memory,
  question: string,
  request: AskRequest = {},
  call: AskCall = {},
): Promise<AnswerRecord> {
  const { told, asked } = await inSomeMap(memory, request, async (map, again) => ({
    answer: await answered(memory, question, map, again ? { ...call, onReadings: undefined } : call),
  }));
  return withNotes(memory, asked, told.answer);
}

/** Maps beside the one that is asked in which a question is tried. */
const MOST_OTHER_MAPS = 3;

/**
 * Asks the map that is meant and, where it knows nothing of what is asked about, the others that are not joined to it:
 * robots that never saw the same place still know it together.
 */
async function inSomeMap<T extends { readonly answer: AnswerRecord }>(
  memory: Memory,
  request: AskRequest,
  ask: (request: AskRequest, again: boolean) => Promise<T>,
): Promise<{ readonly told: T; readonly asked: AskRequest }> {
  const first = await ask(request, false);
  if (first.answer.status !== "not-seen" || request.frame !== undefined)
    return { told: first, asked: request };
  const reader = await memory.reader();
  const { root } = await askedMap(reader, request);
  const others = (await mapsSeen(reader, request.sceneId)).filter((map) => map.root !== root);
  for (const { root: frame } of others.slice(0, MOST_OTHER_MAPS)) {
    const asked = { ...request, frame };
    const told = await ask(asked, true);
    if (told.answer.status === "answered") return { told, asked };
  }
  return { told: first, asked: request };
}

/** Places the answer in the requested frame and notes unfinished ingests and maps that were left out. */
async function withNotes(memory: Memory, request: AskRequest, answer: AnswerRecord): Promise<AnswerRecord> {
  const asked = await askedMap(await memory.reader(), request);
  const told = toldIn(asked, await withEvidence(memory, request, asked, answer));
  const unfinished = await memory.unfinished();
  return unfinished.length === 0
    ? told
    : { ...told, contradictions: [...told.contradictions, ...unfinished] };
}

/** The answer whose goal says how old its evidence is. */
async function withEvidence(
  memory: Memory,
  { sceneId, now }: AskRequest,
  asked: AskedMap,
  answer: AnswerRecord,
): Promise<AnswerRecord> {
  if (answer.navGoal === undefined) return answer;
  const { evidencedGoal } = await import("./told-goal.ts");
  const nowUs = now === undefined ? await latestUs(asked.reader) : momentUs(now);
  const map = () => mapsOf(memory).of(sceneId, asked.root);
  return { ...answer, navGoal: await evidencedGoal(answer.navGoal, { asked, sceneId, nowUs, map }) };
}

/** The latest moment that the memory knows. */
async function latestUs(reader: MemoryReader): Promise<number> {
  return (await observedSpan(reader))?.toUs ?? Date.now() * 1000;
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

/**
 * The system that answers: the one named; else R⁴ if a model for it is configured. Expressions are always evaluated
 * by the rules.
 */
function systemOf(request: AskRequest): string {
  if (request.expression !== undefined) return "rules";
  const { system = "auto" } = request as { readonly system?: string };
  return system === "auto" ? (modelOf(request) ? "r4" : "rules") : system;
}

/** A conversation with a memory: earlier questions give "and the blue one?" its meaning. */
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
    const { askInTalk } = await import("../reasoning/ask.ts");
    const isOwn = systemOf(this.#request) === "rules";
    const request = isOwn ? this.#request : { ...this.#request, images: undefined, inView: undefined };
    const { told: own, asked } = await inSomeMap(this.#memory, request, async (map, again) => {
      const options = await optionsFor(this.#memory, map, again ? { ...call, onReadings: undefined } : call);
      return askInTalk(question, { ...options, history: this.#history });
    });
    const answer = isOwn
      ? await withNotes(this.#memory, { ...this.#request, frame: asked.frame }, own.answer)
      : await this.#askSystem(question, call);
    this.#history = [...this.#history, own.turn].slice(-MAX_TURNS);
    this.#talk = [...this.#talk, { question, answer: answer.text.slice(0, 2_000) }].slice(-MAX_TURNS);
    return answer;
  }

  /**
   * Turns always come from the rules, whichever system answers; a model also gets the earlier questions and answers
   * as text.
   */
  #askSystem(question: string, call: AskCall): Promise<AnswerRecord> {
    const request = { ...this.#request, talk: this.#talk, history: this.#history };
    return askMemory(this.#memory, question, request, { ...call, onReadings: undefined });
  }
}

/** Turns of a conversation that are kept. */
const MAX_TURNS = 4;

/** Things, rooms, people, changes or a route as plain rows, from the same operators that answer questions. */
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

/** The evaluation scope for expressions over a memory, for callers that build expressions themselves. */
export async function scopeFor(memory: Memory, request: AskRequest = {}, call: WorkCall = {}) {
  const { scopeOf } = await import("../reasoning/ask.ts");
  return scopeOf(await optionsFor(memory, request, call));
}

/** The options with which a question to a memory is answered. */
export async function optionsFor(memory: Memory, request: AskRequest, { onReadings, ...call }: AskCall) {
  const { models, images, viewIds: _, onFailure: __, at, inView, frame: ___, ...rest } = request;
  const { system, settings: ____, model: _____, prices: ______, ...plain } = rest;
  await checkSystem(system);
  const whole = await memory.reader();
  await checkNames(whole, request);
  const asked = await askedMap(whole, request);
  const { reader, root } = asked;
  const nowUs = request.now === undefined ? await latestUs(reader) : momentUs(request.now);
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

/** Our own reader, which also reports its readings. */
function readingAloud(tell: (readings: readonly string[]) => void) {
  return async (question: string, asked: Asked) => {
    const { read } = await import("../reasoning/index.ts");
    const { print } = await import("../reasoning/algebra/index.ts");
    const readings = await read(question, asked);
    tell(readings.map(({ parts }) => parts.map(print).join("; ")));
    return readings;
  };
}

/** The comparison by meaning; none for a memory without vectors. */
async function meaningsOf(memory: Memory, reader: MemoryReader) {
  if ((await reader.embedder("text")) === null) return {};
  return { embedder: await memory.embedder(), background: await memory.background() };
}

/** The options for a model, with its prices and the pictures it is shown. */
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

/** What a model must be told about the pictures: which is which, and which region is pointed at. */
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

/** The other model roles for a question: confidence rater, and selector of the region forest. */
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

/** Reads an expression from its notation or from a JSON file; both are checked against the operator table. */
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
