/** Minutes of one slot of the day. */
export const SLOT_MIN = 15;
export const SLOTS = (24 * 60) / SLOT_MIN;

/**
 * All that was fitted, by `node bench/fit-habits.ts` on development weeks and held-out training days; nothing of
 * the days and seeds that figures are reported on. Fits want the prior to weigh even less than it does here.
 */
export interface HabitParameters {
  /** How far a look speaks for the time around it: the scale of exp(−|Δ|/scale). */
  readonly kernelMin: number;
  /** After so many days a day counts half. Not fitted: a week cannot tell. */
  readonly halfLifeDays: number;
  /** Days that the prior of its kind weighs against all that was seen; unknown kinds are "elsewhere". */
  readonly priorDays: number;
  /** Days that the whole day weighs against one hour. */
  readonly overallDays: number;
  /** Days that all days weigh against working days or weekends alone. */
  readonly hourDays: number;
  /** Days that the habit weighs against days on which it was at the same place at the same hour. */
  readonly pairDays: number;
  /** Hours of staying, at the usual rate, that hours of the day and places are held against. */
  readonly leavingHours: number;
  /** Moves at the usual rate that the moves from one place are held against. */
  readonly leavingMoves: number;
  /** The sharpness that held-out days pull away from, and how many of their looks it weighs. */
  readonly sharpness: number;
  readonly sharpnessLooks: number;
}

export const PARAMETERS: HabitParameters = {
  kernelMin: 45,
  halfLifeDays: 21,
  priorDays: 0.05,
  overallDays: 0.1,
  hourDays: 0.3,
  pairDays: 4,
  leavingHours: 8,
  leavingMoves: 0.15,
  sharpness: 0.7,
  sharpnessLooks: 20,
};

/** No model is larger: older days and rarer places are left out. */
export const MOST_DAYS = 120;
export const MOST_PLACES = 48;
