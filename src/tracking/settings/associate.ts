import { settings } from "../../schema/settings.ts";

/** The settings of `associate`: value, unit, minimum, maximum, source. */
export const ASSOCIATE = settings("associate", {
  /** Eq. 5's ε_c (docs/formulas.md#same-thing): radiusPerDiagonal·(sum of diagonals) + 2σ, between least and most. */
  radiusPerDiagonal: [0.25, "share", 0.1, 0.5, "paper"],
  /** R⁴'s own ε_c, without further terms. */
  paperRadiusM: [0.5, "m", 0.25, 1, "paper"],
  /**
   * Eq. 5's δ_s, above the embedder's background (docs/formulas.md#same-thing); two names of one kind are twice as far
   * above it.
   */
  minZ: [2, "sd", 1, 4, "paper"],
  /**
   * docs/formulas.md#same-thing: at or above it the same thing, at or below `rejectScore` another, between them the
   * adjudicator.
   */
  acceptScore: [0.75, "share", 0.6, 0.9, "paper"],
  rejectScore: [0.45, "share", 0.3, 0.6, "paper"],
  /** Weights of meaning and place in the score; the rest is the weight of appearance. */
  meaningWeight: [0.5, "share", 0, 1, "paper"],
  placeWeight: [0.3, "share", 0, 1, "paper"],
  /** How much closer in meaning two names must be for about twice the odds that they are of one kind. */
  meaningSd: [0.7, "sd", 0.35, 1.4, "paper"],
  /** The weight of appearance against the distance a mover would have walked, and its walking speed. */
  moverLooksWeight: [0.3, "share", 0.15, 0.6, "experiment"],
  moverSpeedMps: [1.5, "m/s", 1, 3, "experiment"],
  /** The largest drift of a frame in which hardly any thing fits as it is. */
  jumpM: [1.2, "m", 0.6, 2.4, "experiment"],
  /** The weight of attributes, to decide between two things in one place. */
  saidWeight: [0.03, "share", 0.005, 0.06, "experiment"],
  maxPairs: [96, "count", 48, 192, "limit"],
  /** The expected odometry error between two corrections of the map. */
  priorShiftM: [0.5, "m", 0.25, 1, "experiment"],
  priorTurnRad: [0.03, "rad", 0.015, 0.06, "experiment"],
  /** A pair with a larger residual is wrong; the search narrows down to this value. */
  iterations: [8, "count", 4, 16, "limit"],
  /** The number of other answers that a misreading, or another thing, may give. */
  others: [4, "count", 2, 8, "experiment"],
  /** The most pairs with things of another kind that are counted for a thing in a frame. */
  maxOthers: [3, "count", 1.5, 6, "limit"],
});
