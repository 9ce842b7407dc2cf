import { settings } from "../../schema/settings.ts";

/** What is on, in, beside and between things. */
export const RELATING = settings("belief.relations", {
  /** A person who mentions a thing stood about this near to it. */
  nearbyM: [2, "m", 1, 4, "experiment"],
  /** Surfaces this far apart still touch, for boxes that were measured. */
  touchM: [0.2, "m", 0.1, 0.4, "experiment"],
  /** A thing that begins higher than this above a top hangs over it, like leaflets on a wall over a counter. */
  hoverM: [0.12, "m", 0.06, 0.24, "experiment"],
  besideM: [0.6, "m", 0.3, 1.2, "experiment"],
  nearM: [1.5, "m", 0.75, 3, "experiment"],
  acrossM: [4, "m", 2, 8, "experiment"],
  directionM: [4, "m", 2, 8, "experiment"],
  /** Boxes are over each other if this share of the narrower one lies over the other one. */
  stackedShare: [0.3, "share", 0.15, 0.6, "experiment"],
  /** A thing on one of two others overlaps their heights by no more than this: boxes are known to a few centimetres. */
  levelM: [0.03, "m", 0.015, 0.06, "experiment"],
  /** The confidence that a thing is between two others one above the other, whose heights its own lies between. */
  amid: [0.9, "share", 0.75, 0.95, "experiment"],
  /** Goods in the bay of a dock are at that dock, though nearer things fit better. */
  staged: [0.4, "share", 0.2, 0.8, "experiment"],
  /** "On top of" a carton in a slot means the contents of the slot above, where nothing stands on the carton. */
  inSlotAbove: [0.6, "share", 0.3, 0.8, "experiment"],
  /**
   * Of things below each other the next is meant: likelihood falls by a factor of e for each such distance between them.
   */
  underM: [0.4, "m", 0.2, 0.8, "experiment"],
  /** Things that stand on a top begin at most so far above it. */
  onTopM: [0.3, "m", 0.15, 0.6, "experiment"],
  /** The most levels of support that are followed: a saucer on a tray on a table. */
  mostLevels: [3, "count", 1, 6, "limit"],
  /** A measured thing may seem to hover this far above its support. */
  hoversM: [0.35, "m", 0.175, 0.7, "experiment"],
  /** Boxes up to this far apart may still touch: twice the placing error at the 90th percentile (docs/scores.md). */
  heldTouchM: [0.25, "m", 0.125, 0.5, "experiment"],
});
