import { z } from "zod";
import { distance } from "../../geometry/index.ts";
import { type AnswerRecord, type QuestionRecord, type TruthAnswer, vec3Schema } from "../../schema/index.ts";
import { type Judgement, RIGHT_FROM } from "../judge/judge.ts";
import { isSameItem } from "../judge/match-text.ts";
import { relativeAccuracy, timeError } from "../metrics/errors.ts";
import { citationScores, recallAtK, redundancy, trackRecallAtK } from "../metrics/evidence.ts";
import { matchOf, splOf } from "../metrics/match.ts";
import { setScores } from "../metrics/sets.ts";
import { rougeL } from "../metrics/text.ts";
import type { SceneMemory, SuiteScene } from "./suite.ts";

/** Recall is reported among the first k records that retrieval showed, and among all of them. */
export const RECALL_AT = [1, 3, 6, 10] as const;

const optional = z.number().optional();

/** All scores of one answer. Inapplicable ones are absent, never zero. */
export const scoresSchema = z.object({
  /** Between 0 and 1; a missing answer or verdict is 0. */
  match: z.number(),
  right: z.boolean(),
  rougeL: optional,
  l2M: optional,
  geodesicM: optional,
  timeS: optional,
  durationS: optional,
  countOff: optional,
  relativeAccuracy: optional,
  setPrecision: optional,
  setRecall: optional,
  setF1: optional,
  /** EXPRESS-Bench: whether evidence lies where the answer is visible, and the mark of such an answer. */
  grounded: optional,
  consistent: optional,
  splM: optional,
  splSteps: optional,
  normalisedSteps: optional,
  /** By k, as a string; "all" is after all rounds. */
  recall: z.record(z.string(), z.boolean()).default({}),
  trackRecall: z.record(z.string(), z.number()).default({}),
  redundancy: optional,
  citationPrecision: optional,
  citationRecall: optional,
});

export type Scores = z.infer<typeof scoresSchema>;

/** A failed question scores like an unanswered one: zero, but counted. */
export function scoreAnswer(
  question: QuestionRecord,
  answer: AnswerRecord | null,
  verdict: Judgement | null,
  scene: Pick<SuiteScene, "floorAreaM2">,
  memory: Pick<SceneMemory, "tracksOf" | "geodesicM" | "walkedM">,
): Scores {
  const score = verdict?.score ?? null;
  return {
    match: matchOf(score),
    right: score !== null && score >= RIGHT_FROM,
    ...defined(effortOf(question, answer, score, scene, memory)),
    ...defined(groundingOf(question, answer, score)),
    ...(answer === null ? { recall: {}, trackRecall: {} } : evidenceOf(question, answer, memory)),
    ...(answer === null ? {} : defined(errorsOf(question.answer, question, answer, memory))),
  };
}

type Errors = Omit<
  Partial<Record<keyof Scores, number | undefined>>,
  "match" | "right" | "recall" | "trackRecall"
>;

/** The errors of typed answers, if both sides have a value. */
function errorsOf(
  truth: TruthAnswer,
  question: QuestionRecord,
  answer: AnswerRecord,
  memory: Pick<SceneMemory, "geodesicM">,
): Errors {
  switch (truth.type) {
    case "text":
      return {
        rougeL: Math.max(...[truth.text, ...question.extra].map((text) => rougeL(answer.text, text))),
        ...(truth.position === undefined
          ? {}
          : placeErrors([truth.position, ...(truth.accepted ?? [])], answer, memory)),
      };
    case "position":
      return placeErrors([truth.position, ...(truth.accepted ?? [])], answer, memory);
    case "time":
      return {
        timeS: answer.time && timeError(answer.time.atUs, { fromUs: truth.atUs, toUs: truth.atUs }).l1S,
      };
    case "duration":
      return {
        durationS: answer.durationS === undefined ? undefined : Math.abs(answer.durationS - truth.durationS),
      };
    case "count":
      return {
        countOff: answer.count === undefined ? undefined : Math.abs(answer.count - truth.count),
        relativeAccuracy: answer.count === undefined ? 0 : relativeAccuracy(answer.count, truth.count),
      };
    case "quantity": {
      const said = answer.quantity?.unit === truth.quantity.unit ? answer.quantity.value : undefined;
      return { relativeAccuracy: said === undefined ? 0 : relativeAccuracy(said, truth.quantity.value) };
    }
    case "set": {
      const { precision, recall, f1 } = setScores(answer.set ?? [], truth.items, isSameItem);
      return { setPrecision: precision, setRecall: recall, setF1: f1 };
    }
    case "compound":
      return Object.assign({}, ...truth.parts.map((part) => errorsOf(part, question, answer, memory)));
    default:
      return {};
  }
}

