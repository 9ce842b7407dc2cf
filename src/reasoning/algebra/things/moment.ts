import type { Scope } from "../operator.ts";

/** The moment that is meant: now, or the end of the span. */
export function momentUs({ during, recall: { nowUs } }: Pick<Scope, "during" | "recall">): number {
  return during === undefined ? nowUs : Math.min(nowUs, (during.toUs ?? nowUs + 1) - 1);
}
