import { settings } from "./settings.ts";

/** The numbers of `presence`: value, unit, least, most, where it comes from. */
export const PRESENCE = settings("presence", {
  /** Rays against depth (docs/formulas.md#presence): tolerance, margin of the image, range, and the least silhouette. */
  toleranceM: [0.1, "m", 0.05, 0.2, "paper"],
  marginShare: [0.05, "share", 0.02, 0.1, "paper"],
  rangeM: [8, "m", 4, 12, "datasheet"],
  minPx: [60, "px", 30, 120, "paper"],
  /** Share of the tested points that must be seen through, or agree in depth. */
  absentShare: [0.6, "share", 0.4, 0.8, "paper"],
  presentShare: [0.3, "share", 0.15, 0.5, "paper"],
  /** Frames, over so long and from so many sides, that must have seen a place empty. */
  frames: [3, "count", 2, 6, "paper"],
  spanUs: [1_000_000, "µs", 500_000, 2_000_000, "paper"],
  angleRad: [(10 * Math.PI) / 180, "rad", 0.087, 0.35, "paper"],
  framesFromOnePlace: [5, "count", 3, 10, "paper"],
  /** How sure unreported things must be gone where depth cannot tell. */
  missedLogOdds: [7, "log-odds", 3.5, 14, "experiment"],
  /** A tentative thing is dropped when its place was in view for this long without another look at it. */
  tentativeUs: [30_000_000, "µs", 15_000_000, 60_000_000, "paper"],
  /** A tentative thing is given up when looks that should have shown it outweigh those that did by this. */
  doubt: [-2.5, "log-odds", -5, -1.25, "experiment"],
  maxDoubtPerLook: [0.75, "log-odds", 0.375, 1.5, "experiment"],
  /** What stands a hand's breadth before a small thing hides it. */
  doubtToleranceM: [0.04, "m", 0.02, 0.08, "experiment"],
  /** Small things only are missed by a detector for good; a wardrobe that is gone is seen through. */
  smallM: [0.8, "m", 0.4, 1.6, "experiment"],
  maxMissedOdds: [2, "log-odds", 1, 4, "experiment"],
  minMissedPx: [60, "px", 30, 120, "experiment"],
  hardlyShownPx: [100, "px", 50, 200, "experiment"],
  /** What stands before a part of a thing may hide all of it: depth near the box's front agrees with either. */
  maxOccluded: [0.2, "share", 0.1, 0.4, "experiment"],
  /** How well a frame must fit before it may say that a thing of another submap is gone. */
  fitM: [0.15, "m", 0.075, 0.3, "experiment"],
  minTested: [5, "count", 2.5, 10, "experiment"],
  /** From further away a degree of heading or the edge of a door decides what is seen past. */
  farM: [3.5, "m", 1.75, 7, "experiment"],
  minSurface: [3, "count", 1.5, 6, "experiment"],
  allShare: [0.9, "share", 0.45, 1, "experiment"],
  /** Depth must agree as closely as this before a thing that was not reported counts as overlooked. */
  tightM: [0.05, "m", 0.025, 0.1, "experiment"],
  /** How much more of a box must be seen through than when the thing was there: nothing says that a net is gone. */
  clearer: [0.3, "share", 0.15, 0.6, "experiment"],
  unknownTransparency: [0.4, "share", 0.2, 0.8, "experiment"],
  /** What a place that is seen through in part adds to a thing's not being reported there (natural log of odds). */
  partlyThroughOdds: [1, "log-odds", 0.5, 2, "experiment"],
  /** The same for a place where what was under and behind the thing is seen. */
  emptyOdds: [2, "log-odds", 1, 4, "experiment"],
  /** And for one where, besides, the rays to the thing's surface go past it: two of those were wrong once in fifty times. */
  sureOdds: [3, "log-odds", 1.5, 6, "experiment"],
  /** A frame whose things lie this far from where they should proves nothing. */
  misfitM: [0.2, "m", 0.1, 0.4, "experiment"],
  placedWithinM: [4, "m", 2, 8, "experiment"],
  /** Fewer looks than this, a larger thing, or one of slats, and it takes twice the frames to say that it is gone. */
  wellKnownLooks: [4, "count", 2, 8, "experiment"],
  largeM: [0.9, "m", 0.45, 1.8, "experiment"],
  airy: [0.3, "share", 0.15, 0.6, "experiment"],
  /** Reported at least this often before, for not being reported to mean something. */
  reportedLooks: [2, "count", 1, 4, "experiment"],
  /** Two bodies that share this much of their boxes cannot both be there. */
  onePlace: [0.4, "share", 0.2, 0.8, "experiment"],
  /** Gaps in a row of frames count as looking up to this long. */
  lookingUs: [2_000_000, "µs", 1_000_000, 4_000_000, "experiment"],
  justSeenUs: [2_500_000, "µs", 1_250_000, 5_000_000, "experiment"],
  besideShare: [0.05, "share", 0.025, 0.1, "experiment"],
  /** A look of its kind with this share of it, or of the thing, in common may be of a part of it. */
  partOfIt: [0.3, "share", 0.15, 0.6, "experiment"],
  /** A look that shares this much of a thing's box may be of it, under another name. */
  maybeIt: [0.2, "share", 0.1, 0.4, "experiment"],
  /** What lies this close to a thing, over this much of it, may hide it without standing before it. */
  touchesM: [0.05, "m", 0.025, 0.1, "experiment"],
  covers: [0.5, "share", 0.25, 1, "experiment"],
  /** A solid thing that takes up this much of a small one's place leaves no room for it. */
  taken: [0.7, "share", 0.35, 1, "experiment"],
  /** Looks after which another thing is believed to stand where one used to. */
  believedLooks: [3, "count", 1.5, 6, "experiment"],
  /** Lower things than this lie within the noise of what carries them. */
  minHeightM: [0.03, "m", 0.015, 0.06, "experiment"],
  /** A ray that ends within this share of a thing's height above its foot ends on what carries it. */
  footShare: [0.25, "share", 0.125, 0.5, "experiment"],
  /** What ends this far behind a thing's box, by the camera's ray, is not the thing. */
  behindM: [0.04, "m", 0.02, 0.08, "experiment"],
  /** What ends this much before it hides it. */
  beforeM: [0.1, "m", 0.05, 0.2, "experiment"],
  minEmptyTested: [6, "count", 3, 12, "experiment"],
  /** So many looks at a thing must have said how empty its place looks while it is there. */
  minEmptinessLooks: [2, "count", 1, 4, "experiment"],
  /** An empty place shows so much more than that, and hardly anything else; one with something in it hardly more. */
  emptier: [0.5, "share", 0.25, 1, "experiment"],
  emptyShare: [0.8, "share", 0.4, 1, "experiment"],
  fullShare: [0.2, "share", 0.1, 0.4, "experiment"],
  maxVotes: [24, "count", 12, 48, "limit"],
  maxSeen: [8, "count", 4, 16, "limit"],
  /** Looks this far apart are of two visits: what erred in the one, a pose or somebody in the way, did not in the other. */
  visitsUs: [30_000_000, "µs", 15_000_000, 60_000_000, "experiment"],
  /** Something just before a thing can hide it from one side for a while, but hardly from another or on a later visit. */
  missedAngleRad: [0.4, "rad", 0.2, 0.8, "experiment"],
  missedSpanUs: [8_000_000, "µs", 4_000_000, 16_000_000, "experiment"],
  onePlaceRad: [0.1, "rad", 0.05, 0.2, "experiment"],
  againWeight: [0.5, "share", 0.25, 1, "experiment"],
  /** What one look through a thing's place says against its being there. */
  throughOdds: [1.5, "log-odds", 0.75, 3, "experiment"],
  /** Inner points of a box lie this far out from its middle (docs/formulas.md#presence). */
  inner: [0.3, "share", 0.15, 0.6, "paper"],
  /** Most things do not fill the silhouette of their box. */
  fill: [0.6, "share", 0.3, 1, "experiment"],
  maxStretch: [8, "count", 4, 16, "experiment"],
  /** A quarter of an hour of going about; seven megabytes of small depth images. */
  maxViews: [768, "count", 384, 1540, "limit"],
  /** Every second row and column is enough to see whether a place is empty. */
  thinning: [2, "count", 1, 4, "limit"],
  /** A view is kept when it shows something new, or after a while. */
  newViewM: [0.5, "m", 0.25, 1, "experiment"],
  newViewRad: [0.35, "rad", 0.175, 0.7, "experiment"],
  newViewUs: [20_000_000, "µs", 10_000_000, 40_000_000, "experiment"],
  /** Looks this shortly before the first are of the same moment. */
  beforeUs: [3_000_000, "µs", 1_500_000, 6_000_000, "experiment"],
  /** Odds at which a place was empty before, from this many looks at least. */
  wasEmptyOdds: [5, "log-odds", 2.5, 10, "experiment"],
  wasEmptyLooks: [3, "count", 1.5, 6, "experiment"],
  maxOddsPerView: [1.2, "count", 0.6, 2.4, "experiment"],
  minPastPx: [60, "px", 30, 120, "experiment"],
});
