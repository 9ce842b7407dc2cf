import type { NumberValue } from "../value.ts";

/** Times are apart by seconds, whatever the year is. */
const APART_S = 15;

/** How far two numbers are apart, as a share of the larger one: 0 the same. */
export function marginOf(a: number, b: number, unit?: NumberValue["unit"]): number {
  const scale = unit === "epoch" ? APART_S : Math.max(1e-6, Math.abs(a), Math.abs(b));
  return Math.abs(a - b) / scale;
}
