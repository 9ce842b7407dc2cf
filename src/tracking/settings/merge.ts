import { settings } from "./settings.ts";

/** The numbers of `merge`: value, unit, least, most, where it comes from. */
export const MERGE = settings("merge", {
  /** Depth must agree more closely than for presence: a picture on the other side of a wall is another picture. */
  toleranceM: [0.04, "m", 0.02, 0.08, "experiment"],
  /** Two looks at less than this share of their things' boxes are halves. */
  piece: [0.7, "share", 0.35, 1, "experiment"],
  /** From this size on, boxes are known well enough that two in one place, or touching ones never seen together, are one. */
  largeM: [0.8, "m", 0.4, 1.6, "experiment"],
  largeMinOdds: [-4, "log-odds", -8, -2, "experiment"],
  smallMinOdds: [-2.5, "log-odds", -5, -1.25, "experiment"],
  /** One frame that shows both of two, one within the other, is a split mask. */
  onceTogether: [-1.3, "log-odds", -2.6, -0.65, "experiment"],
  /** Being seen together this often speaks against two things in one place being one. */
  minOdds: [-0.5, "log-odds", -1, -0.25, "experiment"],
  /** A door is believed to have swung after so many looks, when so much of its old place is seen through. */
  swungLooks: [3, "count", 1.5, 6, "experiment"],
  swungShare: [0.6, "share", 0.3, 1, "experiment"],
  /** Pieces of one person lie closer together than this. */
  besideOneselfM: [1, "m", 0.5, 2, "experiment"],
  misnamedSize: [0.5, "share", 0.25, 1, "experiment"],
  smallReachM: [0.3, "m", 0.15, 0.6, "experiment"],
  /** Pieces of one thing lie no farther apart than this. */
  farthestM: [1.4, "m", 0.7, 2.8, "experiment"],
  /** One frame that shows two side by side is outweighed by so many that speak for one, or two looks over both. */
  onceBeside: [8, "count", 4, 16, "experiment"],
  /** Two that touch and are reported both so often, and in this share of the frames, are two. */
  oftenTouching: [3, "count", 1.5, 6, "experiment"],
  /** The same of small things: their masks are seldom split. */
  twiceTouching: [2, "count", 1, 4, "experiment"],
  touchingShare: [0.3, "share", 0.15, 0.6, "experiment"],
  /** Masks of a large thing are split in no more of its looks than this. */
  splitShare: [0.08, "share", 0.04, 0.16, "experiment"],
  sharesPlace: [0.05, "share", 0.025, 0.1, "experiment"],
  minForOne: [2, "count", 1, 4, "experiment"],
  /** No thicker than this across, a thing hangs on a wall or stands before it. */
  flatM: [0.3, "m", 0.15, 0.6, "experiment"],
  wideM: [0.3, "m", 0.15, 0.6, "experiment"],
  minFaceM: [0.8, "m", 0.4, 1.6, "experiment"],
  /** Of things this large a look seldom shows all. */
  minLargeM: [1.2, "m", 0.6, 2.4, "experiment"],
  sliverSize: [0.6, "share", 0.3, 1, "experiment"],
  sliverGapM: [0.35, "m", 0.175, 0.7, "experiment"],
  /** Looks of a thing seen often are worth so many of one seen now and then. */
  oftenTimes: [4, "count", 2, 8, "experiment"],
  /** Nothing lower than this has a foot and a head that are seen apart. */
  minTallM: [1, "m", 0.5, 2, "experiment"],
  footM: [0.15, "m", 0.075, 0.3, "experiment"],
  /** What is no thicker than this is no cupboard; and how closely the ends and the faces of its halves agree. */
  clothM: [0.2, "m", 0.1, 0.4, "experiment"],
  levelM: [0.1, "m", 0.05, 0.2, "experiment"],
  minHangingM: [0.5, "m", 0.25, 1, "experiment"],
  /** Cosine, on average, from which a thing was seen from one side: from along a wall both are hardly told apart. */
  oneSide: [0.2, "share", 0.1, 0.4, "experiment"],
  /** Boxes with less between them touch. */
  touchingM: [0.15, "m", 0.075, 0.3, "experiment"],
  /** Cosine between two directions that count as the same side. */
  sameSide: [0.3, "share", 0.15, 0.6, "experiment"],
  /** Share of two boxes, or of the smaller, from which they overlap. */
  sharedShare: [0.4, "share", 0.2, 0.8, "experiment"],
  grownM: [0.03, "m", 0.015, 0.06, "experiment"],
  within: [0.6, "share", 0.3, 1, "experiment"],
  /** Masks of one thing that was split end this close to each other, in parts of the image's width and in metres. */
  betweenShare: [0.032, "share", 0.016, 0.064, "experiment"],
  betweenM: [0.25, "m", 0.125, 0.5, "experiment"],
  maxRivals: [24, "count", 12, 48, "limit"],
  /** One look says no more than this. */
  maxOddsPerLook: [1.5, "count", 0.75, 3, "experiment"],
  together: [1.2, "log-odds", 0.6, 2.4, "experiment"],
  /** Seen together this often, and in this share of the looks, two are two. */
  twins: [3, "count", 1.5, 6, "experiment"],
  twinsShare: [0.15, "share", 0.075, 0.3, "experiment"],
  twinsBeside: [2, "count", 1, 4, "experiment"],
});
