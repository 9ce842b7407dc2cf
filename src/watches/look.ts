import type { Value } from "../reasoning/index.ts";

/** The result of evaluating an expression. */
export interface Looked {
  readonly value: Value;
  readonly text: string;
  readonly atUs: number;
  /** Ids of the rooms that the expression names. */
  readonly roomIds: readonly string[];
}
