import { settings } from "../../schema/settings.ts";

/** The settings of `records`: value, unit, minimum, maximum, source. */
export const RECORDS = settings("records", {
  /**
   * docs/formulas.md#own-doings: slower than this for this long is a stop; this much of a turn in this time is a turn.
   */
  stopSpeedMps: [0.05, "m/s", 0.025, 0.1, "paper"],
  turnRad: [Math.PI / 3, "rad", 0.524, 2.09, "experiment"],
  /** A smaller rotation between two frames is no turning. */
  stillRad: [0.02, "rad", 0.01, 0.04, "experiment"],
  /** Nothing is concluded about the time between frames farther apart than this. */
  gapUs: [5_000_000, "µs", 2_500_000, 10_000_000, "experiment"],
  /** The most observations that a thing from the memory is credited with. */
  maxLooksRead: [20, "count", 10, 40, "limit"],
  maxAliases: [8, "count", 4, 16, "limit"],
  maxMaybes: [32, "count", 16, 64, "limit"],
  /** The most steps followed in a chain of merged records. */
  maxHops: [64, "count", 32, 128, "limit"],
  maxNear: [64, "count", 32, 128, "limit"],
  /** The most ended stays of the last day that may appear elsewhere. */
  maxEndedRead: [1_000, "count", 500, 2000, "limit"],
  perRead: [1_000, "count", 500, 2000, "limit"],
  embedAtOnce: [1_000, "count", 500, 2000, "limit"],
  maxLines: [6, "count", 3, 12, "limit"],
  /** The most observations kept while a thing is tentative or contested: the first ones and the last. */
  maxPending: [16, "count", 8, 32, "limit"],
  /** The most ended stays that may still be linked to a move; the oldest is dropped first. */
  maxEnded: [4_096, "count", 2050, 8190, "limit"],
  cellM: [1, "m", 0.5, 2, "limit"],
  /** A box over more cells than this goes into the list of large ones, which every query scans. */
  maxCells: [64, "count", 32, 128, "limit"],
  maxQueryCells: [4_096, "count", 2050, 8190, "limit"],
});
