import { Belief } from "../belief/belief.ts";
import { type Pointing, pointedThing } from "../belief/pointing.ts";
import { type AgentPose, lastPose } from "../belief/poses.ts";
import { fromYaw, type Transform, type Vec3 } from "../geometry/index.ts";
import type { SceneMap } from "../map/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import type { TextEmbedder } from "../models/index.ts";
import type { ChildSelector, Evidence, Retrieved, SearchForest } from "../retrieval/index.ts";
import {
  type AnswerRecord,
  type Effort,
  type Expression,
  LIMITS,
  LociError,
  type ReasoningRound,
} from "../schema/index.ts";
import { recallOf } from "./algebra/captions/question.ts";
import { print } from "./algebra/notation.ts";
import type { Scope } from "./algebra/operator.ts";
import { type UnknownValue, unknownValue, type Value } from "./algebra/value.ts";
import { answerOf, type Part } from "./answer.ts";
import { type Chosen, chooseReading } from "./choose-reading.ts";
import { fromNotes } from "./from-notes.ts";
import { isSlip, loosened } from "./loosened.ts";
import { memoryNames, peopleIn } from "./memory-names.ts";
import { navGoalOf } from "./nav-goal.ts";
import { type Nearest, nearestKind } from "./nearest-kind.ts";
import { type Asked, read as readEnglish } from "./read/read.ts";
import type { Reading } from "./read/reading.ts";
import { isFromThingToThing, readSituation, type Situated } from "./read/situation.ts";
import { sentencesOf, textOf } from "./read/tokens.ts";
import { withinRisk } from "./risk.ts";
import { nodesCalled } from "./rival-values.ts";
import { rootOf } from "./say/say.ts";
import { sayParts } from "./say-parts.ts";
import type { LikelyPose } from "./situation/poses.ts";
import { evaluateFrom, situate } from "./situation/situate.ts";
import { readInTalk } from "./talk/talk.ts";
import type { Turn } from "./talk/turn.ts";
import { isAhead, isForeign, NOT_ENGLISH, plainQuestion, unreadable } from "./unreadable.ts";

export interface AskOptions {
  readonly reader: MemoryReader;
  readonly embedder?: TextEmbedder | undefined;
  readonly background?: { readonly mean: number; readonly sd: number } | undefined;
  /** The time of the question; nothing after it is used. */
  readonly nowUs: number;
  /** The time was given; otherwise it is the last observation, and later notes count too. */
  readonly isNowGiven?: boolean | undefined;
  readonly sceneId?: string | undefined;
  /** The agent that "I" and "you" refer to. */
  readonly agentId?: string | undefined;
  /** The robot's pose; default: that of its last observation. */
  readonly pose?: { readonly position: Vec3; readonly yawRad: number } | undefined;
  readonly options?: readonly string[] | undefined;
  /** The meaning of "this", for questions that come with a picture. */
  readonly pointed?: Pointing | undefined;
  /** The states in view at this moment: tried before the rest of the memory (docs/formulas.md#answerable). */
  readonly inView?: { readonly stateIds: readonly string[] } | undefined;
  /** The regions of the scene, opened when a retrieval plan descends them, and the chooser among their branches. */
  readonly forest?: (() => Promise<SearchForest | undefined>) | undefined;
  readonly selector?: ChildSelector | undefined;
  /** The map of the scene, opened when an operator needs it. */
  readonly map?: (() => Promise<SceneMap | undefined>) | undefined;
  /** Also find a pose from which the result is visible: needs the whole map. */
  readonly navigate?: boolean | undefined;
  readonly rounds?: number | undefined;
  /** At most this share of the answers given may be wrong: less certain ones are withheld. */
  readonly risk?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The effort limit for the answer. */
  readonly effort?: Effort | undefined;
  /** Words to expressions; default: our own reader. */
  readonly read?: Read | undefined;
  /** Forms of questions that are read without the network; default: the shipped ones. */
  readonly pairs?: Asked["pairs"];
  /** Evaluated as it is; the question is then only a label. */
  readonly expression?: Expression | undefined;
  /** The earlier questions of this conversation, the latest last: "and the blue one?" refers to them. */
  readonly history?: readonly (string | Turn)[] | undefined;
  /** The same in words, for a model that reads them. */
  readonly talk?: readonly { readonly question: string; readonly answer: string }[] | undefined;
}

/** An answer, and the state that the next question of a conversation continues from. */
export interface Answered {
  readonly answer: AnswerRecord;
  readonly turn: Turn;
}

/** Words to expressions: the likeliest reading first. */
type Read = (question: string, asked: Asked) => Promise<readonly Reading[]>;

