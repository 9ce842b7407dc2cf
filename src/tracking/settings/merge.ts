import { settings } from "../../schema/settings.ts";

/** The numbers of `merge`: value, unit, least, most, where it comes from. */
export const MERGE = settings("merge", {
  /** One frame that shows two side by side is outweighed by so many that speak for one, or two looks over both. */
  onceBeside: [8, "count", 4, 16, "experiment"],
  /** Masks of a large thing are split in no more of its looks than this. */
  splitShare: [0.08, "share", 0.04, 0.16, "experiment"],
  /** What shares this much of the smaller box shares a place. */
  /** Of things this large a look seldom shows all. */
  minLargeM: [1.2, "m", 0.8, 2, "experiment"],
  /** A corner or a leg is seen this close to the large thing that it belongs to, and this much more rarely. */
  sliverGapM: [0.35, "m", 0.2, 0.7, "experiment"],
  oftenTimes: [4, "count", 2, 8, "experiment"],
  /** Natural log of odds from which two records are merged at once, while more will be seen of both; and at last. */
  nowOdds: [3, "log-odds", 0, 5, "experiment"],
  lastOdds: [0.5, "log-odds", -1, 3, "experiment"],
  /** Pieces of one person lie closer together than this. */
  /** Pieces of one thing lie no farther apart than this. */
  farthestM: [1.4, "m", 0.7, 2.8, "experiment"],
  /** No thicker than this across, a thing hangs on a wall or stands before it. */
  /** Nothing lower than this has a foot and a head that are seen apart. */
  /** What is no thicker than this is no cupboard; and how closely the ends and the faces of its halves agree. */
  clothM: [0.2, "m", 0.1, 0.4, "experiment"],
  /** Cosine, on average, from which a thing was seen from one side: from along a wall both are hardly told apart. */
  oneSide: [0.2, "share", 0.1, 0.4, "experiment"],
  /** Cosine between two directions that count as the same side. */
  /** Share of two boxes, or of the smaller, from which they overlap. */
  grownM: [0.03, "m", 0.015, 0.06, "experiment"],
  /** Masks of one thing that was split end this close to each other, in parts of the image's width and in metres. */
  betweenShare: [0.032, "share", 0.016, 0.064, "experiment"],
  betweenM: [0.25, "m", 0.125, 0.5, "experiment"],
  maxRivals: [24, "count", 12, 48, "limit"],
  /** One look says no more than this. */
  together: [1.2, "log-odds", 0.6, 2.4, "experiment"],
  /** Seen together this often, and in this share of the looks, two are two. */
  twinsShare: [0.15, "share", 0.075, 0.3, "experiment"],
});
