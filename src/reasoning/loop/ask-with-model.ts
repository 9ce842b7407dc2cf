import { Belief } from "../../belief/belief.ts";
import { lastPose } from "../../belief/poses.ts";
import { fromYaw } from "../../geometry/index.ts";
import {
  type BudgetedModel,
  budgeted,
  type ConfidenceRater,
  type LanguageModel,
  type ModelBudget,
  type ModelPrices,
} from "../../models/index.ts";
import type { Evidence } from "../../retrieval/index.ts";
import {
  type AnswerRecord,
  answerSchema,
  type Expression,
  isLociError,
  LIMITS,
  LociError,
  parseOrThrow,
} from "../../schema/index.ts";
import { type AskOptions, ask, readingsOf } from "../ask.ts";
import { read } from "../read/read.ts";
import { readEvidence } from "../systems/reader/read-evidence.ts";
import { answerFromView } from "./answer-from-view.ts";
import { assemble, directAnswer } from "./assemble.ts";
import { Conversation } from "./conversation.ts";
import { clock, type LiveView } from "./live.ts";
import { LoopMemory } from "./loop-memory.ts";
import { recordsText } from "./record-lines.ts";
import { MOST_ROUNDS, ROUNDS, runRounds } from "./rounds.ts";
import { ToolRunner } from "./tools.ts";
import { TraceBook } from "./trace-book.ts";

export interface AskWithModelOptions extends AskOptions {
  readonly model: LanguageModel;
  readonly live?: LiveView | undefined;
  /** For this question; default 32 calls, 400 000 tokens, two minutes. */
  readonly budget?: ModelBudget | undefined;
  readonly prices?: ModelPrices | undefined;
  /**
   * If the model fails for good: answer by rules over the records found, or over the whole memory where there are none,
   * and note it in the trace (the default), or throw. "throw-unavailable" throws only if the model is unavailable: no
   * server, no key, no package.
   */
  readonly onFailure?: "rules" | "throw" | "throw-unavailable" | undefined;
  /** Says how sure the answer can be in place of the model that gives it (MemoryEQA P6). */
  readonly confidence?: ConfidenceRater | undefined;
}

const BUDGET = { calls: 32, tokens: 400_000, timeMs: 120_000 } as const;
const LIVE_IMAGES = 16;
const EVIDENCE_TOKENS = 1_500;

/**
 * Answers a question with a language model over the memory: R⁴'s loop (docs/formulas.md#loop, #answerable, #rounds). First from what is
 * in view, if three samples agree; else by keys and read-only tools, in a few rounds that look wider while nothing new
 * is found; then an answer that cites records. The model says which record it is; where and when comes from the record.
 * Always an answer, with the trace of how it came about; only an abort throws, unless failures are asked for.
 */
export async function askWithModel(question: string, options: AskWithModelOptions): Promise<AnswerRecord> {
  const text = question.trim();
  if (text === "") throw new LociError("invalid-input", "a question has at least one word; got an empty one");
  if (text.length > LIMITS.queryChars)
    throw new LociError("limit-exceeded", `a question has at most ${LIMITS.queryChars} characters`);
  const images = options.live?.images ?? [];
  if (images.length > LIVE_IMAGES)
    throw new LociError(
      "limit-exceeded",
      `a question brings at most ${LIVE_IMAGES} pictures, got ${images.length}`,
    );
  const began = performance.now();
  const model = budgeted(options.model, { ...BUDGET, ...options.budget }, options.prices);
  const trace = new TraceBook();
  const begun: Begun = {};
  try {
    return parseOrThrow(answerSchema, await loop(text, options, model, trace, began, begun), "the answer");
  } catch (error) {
    const { onFailure = "rules" } = options;
    if (options.signal?.aborted || !isModelFailure(error) || onFailure === "throw") throw error;
    if (onFailure === "throw-unavailable" && error.code === "model-unavailable") throw error;
    const found = readable(begun.memory?.shown() ?? []);
    const over = found.length > 0 ? `${found.length} records that it had found` : "the whole memory";
    trace.add({
      cues: [`rules over ${over}`],
      strategy: "model/failed",
      found: found.length,
      rejected: [`${error.code}: ${error.message}`],
    });
    return byRules(text, found, options, model, trace);
  }
}

/** The records that rules can read: things and events; texts only where there is nothing else. */
function readable(found: readonly Evidence[]): readonly Evidence[] {
  const things = found.filter(({ kind }) => kind === "state" || kind === "event");
  return things.some(({ kind }) => kind === "state") ? things : found;
}

