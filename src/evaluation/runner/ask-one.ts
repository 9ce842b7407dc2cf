import { loadForest } from "../../map/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import {
  answerSchema,
  isLociError,
  LIMITS,
  LociError,
  type QuestionRecord,
  throwIfAborted,
} from "../../schema/index.ts";
import type { Judge, Judgement } from "../judge/judge.ts";
import type { RowFailure, RowOutcome } from "./row.ts";
import { scoreAnswer } from "./score.ts";
import type { AskedQuestion, Strategy } from "./strategy.ts";
import { type SceneMemory, type SuiteScene, windowOf } from "./suite.ts";
import { windowedReader } from "./windowed-reader.ts";

export interface AskContext {
  readonly suite: string;
  readonly scene: SuiteScene;
  readonly memory: SceneMemory;
  readonly judge: Judge;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Asks, validates, judges and scores one question. Everything but the run's own abort becomes part of the outcome. */
export async function askOne(
  context: AskContext,
  question: QuestionRecord,
  strategy: Strategy,
): Promise<RowOutcome> {
  const began = performance.now();
  const raw = await attempt(context, question, strategy);
  throwIfAborted(context.signal);
  const answerMs = performance.now() - began;
  if ("failure" in raw) return failed(question, context.scene, "answer", raw.failure, answerMs);
  const parsed = answerSchema.safeParse(raw.answer);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue?.path.map(String).join(".") || "the answer";
    const error = new LociError(
      "invalid-input",
      `${strategy.id} gave no answer: ${where}: ${issue?.message}`,
    );
    const text = JSON.stringify(raw.answer) ?? "undefined";
    return {
      ...failed(question, context.scene, "answer", error, answerMs),
      malformedAnswer: text.slice(0, LIMITS.lineChars),
    };
  }
  const answer = parsed.data;
  const judged = performance.now();
  let verdict: Judgement | null = null;
  let failure: RowFailure | undefined;
  try {
    verdict = await context.judge.judge(question, answer, context.signal);
  } catch (error) {
    throwIfAborted(context.signal);
    failure = failureOf("judge", error);
  }
  return {
    answer,
    verdict,
    ...(failure === undefined ? {} : { failure }),
    scores: scoreAnswer(question, answer, verdict, context.scene, context.memory),
    machine: { at: new Date().toISOString(), answerMs, judgeMs: performance.now() - judged },
  };
}

/** A strategy that misses its deadline is abandoned: the run continues without it. */
async function attempt(
  { suite, scene, memory, signal, timeoutMs }: AskContext,
  question: QuestionRecord,
  strategy: Strategy,
): Promise<{ readonly answer: unknown } | { readonly failure: unknown }> {
  const timeout = new AbortController();
  const late = new LociError("limit-exceeded", `${strategy.id} had no answer after ${timeoutMs} ms`);
  const timer = setTimeout(() => timeout.abort(late), timeoutMs);
  const stop = AbortSignal.any([signal, timeout.signal]);
  const stopped = new Promise<never>((_, reject) => {
    stop.addEventListener("abort", () => reject(timeout.signal.aborted ? late : stop.reason), { once: true });
  });
  stopped.catch(() => {});
  try {
    const answering = strategy.answer(asAsked(question), {
      sceneId: scene.id,
      reader: windowFor(memory, question),
      ...(memory.embedder === undefined ? {} : { embedder: memory.embedder }),
      forest: () => forestOf(memory),
      nowUs: question.askedAtUs,
      seed: `${suite}/${scene.id}/${scene.seed}/${question.id}/${strategy.id}`,
      signal: stop,
    });
    return { answer: await Promise.race([answering, stopped]) };
  } catch (error) {
    return { failure: timeout.signal.aborted ? late : error };
  } finally {
    clearTimeout(timer);
  }
}

/** Strategies run one after the other, so that what one has read of a window serves the next. */
const WINDOWS_KEPT = 4;
const windows = new WeakMap<SceneMemory, Map<string, MemoryReader>>();

function windowFor(memory: SceneMemory, question: QuestionRecord): MemoryReader {
  const window = windowOf(question);
  const key = `${window.fromUs} ${window.toUs}`;
  const kept = windows.get(memory) ?? new Map<string, MemoryReader>();
  windows.set(memory, kept);
  const reader = kept.get(key) ?? windowedReader(memory.reader, window);
  kept.delete(key);
  kept.set(key, reader);
  if (kept.size > WINDOWS_KEPT) kept.delete(kept.keys().next().value!);
  return reader;
}

const forests = new WeakMap<SceneMemory, ReturnType<typeof loadForest>>();

function forestOf(memory: SceneMemory): ReturnType<typeof loadForest> {
  const known = forests.get(memory) ?? loadForest(memory.reader);
  forests.set(memory, known);
  return known;
}

/** Only what an asked agent would know. */
function asAsked(question: QuestionRecord): AskedQuestion {
  const { id, text, options, askedAtUs, askedOf, start, image, scope } = question;
  return {
    id,
    text,
    askedAtUs,
    scope,
    ...(options === undefined ? {} : { options }),
    ...(askedOf === undefined ? {} : { askedOf }),
    ...(start === undefined ? {} : { start }),
    ...(image === undefined ? {} : { image }),
  };
}

/** The outcome of a question without an answer: scored as zero, and reported. */
export function failed(
  question: QuestionRecord,
  scene: SuiteScene,
  stage: RowFailure["stage"],
  error: unknown,
  answerMs = 0,
): RowOutcome {
  return {
    answer: null,
    verdict: null,
    failure: failureOf(stage, error),
    scores: scoreAnswer(question, null, null, scene, {}),
    machine: { at: new Date().toISOString(), answerMs, judgeMs: 0 },
  };
}

function failureOf(stage: RowFailure["stage"], error: unknown): RowFailure {
  const message = error instanceof Error ? error.message : String(error);
  return {
    stage,
    code: isLociError(error) ? error.code : "bug",
    message: message.slice(0, LIMITS.lineChars),
  };
}
