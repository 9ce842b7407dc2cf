import { settings } from "../../schema/settings.ts";

/** The settings of `observe`: value, unit, minimum, maximum, source. */
export const OBSERVE = settings("observe", {
  /** Two sightings this far apart confirm a thing well visible in both (docs/formulas.md#same-thing). */
  confirmSoonUs: [400_000, "µs", 200_000, 800_000, "experiment"],
  /** The probability that one observation misreads a state from a metre; it grows in proportion to the distance. */
  misreadP: [0.04, "probability", 0.02, 0.1, "experiment"],
  maxTentatives: [4_096, "count", 1_024, 16_384, "limit"],
  maxSurfacePoints: [7, "count", 3.5, 14, "limit"],
  /** The number of directions from which a thing is seen, and of the best views kept of each. */
  bearings: [8, "count", 4, 16, "limit"],
  viewsPerBearing: [3, "count", 1.5, 6, "limit"],
  /** The most viewing directions kept of a thing. */
  maxViewpoints: [8, "count", 4, 16, "limit"],
  /** The most past positions kept of a mover. */
  maxTrail: [512, "count", 256, 1020, "limit"],
  maxPhrases: [6, "count", 3, 12, "limit"],
  /** More values than this for one attribute are noise: the weakest is dropped. */
  maxValues: [12, "count", 6, 24, "limit"],
  /** The number of observations after which one from before the last is not used any more. */
  maxHistory: [16, "count", 8, 32, "limit"],
  maxFluents: [32, "count", 16, 64, "limit"],
});
