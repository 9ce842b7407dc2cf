import type { AnswerRecord, QuestionRecord } from "../../schema/index.ts";
import { bootstrap, type Estimate, meanOf, spearman } from "../statistics.ts";
import type { Judge } from "./judge.ts";

/** Agreement of two judges on the same answers. */
export interface Agreement {
  readonly judges: readonly [string, string];
  /** Share of answers with the same mark, and with marks at most one apart. */
  readonly same: Estimate;
  readonly withinOne: Estimate;
  /** Share on which both say right (4 or 5) or both say wrong. */
  readonly sameVerdict: Estimate;
  readonly spearman: Estimate;
  /** Mean of the first judge's mark minus the second's. */
  readonly bias: Estimate;
  /** Answers without a mark from one of them; excluded from the figures above. */
  readonly withoutMark: number;
  readonly n: number;
}

/** Both judges on the same sample; null if no answer has both marks. */
export async function agreementOf(
  first: Judge,
  second: Judge,
  sample: readonly { readonly question: QuestionRecord; readonly answer: AnswerRecord }[],
  signal?: AbortSignal,
): Promise<Agreement | null> {
  const pairs: { a: number; b: number }[] = [];
  for (const { question, answer } of sample) {
    const a = (await first.judge(question, answer, signal)).score;
    const b = (await second.judge(question, answer, signal)).score;
    if (a !== null && b !== null) pairs.push({ a, b });
  }
  if (pairs.length === 0) return null;
  const share = (holds: (pair: { a: number; b: number }) => boolean) =>
    bootstrap(
      pairs.map((pair) => Number(holds(pair))),
      meanOf,
    );
  return {
    judges: [first.id, second.id],
    same: share(({ a, b }) => a === b),
    withinOne: share(({ a, b }) => Math.abs(a - b) <= 1),
    sameVerdict: share(({ a, b }) => a >= 4 === b >= 4),
    spearman: bootstrap(pairs, (drawn) =>
      spearman(
        drawn.map(({ a }) => a),
        drawn.map(({ b }) => b),
      ),
    ),
    bias: bootstrap(
      pairs.map(({ a, b }) => a - b),
      meanOf,
    ),
    withoutMark: sample.length - pairs.length,
    n: pairs.length,
  };
}
