import type { Value } from "../reasoning/index.ts";

/** What looking at an expression gives. */
export interface Looked {
  readonly value: Value;
  readonly text: string;
  readonly atUs: number;
  /** Of the rooms that the expression names. */
  readonly roomIds: readonly string[];
}
