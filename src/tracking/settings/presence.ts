import { settings } from "../../schema/settings.ts";

/** The numbers of `presence`: value, unit, least, most, where it comes from. */
export const PRESENCE = settings("presence", {
  /** Rays against depth (docs/formulas.md#presence): tolerance, margin of the image, range, and the least silhouette. */
  marginShare: [0.05, "share", 0.02, 0.1, "paper"],
  rangeM: [8, "m", 4, 12, "datasheet"],
  /** Frames, over so long and from so many sides, that must have seen a place empty. */
  framesFromOnePlace: [5, "count", 3, 10, "paper"],
  /** How sure unreported things must be gone where depth cannot tell. */
  missedLogOdds: [7, "log-odds", 3.5, 14, "experiment"],
  /** A tentative thing is given up when looks that should have shown it outweigh those that did by this. */
  doubt: [-2.5, "log-odds", -5, -1.25, "experiment"],
  /** Small things only are missed by a detector for good; a wardrobe that is gone is seen through. */
  hardlyShownPx: [100, "px", 50, 200, "experiment"],
  /** How well a frame must fit before it may say that a thing of another submap is gone. */
  fitM: [0.15, "m", 0.075, 0.3, "experiment"],
  /** From further away a degree of heading or the edge of a door decides what is seen past. */
  farM: [3.5, "m", 1.75, 7, "experiment"],
  /** How much more of a box must be seen through than when the thing was there: nothing says that a net is gone. */
  unknownTransparency: [0.4, "share", 0.2, 0.8, "experiment"],
  /** What a place that is seen through in part adds to a thing's not being reported there (natural log of odds). */
  /** The same for a place where what was under and behind the thing is seen. */
  /** And for one where, besides, the rays to the thing's surface go past it: two of those were wrong once in fifty times. */
  /** A frame whose things lie this far from where they should proves nothing. */
  misfitM: [0.2, "m", 0.1, 0.4, "experiment"],
  placedWithinM: [4, "m", 2, 8, "experiment"],
  /** Fewer looks than this, a larger thing, or one of slats, and it takes twice the frames to say that it is gone. */
  largeM: [0.9, "m", 0.45, 1.8, "experiment"],
  /** Gaps in a row of frames count as looking up to this long. */
  /** What lies this close to a thing, over this much of it, may hide it without standing before it. */
  /** Lower things than this lie within the noise of what carries them. */
  minHeightM: [0.03, "m", 0.015, 0.06, "experiment"],
  /** A ray that ends within this share of a thing's height above its foot ends on what carries it. */
  footShare: [0.25, "share", 0.125, 0.5, "experiment"],
  /** What ends this much before it hides it. */
  minEmptyTested: [6, "count", 3, 12, "experiment"],
  /** An empty place shows so much more than that, and hardly anything else; one with something in it hardly more. */
  emptyShare: [0.8, "share", 0.4, 1, "experiment"],
  maxVotes: [24, "count", 12, 48, "limit"],
  maxSeen: [8, "count", 4, 16, "limit"],
  /** Something just before a thing can hide it from one side for a while, but hardly from another or on a later visit. */
  missedAngleRad: [0.4, "rad", 0.2, 0.8, "experiment"],
  missedSpanUs: [8_000_000, "µs", 4_000_000, 16_000_000, "experiment"],
  onePlaceRad: [0.1, "rad", 0.05, 0.2, "experiment"],
  /** What one look through a thing's place says against its being there. */
  /** Inner points of a box lie this far out from its middle (docs/formulas.md#presence). */
  /** Most things do not fill the silhouette of their box. */
  fill: [0.6, "share", 0.3, 1, "experiment"],
  maxStretch: [8, "count", 4, 16, "experiment"],
  /** A quarter of an hour of going about; seven megabytes of small depth images. */
  maxViews: [768, "count", 384, 1540, "limit"],
  /** Every second row and column is enough to see whether a place is empty. */
  thinning: [2, "count", 1, 4, "limit"],
  /** A view is kept when it shows something new, or after a while. */
  newViewM: [0.5, "m", 0.25, 1, "experiment"],
  newViewUs: [20_000_000, "µs", 10_000_000, 40_000_000, "experiment"],
  /** Odds at which a place was empty before, from this many looks at least. */
  wasEmptyOdds: [5, "log-odds", 2.5, 10, "experiment"],
  maxOddsPerView: [1.2, "count", 0.6, 2.4, "experiment"],
});