/** The state of a question, which survives a failure of the model. */
interface Begun {
  memory?: LoopMemory;
}

async function loop(
  question: string,
  options: AskWithModelOptions,
  model: BudgetedModel,
  trace: TraceBook,
  began: number,
  begun: Begun,
): Promise<unknown> {
  const { live, nowUs, signal } = options;
  const standing = options.pose ?? (await lastPose(new Belief(options), nowUs, options.agentId));
  const pose = standing && { p: standing.position, q: fromYaw(standing.yawRad) };
  const memory = new LoopMemory({ ...options, question, pose });
  begun.memory = memory;
  const runner = new ToolRunner(memory);
  const parts = await partsOf(question, options);
  const work = { question, parts, options, model, memory, runner, trace, began };
  const direct = await answerFromView(work);
  if (direct.answer) return directAnswer(direct.answer, work);
  const inView = live?.recordIds ?? [];
  memory.show(await memory.get(inView));
  const conversation = new Conversation(model, {
    question,
    options: options.options,
    now: clock(nowUs),
    talk: options.talk,
    pose: standing && poseText(standing, pose && (await memory.belief.roomAt(pose.p))?.name),
    images: live?.images ?? [],
    pictures: inView,
    signal,
    evidence: () => recordsText(memory.shown(), memory, EVIDENCE_TOKENS),
  });
  const { keys } = direct;
  const rounds = Math.min(MOST_ROUNDS, Math.max(1, options.rounds ?? ROUNDS));
  const outcome = await runRounds({ ...work, keys, rounds, conversation });
  const sure = await rated(question, options, memory, trace);
  return assemble(outcome, { ...work, keys, sure });
}

/** The question as our own reader reads it; "this" is the content of the pictures that come with it. */
async function partsOf(question: string, options: AskWithModelOptions): Promise<readonly Expression[]> {
  const own = options.read ?? read;
  const shown = options.live !== undefined;
  const [reading] = await readingsOf(question, {
    ...options,
    ...(shown && { read: (text, asked) => own(text, { ...asked, shown }) }),
  });
  return reading?.parts ?? [];
}

/** The confidence letter for the records found, as a round of its own. */
async function rated(
  question: string,
  { confidence, live, signal }: AskWithModelOptions,
  memory: LoopMemory,
  trace: TraceBook,
): Promise<number | undefined> {
  if (confidence === undefined) return undefined;
  const began = performance.now();
  const memories = await recordsText(memory.shown(), memory, EVIDENCE_TOKENS);
  const sure = await confidence.rate({ question, memories, images: live?.images ?? [] }, signal);
  trace.add({
    cues: [sure === undefined ? "no letter" : `${confidence.id} is ${Math.round(sure * 100)} % sure`],
    strategy: "model/confidence",
    broadened: memory.level,
    sufficient: sure !== undefined,
    ms: performance.now() - began,
  });
  return sure;
}

/**
 * The rules' answer from the records that the loop found, otherwise from the whole memory, with the model's rounds
 * before it in the same trace.
 */
async function byRules(
  question: string,
  items: readonly Evidence[],
  options: AskWithModelOptions,
  model: BudgetedModel,
  trace: TraceBook,
): Promise<AnswerRecord> {
  const { model: _, onFailure: __, live: ___, budget: ____, ...plain } = options;
  const answer =
    items.length > 0
      ? await readEvidence("r4", question, { items, searches: [] }, plain)
      : await ask(question, options);
  const { inputTokens, outputTokens } = model.spent();
  return {
    ...answer,
    trace: {
      ...answer.trace,
      rounds: [...trace.rounds, ...answer.trace.rounds].slice(0, 64),
      tokens: inputTokens + outputTokens,
      models: { ...answer.trace.models, failed: model.id.slice(0, LIMITS.nameChars) },
    },
  };
}

function isModelFailure(error: unknown): error is LociError {
  return (
    isLociError(error, "model-failed") ||
    isLociError(error, "model-unavailable") ||
    isLociError(error, "limit-exceeded") ||
    isLociError(error, "not-supported")
  );
}

function poseText(
  { position: { x, y, z }, yawRad }: NonNullable<AskOptions["pose"]>,
  room: string | undefined,
): string {
  const facing = `facing ${((yawRad * 180) / Math.PI).toFixed(0)}° from east`;
  const at = `(${x.toFixed(2)}, ${y.toFixed(2)}, ${z.toFixed(2)}), ${facing}`;
  // Only things of its own room are told by their sides.
  return room === undefined ? at : `${at}, in the ${room}; sides such as “front left” are as it stands now`;
}
