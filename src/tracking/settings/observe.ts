import { settings } from "../../schema/settings.ts";

/** The numbers of `observe`: value, unit, least, most, where it comes from. */
export const OBSERVE = settings("observe", {
  /** Two looks so long apart prove what showed well in both (docs/formulas.md#same-thing). */
  confirmSoonUs: [400_000, "µs", 200_000, 800_000, "experiment"],
  /** How likely one look misreads a state from a metre; so many times as likely from as many metres. */
  misreadP: [0.04, "probability", 0.02, 0.1, "experiment"],
  maxTentatives: [4_096, "count", 1_024, 16_384, "limit"],
  maxSurfacePoints: [7, "count", 3.5, 14, "limit"],
  /** Directions from which a thing is seen, and how many of the best views are kept of each. */
  bearings: [8, "count", 4, 16, "limit"],
  viewsPerBearing: [3, "count", 1.5, 6, "limit"],
  /** Directions from which a thing was seen that are kept. */
  maxViewpoints: [8, "count", 4, 16, "limit"],
  /** Places where a mover was that are kept. */
  maxTrail: [512, "count", 256, 1020, "limit"],
  maxPhrases: [6, "count", 3, 12, "limit"],
  /** More values than this about one thing are noise: the weakest is forgotten. */
  maxValues: [12, "count", 6, 24, "limit"],
  /** Looks after which one from before the last is not asked any more. */
  maxHistory: [16, "count", 8, 32, "limit"],
  maxFluents: [32, "count", 16, 64, "limit"],
});
