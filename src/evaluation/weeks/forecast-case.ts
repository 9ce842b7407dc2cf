import type { HabitInput, LastSeen } from "../../reasoning/habits/index.ts";

/** One moment at which it is asked where the thing is. */
export interface Ask {
  readonly timeUs: number;
  /** Where it really was. */
  readonly truth: string;
  /** The last look before that moment, among the days asked about. */
  readonly last?: LastSeen;
}

/** One thing of one household: what was known of it by the end of the days learnt from, and what is asked of later ones. */
export interface ForecastCase {
  readonly household: string;
  readonly name: string;
  readonly group: "thing" | "person" | "state";
  readonly input: HabitInput;
  readonly asks: readonly Ask[];
}

export interface Cases {
  readonly cases: readonly ForecastCase[];
  /** Things that were never seen in the days learnt from: nobody can know anything of them. */
  readonly unseen: number;
}

export const LEARN_DAYS = 5;
export const ASK_DAYS = 2;
