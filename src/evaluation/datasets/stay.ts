import { SOME_TIME_US } from "./dataset.ts";

/** One thing at one place for a while: from a move until the next one or the end of the day. */
export interface Stay {
  readonly stateId: string;
  readonly trackId: string;
  readonly thing: string;
  readonly place: string;
  /** "in the bathroom cabinet", "on the sofa" */
  readonly where: string;
  readonly day: number;
  readonly fromUs: number;
  readonly toUs: number;
}

const DAY_US = 86_400_000_000;

/** Midnight of a day. */
export function midnightUs(day: number): number {
  return SOME_TIME_US + day * DAY_US;
}
