import type { HabitInput, LastSeen } from "../../reasoning/habits/index.ts";

/** One moment at which the thing's place is asked for. */
export interface Ask {
  readonly timeUs: number;
  /** Where it really was. */
  readonly truth: string;
  /** The last observation before that moment, within the test days. */
  readonly last?: LastSeen;
}

/** One thing of one household: what was known of it by the end of the training days, and the test moments. */
export interface ForecastCase {
  readonly household: string;
  readonly name: string;
  readonly group: "thing" | "person" | "state";
  readonly input: HabitInput;
  readonly asks: readonly Ask[];
}

export interface Cases {
  readonly cases: readonly ForecastCase[];
  /** Things never seen in the training days, about which nothing can be known. */
  readonly unseen: number;
}

export const LEARN_DAYS = 5;
export const ASK_DAYS = 2;
