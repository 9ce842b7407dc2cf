import { settings } from "../../schema/settings.ts";

/** The settings of `moves`: value, unit, minimum, maximum, source. */
export const MOVES = settings("moves", {
  /** The logistic of docs/formulas.md#moved: acceptance thresholds, time span and weights. */
  acceptP: [0.7, "probability", 0.5, 0.9, "paper"],
  maybeP: [0.4, "probability", 0.2, 0.6, "paper"],
  meaning: [0.5, "log-odds", 0.25, 1, "paper"],
  attributes: [2, "log-odds", 1, 4, "paper"],
  unique: [2.5, "log-odds", 1.25, 5, "paper"],
  time: [0.3, "log-odds", 0.15, 0.6, "paper"],
  perMetre: [0.02, "log-odds a metre", 0.01, 0.04, "paper"],
  offset: [-3.5, "log-odds", -7, -1.75, "paper"],
  /** A stay that ended and one that began later in the same place are one, if no more than this apart. */
  reopenUs: [600_000_000, "µs", 300_000_000, 1_200_000_000, "experiment"],
  /** A thing in a place seen before without it has arrived there; otherwise the place may merely be newly explored. */
  newcomerBonus: [1, "log-odds", 0.5, 2, "experiment"],
  discoveredPenalty: [1.2, "log-odds", 0.6, 2.4, "experiment"],
  /** The most ended stays, and begun stays, that are compared with each other. */
  maxCandidates: [512, "count", 256, 1020, "limit"],
  /** With more possible links among like things than this, the moves are ambiguous and none is linked. */
  maxRelated: [64, "count", 32, 128, "limit"],
  /**
   * Natural log of the odds that a new thing is the only known like one, moved: where its new place had been seen
   * without it, and where that is unknown. Counted in 36 simulated recordings: 20 to 0 without pictures seen from
   * behind their wall, and 13 to 73; of the latter all four whose old place supported it were moved.
   */
  cameOdds: [2.3, "log-odds", 1.15, 4.6, "experiment"],
  foundOdds: [-1.6, "log-odds", -3.2, -0.8, "experiment"],
  /** A step tests only recent stays; the end of a recording tests up to this many. */
  maxFresh: [512, "count", 256, 1020, "limit"],
});