function placeErrors(
  truths: readonly { readonly x: number; readonly y: number; readonly z: number }[],
  answer: AnswerRecord,
  memory: Pick<SceneMemory, "geodesicM">,
): Errors {
  const point = answer.position?.point;
  if (point === undefined) return {};
  const ways = truths.flatMap((truth) => memory.geodesicM?.(point, truth) ?? []);
  return {
    l2M: Math.min(...truths.map((truth) => distance(point, truth))),
    geodesicM: ways.length === 0 ? undefined : Math.min(...ways),
  };
}

/** SPL only for questions that require exploration; no answer scores zero (docs/formulas.md#metrics). */
function effortOf(
  question: QuestionRecord,
  answer: AnswerRecord | null,
  score: number | null,
  { floorAreaM2 }: Pick<SuiteScene, "floorAreaM2">,
  { walkedM }: Pick<SceneMemory, "walkedM">,
): Errors {
  if (question.scope !== "active" || question.minPath === undefined) return {};
  const { pathM = walkedM, steps } = answer?.trace ?? {};
  return {
    splM: splOf({ score, shortest: question.minPath.m, taken: pathM ?? null }),
    splSteps: splOf({ score, shortest: question.minPath.steps, taken: steps ?? null }, "steps"),
    normalisedSteps:
      steps === undefined || floorAreaM2 === undefined ? undefined : steps / (3 * Math.sqrt(floorAreaM2)),
  };
}

/** Within this distance an answer's place is in view; what lies farther is other evidence. */
const IN_VIEW_M = 3;

/**
 * EXPRESS-Bench's exploration–answer consistency asks a vision model whether the last view shows what the answer
 * says. Here the place where it is visible is known (`about.goal`), and evidence of the answer must lie around it.
 */
function groundingOf(question: QuestionRecord, answer: AnswerRecord | null, score: number | null): Errors {
  const goal = vec3Schema.safeParse(question.about["goal"]).data;
  if (goal === undefined) return {};
  const isThere = (answer?.evidence ?? []).some(
    ({ position: p }) => p !== undefined && Math.hypot(p.x - goal.x, p.y - goal.y) <= IN_VIEW_M,
  );
  return { grounded: Number(isThere), consistent: isThere ? matchOf(score) : 0 };
}

function evidenceOf(question: QuestionRecord, answer: AnswerRecord, memory: Pick<SceneMemory, "tracksOf">) {
  const { shown } = answer.trace;
  const captions = shown.filter(({ kind }) => kind === "caption");
  const tracks = memory.tracksOf === undefined ? [] : question.targets.flatMap(memory.tracksOf);
  const recall: Record<string, boolean> = {};
  const trackRecall: Record<string, number> = {};
  for (const k of [...RECALL_AT, "all"] as const) {
    const count = k === "all" ? shown.length : k;
    const hit = recallAtK(shown, question.evidenceTimesUs, count);
    if (hit !== null) recall[k] = hit;
    const share = trackRecallAtK(shown, tracks, count);
    if (share !== null) trackRecall[k] = share;
  }
  const cited = answer.evidence.map(({ atUs, trackId }) => ({
    atUs,
    trackIds: trackId === undefined ? [] : [trackId],
  }));
  const { precision, recall: citationRecall } = citationScores(cited, {
    trackIds: tracks,
    timesUs: question.evidenceTimesUs,
  });
  return {
    recall,
    trackRecall,
    ...defined({
      // Among the captions, if there are any: things that a system adds beside them do not count as repetitions.
      redundancy: redundancy(captions.length > 0 ? captions : shown) ?? undefined,
      citationPrecision: precision ?? undefined,
      citationRecall: citationRecall ?? undefined,
    }),
  };
}

function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
