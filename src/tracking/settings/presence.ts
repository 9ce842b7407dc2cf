import { settings } from "../../schema/settings.ts";

/** The numbers of `presence`: value, unit, least, most, where it comes from. */
export const PRESENCE = settings("presence", {
  /** Rays are held against depth up to here (docs/formulas.md#presence). */
  rangeM: [8, "m", 4, 12, "datasheet"],
  /** Frames, over so long and from so many sides, that must have seen a place empty. */
  framesFromOnePlace: [5, "count", 3, 10, "paper"],
  /** A tentative thing is given up when looks that should have shown it outweigh those that did by this. */
  doubt: [-2.5, "log-odds", -5, -1.25, "experiment"],
  maxVotes: [24, "count", 12, 48, "limit"],
  /** Off the middle of the image a flat sensor shows things larger, at most by this. */
  maxStretch: [8, "count", 4, 16, "experiment"],
  /** A quarter of an hour of going about; seven megabytes of small depth images. */
  maxViews: [768, "count", 384, 1540, "limit"],
  /** Every second row and column is enough to see whether a place is empty. */
  thinning: [2, "count", 1, 4, "limit"],
  /** A view is kept when it shows something new, or after a while. */
  newViewM: [0.5, "m", 0.25, 1, "experiment"],
});