/** The rounds of widening the search, the first included (docs/formulas.md#rounds). */
const ROUNDS = 3;

/**
 * Answers a question from the memory without a language model: evaluates the expression of the algebra that best
 * explains the words and fits the memory, searching wider while nothing is found (docs/formulas.md#rounds), and words
 * the value with its evidence. Always returns an answer: if it is unknown, with the reason.
 */
export async function ask(question: string, options: AskOptions): Promise<AnswerRecord> {
  return (await askInTalk(question, options)).answer;
}

/** The same, with the state of the conversation. */
export async function askInTalk(question: string, options: AskOptions): Promise<Answered> {
  if (question.trim() === "")
    throw new LociError("invalid-input", "a question has at least one word; got an empty one");
  return new Asking(question, options).answered();
}

/** The possible readings of a question, the likeliest first, without evaluation. */
export function readingsOf(question: string, options: AskOptions): Promise<readonly Reading[]> {
  return new Asking(question, options).readings();
}

/** The results of a retrieval plan for a text, by default the memory's own; undefined without semantic search. */
export async function retrievedFor(
  text: string,
  options: AskOptions,
  pose: Transform | undefined,
): Promise<Retrieved | undefined> {
  const { reader, embedder, nowUs, selector, background, signal } = options;
  if (!embedder || (await reader.embedder("text")) === null) return undefined;
  const { retrieve } = await import("../retrieval/index.ts");
  const forest = await options.forest?.();
  return retrieve(
    { text },
    {
      reader,
      embedder,
      nowUs,
      strategy: "auto",
      ...(forest && { forest }),
      ...(selector && { selector }),
      ...(background && { background }),
      ...(pose && { pose }),
      ...(signal && { signal }),
    },
  );
}

/** The scope of an evaluation, for callers that build expressions themselves. */
export function scopeOf(options: AskOptions): Promise<Scope> {
  return new Asking("?", options).scope();
}

class Asking {
  readonly #question: string;
  readonly #text: string;
  readonly #options: AskOptions;
  readonly #memory: Belief;
  readonly #began = performance.now();
  readonly #rounds: ReasoningRound[] = [];
  /** The asker's stated position, and the poses that it may mean. */
  #situation: Situated | undefined;
  #poses: readonly LikelyPose[] = [];
  readonly #shown: Evidence[] = [];
  /** The kinds that replace names of unseen things, by part. */
  readonly #nearest = new Map<Expression, Nearest>();

  /** False premises of parts that are answered nevertheless. */
  readonly #otherwise = new Map<Expression, UnknownValue>();

  constructor(question: string, options: AskOptions) {
    this.#question = question.trim();
    this.#text = plainQuestion(question);
    this.#options = options;
    this.#memory = new Belief(options);
    this.#situation = options.expression ? undefined : readSituation(sentencesOf(this.#text));
  }

