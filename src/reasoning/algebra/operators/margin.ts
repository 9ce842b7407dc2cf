import type { NumberValue } from "../value.ts";

/** Moments this far apart are certainly different. */
const CLEARLY_LATER_S = 15;

/** How clearly two numbers differ: 0 the same, 1 by all of the larger one; moments by the time between them. */
export function marginOf(a: NumberValue, b: NumberValue): number {
  const difference = Math.abs(a.value - b.value);
  if (a.unit === "epoch") return Math.min(1, difference / CLEARLY_LATER_S);
  return difference / Math.max(1e-6, Math.abs(a.value), Math.abs(b.value));
}
