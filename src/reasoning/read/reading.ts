import type { Expression } from "../../schema/index.ts";

/** One way to understand a question. */
export interface Reading {
  /** What is asked, in the order asked. */
  readonly parts: readonly Expression[];
  /** 0 is as plain as can be, less what both readers agree on; the more is guessed, mended or left out, the higher. */
  readonly cost: number;
  /** Share of the content words that it explains. */
  readonly explained: number;
  /** What was mended: "stapler for staplr". */
  readonly notes: readonly string[];
  /** How likely the trained reader finds it, where that was asked; 0 where it says otherwise. */
  readonly proposedP?: number | undefined;
  /** What the grammar's best reading costs, of one that is not its own. */
  readonly grammarCost?: number | undefined;
}
