import { settings } from "../../schema/settings.ts";

/** The numbers of `associate`: value, unit, least, most, where it comes from. */
export const ASSOCIATE = settings("associate", {
  /** Eq. 5's ε_c (docs/formulas.md#same-thing): radiusPerDiagonal·(sum of diagonals) + 2σ, between least and most. */
  radiusPerDiagonal: [0.25, "share", 0.1, 0.5, "paper"],
  /** R⁴'s own ε_c: this and nothing else. */
  paperRadiusM: [0.5, "m", 0.25, 1, "paper"],
  /** Eq. 5's δ_s, above the embedder's background (docs/formulas.md#same-thing); twice as far above it two names are of one kind. */
  minZ: [2, "sd", 1, 4, "paper"],
  /** docs/formulas.md#same-thing: at or above it the same thing, at or below `rejectScore` another, between them the adjudicator. */
  acceptScore: [0.75, "share", 0.6, 0.9, "paper"],
  rejectScore: [0.45, "share", 0.3, 0.6, "paper"],
  /** Weights of meaning and place in the score; what is left is that of looks. */
  meaningWeight: [0.5, "share", 0, 1, "paper"],
  placeWeight: [0.3, "share", 0, 1, "paper"],
  /** How much closer in meaning two names must be for twice the odds that they are of one kind, about. */
  meaningSd: [0.7, "sd", 0.35, 1.4, "paper"],
  /** How much looks count beside how far a mover would have walked, and how fast it walks. */
  moverLooksWeight: [0.3, "share", 0.15, 0.6, "experiment"],
  moverSpeedMps: [1.5, "m/s", 1, 3, "experiment"],
  /** How far a frame may have drifted where hardly any thing lies as it is. */
  jumpM: [1.2, "m", 0.6, 2.4, "experiment"],
  /** What is said decides between two in one place. */
  saidWeight: [0.03, "share", 0.005, 0.06, "experiment"],
  maxPairs: [96, "count", 48, 192, "limit"],
  /** How far odometry is expected to be off between two corrections of the map. */
  priorShiftM: [0.5, "m", 0.25, 1, "experiment"],
  priorTurnRad: [0.03, "rad", 0.015, 0.06, "experiment"],
  /** Residuals beyond this say that a pair is wrong; the search narrows down to it. */
  iterations: [8, "count", 4, 16, "limit"],
  /** Other answers that a misreading, or another thing, may give. */
  others: [4, "count", 2, 8, "experiment"],
  /** Of each thing's pairs with things of another kind, so many are counted in a frame. */
  maxOthers: [3, "count", 1.5, 6, "limit"],
});
