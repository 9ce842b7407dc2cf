/** Minutes of one slot of the day. */
export const SLOT_MIN = 15;
export const SLOTS = (24 * 60) / SLOT_MIN;

/**
 * The fitted parameters, by `node bench/fit-habits.ts` on development weeks and held-out training days, separate from
 * the days and seeds of reported figures. Fits prefer an even lower weight of the prior.
 */
export interface HabitParameters {
  /** How far an observation counts for the time around it: the scale of exp(−|Δ|/scale). */
  readonly kernelMin: number;
  /** The half-life of a day's weight in days. Not fitted: a week cannot tell. */
  readonly halfLifeDays: number;
  /** The weight of the kind's prior against the observations, in days; unknown kinds are "elsewhere". */
  readonly priorDays: number;
  /** The weight of the whole day against one hour, in days. */
  readonly overallDays: number;
  /** The weight of all days against working days or weekends alone, in days. */
  readonly hourDays: number;
  /** The weight of the habit against days with the same place at the same hour, in days. */
  readonly pairDays: number;
  /** The weight of the usual rate against that of hours of the day and places, in hours of staying. */
  readonly leavingHours: number;
  /** The weight of the usual rate against the moves from one place, in moves. */
  readonly leavingMoves: number;
  /** The prior sharpness for held-out days, and its weight in observations. */
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

/** The limits of a model: older days and rarer places are left out. */
export const MOST_DAYS = 120;
export const MOST_PLACES = 48;
