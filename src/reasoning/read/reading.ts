import type { Expression } from "../../schema/index.ts";

/** One way to understand a question. */
export interface Reading {
  /** What is asked, in the order asked. */
  readonly parts: readonly Expression[];
  /** How likely the reader finds it, 0–1. */
  readonly p: number;
  /** 0 is as plain as can be; the more is in doubt or left out, the higher. */
  readonly cost: number;
  /** What was mended: "stapler for staplr". */
  readonly notes: readonly string[];
  /** It goes on from the question before, in words that mean nothing without one. */
  readonly goesOn?: boolean | undefined;
}
