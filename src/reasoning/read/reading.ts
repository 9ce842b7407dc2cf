import type { Expression } from "../../schema/index.ts";

/** One reading of a question. */
export interface Reading {
  /** The questions, in order. */
  readonly parts: readonly Expression[];
  /** The reader's probability, 0–1. */
  readonly p: number;
  /** 0 is the plainest; increases with doubts and unused words. */
  readonly cost: number;
  /** Corrections: "stapler for staplr". */
  readonly notes: readonly string[];
  /** It continues the previous question and means nothing without it. */
  readonly goesOn?: boolean | undefined;
  /** The question with its pronouns replaced by names, so that it stands alone. */
  readonly said?: string | undefined;
  /** It has exactly the form of a pair. */
  readonly isExact?: boolean | undefined;
}
