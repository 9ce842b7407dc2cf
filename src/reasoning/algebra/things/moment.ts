import type { Scope } from "../operator.ts";

/** The moment that is meant: now, or the end of the span. */
export function momentUs({ during, memory: { nowUs } }: Pick<Scope, "during" | "memory">): number {
  return during === undefined ? nowUs : Math.min(nowUs, (during.toUs ?? nowUs + 1) - 1);
}
