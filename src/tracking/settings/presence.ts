import { settings } from "../../schema/settings.ts";

/** The settings of `presence`: value, unit, minimum, maximum, source. */
export const PRESENCE = settings("presence", {
  /** The largest depth at which rays are tested (docs/formulas.md#presence). */
  rangeM: [8, "m", 4, 12, "datasheet"],
  /** The frames, their time span and number of sides that must have seen a place empty. */
  framesFromOnePlace: [5, "count", 3, 10, "paper"],
  /** A tentative thing is given up when missed opportunities outweigh its sightings by this. */
  doubt: [-2.5, "log-odds", -5, -1.25, "experiment"],
  maxVotes: [24, "count", 12, 48, "limit"],
  /** Off the middle of the image a flat sensor shows things larger, at most by this factor. */
  maxStretch: [8, "count", 4, 16, "experiment"],
  /** The most views kept: a quarter of an hour of walking; seven megabytes of small depth images. */
  maxViews: [768, "count", 384, 1540, "limit"],
  /** Every second row and column is enough to see whether a place is empty. */
  thinning: [2, "count", 1, 4, "limit"],
  /** A view is kept when the camera has moved this far, or after a while. */
  newViewM: [0.5, "m", 0.25, 1, "experiment"],
});