  async answered(): Promise<Answered> {
    const { map, navigate } = this.#options;
    const pointing = this.#options.pointed;
    const pointed = pointing && (await pointedThing(this.#memory, pointing));
    if (pointed) this.#memory.point(pointed);
    const scope = await this.scope();
    const { pose } = scope;
    const readings = await this.readings();
    this.#poses = await this.#situated(scope);
    const readMs = performance.now() - this.#began;
    const chosen = await this.#chosen(readings, scope);
    const parts = await this.#said(chosen, scope);
    const evaluatedMs = performance.now() - this.#began - readMs;
    const goal = navigate === false ? undefined : await navGoalOf(parts[0]?.said, pose, map);
    const answer = answerOf(this.#question, parts, {
      asked: this.#options,
      chosen,
      readings,
      rounds: this.#rounds,
      shown: this.#shown,
      ...(goal && { goal }),
      ms: { read: readMs, reason: evaluatedMs, total: performance.now() - this.#began },
    });
    return { answer: withinRisk(answer, this.#options.risk), turn: { question: this.#question, parts } };
  }

  async scope(): Promise<Scope> {
    const { agentId, map } = this.#options;
    const pose = await this.#pose();
    return {
      memory: this.#memory,
      agentId,
      pose,
      map,
      broadened: 0,
      question: this.#text.toLowerCase(),
      retrieve: async (text) => {
        const worldFromAgent = pose && { p: pose.position, q: fromYaw(pose.yawRad) };
        const found = await retrievedFor(text, this.#options, worldFromAgent);
        this.#shown.push(...(found?.items ?? []));
        return found;
      },
    };
  }

  async readings(): Promise<readonly Reading[]> {
    const { expression, read = readEnglish, nowUs, options, history, pointed, pairs } = this.#options;
    if (expression) return [{ parts: [expression], p: 1, cost: 0, notes: [] }];
    if (unreadable(this.#question, this.#text)) return [];
    const people = await peopleIn(this.#memory);
    const rooms = new Set((await this.#memory.rooms()).map(({ name }) => name.toLowerCase()));
    const known = { people, rooms, pairs, shown: pointed !== undefined };
    const alone = { nowUs, options, ...known, names: () => memoryNames(this.#memory) };
    const asked = history?.map((one) => (typeof one === "string" ? one : one.question));
    const context = { ...alone, history: asked };
    if (!this.#situation) {
      const inTalk = (said: string, isAlone: boolean) => read(said, isAlone ? alone : context);
      return readInTalk(this.#text, history ?? [], await this.scope(), inTalk);
    }
    const whole = await read(this.#text, context);
    if (!whole.some(isFromThingToThing)) return read(textOf(this.#situation.asking), context);
    this.#situation = undefined;
    return whole;
  }

  async #chosen(readings: readonly Reading[], scope: Scope): Promise<Chosen> {
    const { expression } = this.#options;
    if (expression) return alone(readings[0]!, [await this.#once(expression, scope)]);
    const refused = unreadable(this.#question, this.#text);
    if (refused || readings.length === 0)
      return alone(NOTHING_READ, [refused ?? unknownValue("not-understood", "")]);
    if (await this.#isSpokenOnly()) return this.#fromCaptions(readings[0]!, scope);
    const chosen = await chooseReading(readings, (part) => this.#carryOut(part, scope));
    return chosen ? this.#wider(chosen, scope) : alone(NOTHING_READ, [unknownValue("not-understood", "")]);
  }

  /** One part: from the things in view if that is enough, otherwise from the whole memory. */
  async #carryOut(part: Expression, scope: Scope): Promise<Value> {
    const value = (await this.#fromLiveView(part, scope)) ?? (await this.#once(part, scope));
    return part.op === "recall" && !(await this.#isTold(value)) ? unknownValue("not-understood", "") : value;
  }

  /** Whether a person wrote it down as a note; a passing caption is not used as an answer. */
  async #isTold(value: Value): Promise<boolean> {
    const [first] = value.evidence;
    if (value.kind === "unknown" || first?.kind !== "caption") return false;
    const [record] = await this.#memory.options.reader.get([first.ref]);
    return record?.kind === "caption" && record.source === "human";
  }

  async #once(part: Expression, scope: Scope, strategy = "algebra"): Promise<Value> {
    const startedMs = performance.now();
    const before = this.#memory.searches;
    const poses = this.#isSituated(part) ? this.#poses : [];
    const value = this.#isStrange(part) ? STRANGE : await evaluateFrom(part, poses, scope);
    this.#rounds.push({
      cues: [print(part).slice(0, LIMITS.lineChars)],
      strategy: `${strategy}/${rootOf(part).op}`,
      broadened: scope.broadened,
      found: value.evidence.length,
      added: this.#memory.searches - before,
      sufficient: value.kind !== "unknown",
      rejected: [],
      ms: performance.now() - startedMs,
    });
    return value;
  }

  /**
   * The asker's possible poses: as stated, or as given, unless the robot's own sides are meant. Then left and right are
   * whole sides of a room, as people mean them, and not the direction straight beside the robot.
   */
  async #situated(scope: Scope): Promise<readonly LikelyPose[]> {
    const { pose } = this.#options;
    if (this.#situation) return situate(this.#situation.situation, scope);
    return pose && !SPEAKS_OF_ROBOT.test(this.#text) ? [{ ...pose, p: 1 }] : [];
  }

  /** Whether the asker's position matters; a question about another time has another position. */
  #isSituated(part: Expression): boolean {
    const isOwn = this.#situation !== undefined || nodesCalled("self", part).length > 0;
    return isOwn && nodesCalled("at", part).length === 0;
  }

  /** Whether it is about the thing shown, and that is unknown. */
  #isStrange(part: Expression): boolean {
    const isShown = this.#options.pointed !== undefined && !this.#memory.isPointed;
    return isShown && nodesCalled("shown", part).length > 0;
  }

  /** docs/formulas.md#answerable: a certain answer from the view is enough, except a "no": it may be elsewhere. */
  async #fromLiveView(part: Expression, scope: Scope): Promise<Value | undefined> {
    const inView = this.#options.inView?.stateIds ?? [];
    if (inView.length === 0 || !IN_VIEW.has(rootOf(part).op) || part.op === "at") return undefined;
    const value = await this.#memory.among(inView, () => this.#once(part, scope, "live"));
    const isNo = value.kind === "truth" && rootOf(part).op === "exists" && !value.truth;
    return value.kind !== "unknown" && value.p >= DIRECT_FROM && !isNo ? value : undefined;
  }

  /** Admits less certain fits where no fitting thing was seen. */
  async #wider(chosen: Chosen, scope: Scope): Promise<Chosen> {
    const most = Math.min(6, this.#options.rounds ?? ROUNDS);
    const values = [...chosen.values];
    const parts = [...chosen.reading.parts];
    for (const [n, part] of chosen.reading.parts.entries()) {
      for (let broadened = 1; broadened < most && isUnseen(values[n]!); broadened++)
        values[n] = await this.#once(part, { ...scope, broadened });
      const isOpen = values[n]!.kind === "unknown" && !NOT_FOR_NOTES.has(values[n]!.reason);
      const note = isOpen && !this.#options.expression ? await fromNotes(part, this.#text, scope) : undefined;
      if (note) values[n] = note;
      const told = (one: Expression) => this.#once(one, scope);
      const loose = loosened(part, values[n]!);
      const meant = loose && (await isSlip(loose, told)) && (await told(loose.expression));
      if (loose && meant && meant.kind !== "unknown" && (meant.rivals ?? []).length === 0) {
        this.#otherwise.set(loose.expression, values[n] as UnknownValue);
        values[n] = meant;
        parts[n] = loose.expression;
      }
      const near = isUnseen(values[n]!) ? await nearestKind(part, this.#memory) : undefined;
      const value = near && (await this.#once(near.expression, scope));
      if (!near || !value || value.kind === "unknown") continue;
      values[n] = value;
      parts[n] = near.expression;
      this.#nearest.set(near.expression, near);
    }
    return { ...chosen, reading: { ...chosen.reading, parts }, values };
  }

  /** Answers the same question from captions, by its words and the reading. */
  async #fromCaptions(reading: Reading, scope: Scope): Promise<Chosen> {
    const [part] = reading.parts;
    const spoken = { ...reading, parts: [recallOf(this.#text, part)] };
    return alone(spoken, [await this.#once(spoken.parts[0]!, scope, "captions")]);
  }

  async #isSpokenOnly(): Promise<boolean> {
    if (!this.#options.embedder) return false;
    if (await this.#memory.holdsThings()) return false;
    return (await this.#memory.search({ kinds: ["caption"], limit: 1 })).length > 0;
  }

  #said({ reading, values }: Chosen, scope: Scope): Promise<Part[]> {
    const { nowUs, expression } = this.#options;
    const honest = values.map((value) => this.#honest(value));
    return sayParts(reading, honest, scope, {
      nowUs,
      nearest: this.#nearest,
      otherwise: this.#otherwise,
      isGiven: expression !== undefined,
      isAhead: isAhead(this.#text, reading.parts),
    });
  }

  /** A question in hardly English words without any result was not understood. */
  #honest(value: Value): Value {
    const isNothing = isUnseen(value) && value.evidence.length === 0;
    return isNothing && !this.#options.expression && isForeign(this.#text) ? NOT_ENGLISH : value;
  }

  async #pose(): Promise<AgentPose | undefined> {
    const { pose, agentId, nowUs } = this.#options;
    if (pose) return { agentId: agentId ?? "local", timeUs: nowUs, ...pose, observationId: "asked" };
    return lastPose(this.#memory, nowUs, agentId);
  }
}

/** Operators that may be answered from the view alone, and the certainty required. */
const IN_VIEW: ReadonlySet<string> = new Set(
  "name attribute is exists place direction size distance".split(" "),
);
const DIRECT_FROM = 0.7;

/** "What is on your left?" means the robot's left. */
const SPEAKS_OF_ROBOT = /\b(?:you|your)\b/i;

function alone(reading: Reading, values: readonly Value[]): Chosen {
  return { reading, values, rank: 0, others: 0, tried: [] };
}

function isUnseen(value: Value): boolean {
  return value.kind === "unknown" && (value.reason === "never-seen" || value.reason === "not-yet");
}

/** Refusals that no note can resolve: the text is no question, or the reference is ambiguous. */
const NOT_FOR_NOTES: ReadonlySet<string> = new Set(["cannot-act", "taste", "ambiguous", "false-premise"]);
const STRANGE = unknownValue("never-seen", "I have not seen this before, as far as I can tell.");
const NOTHING_READ: Reading = { parts: [], p: 0, cost: 4, notes: [] };
