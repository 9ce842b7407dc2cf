import { COMMON } from "../settings/common.ts";

/** An exponential running mean. */
export function lately(before: number | undefined, now: number): number {
  return before === undefined ? now : (1 - COMMON.fading) * before + COMMON.fading * now;
}
