import { createHash } from "node:crypto";
import { z } from "zod";
import {
  type AnswerRecord,
  answerSchema,
  ERROR_CODES,
  LIMITS,
  type QuestionRecord,
} from "../../schema/index.ts";
import type { Judge, Judgement } from "../judge/judge.ts";
import { type Scores, scoresSchema } from "./score.ts";
import type { Strategy } from "./strategy.ts";

const name = z.string().max(LIMITS.nameChars);
const ms = z.number().min(0);

/**
 * One line of a run's file: one question, one strategy, and the complete outcome. The answer is stored as given;
 * scores can be recomputed from it.
 */
export const rowSchema = z.object({
  format: z.literal(1),
  /** Key over everything that determines the answer: a row is reused only if all of that is the same. */
  key: name,
  suite: name,
  scene: name,
  seed: name,
  questionId: name,
  strategy: name,
  commit: name,
  /** Hash of the strategy's settings and models and of the judge. */
  configuration: name,
  models: z.record(name, name),
  judge: name,
  answer: answerSchema.nullable(),
  /** An invalid answer of a strategy, as JSON, truncated. */
  malformedAnswer: z.string().max(LIMITS.lineChars).optional(),
  verdict: z
    .object({
      score: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5), z.null()]),
      why: z.string(),
      unparsable: z.array(z.string()).readonly().optional(),
    })
    .nullable(),
  failure: z
    .object({
      /** Where: opening the scene's memory, answering, or judging. */
      stage: z.enum(["memory", "answer", "judge"]),
      /** One of the product's error codes, or "bug" for other failures. */
      code: z.enum([...ERROR_CODES, "bug"]),
      message: z.string().max(LIMITS.lineChars),
    })
    .optional(),
  scores: scoresSchema,
  /** What depends on the machine and the moment: never compared between runs. */
  machine: z.object({
    at: z.string(),
    answerMs: ms,
    judgeMs: ms,
    /** The scene's memory on disk and the time it covers; absent if it could not be opened. */
    memoryBytes: z.int().min(0).optional(),
    memorySpanUs: z.int().min(0).optional(),
  }),
});

export type Row = z.infer<typeof rowSchema>;
export type RowFailure = NonNullable<Row["failure"]>;

/** A row as the report needs it: the file keeps what was shown and cited, so that memory need not hold it. */
export function slim(row: Row): Row {
  if (row.answer === null) return row;
  const { plan: _, ...trace } = row.answer.trace;
  return { ...row, answer: { ...row.answer, evidence: [], trace: { ...trace, shown: [] } } };
}

/** The key of a row for this question and strategy. */
export interface RowIdentity {
  readonly key: string;
  readonly configuration: string;
}

export function rowIdentity(
  run: { readonly suite: string; readonly commit: string },
  scene: { readonly id: string; readonly seed: string },
  question: QuestionRecord,
  strategy: Strategy,
  judge: Judge,
): RowIdentity {
  const configuration = digest([strategy.id, strategy.settings ?? {}, strategy.models ?? {}, judge.id]);
  return {
    configuration,
    key: digest([run.suite, run.commit, scene.id, scene.seed, question, configuration]),
  };
}

/** The first 24 hex digits of the SHA-256 of a value as JSON with sorted keys: equal values, equal digests. */
function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, sortedKeys)).digest("hex").slice(0, 24);
}

function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The parts of a row from answering and judging. */
export interface RowOutcome {
  readonly answer: AnswerRecord | null;
  readonly malformedAnswer?: string;
  readonly verdict: Judgement | null;
  readonly failure?: RowFailure;
  readonly scores: Scores;
  readonly machine: Row["machine"];
}
