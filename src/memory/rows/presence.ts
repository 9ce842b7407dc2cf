import type { Presence } from "../../schema/core.ts";

/** How often, and between which times, a state was seen. */
export interface Seen {
  readonly firstUs: number;
  readonly lastUs: number;
  readonly count: number;
}

/** The four stamps of A-R7 of a state; `absentUs` in the order of time. */
export function presenceOf(stateId: string, seen: Seen | undefined, absentUs: readonly number[]): Presence {
  return {
    stateId,
    firstSeenUs: seen?.firstUs ?? null,
    lastSeenUs: seen?.lastUs ?? null,
    lastAbsentBeforeUs: (seen && absentUs.findLast((t) => t < seen.firstUs)) ?? null,
    firstAbsentAfterUs: (seen && absentUs.find((t) => t > seen.lastUs)) ?? null,
    seenCount: seen?.count ?? 0,
  };
}
