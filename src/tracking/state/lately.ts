import { COMMON } from "../settings/common.ts";

/** A running mean that forgets: what was measured now, among what was measured of late. */
export function lately(before: number | undefined, now: number): number {
  return before === undefined ? now : (1 - COMMON.fading) * before + COMMON.fading * now;
}
