import { dot, gapBetween, inflate, intersectionVolume, iou, volumeOf } from "../geometry/index.ts";
import { isFluent } from "./fluents.ts";
import { thickened } from "./shape.ts";
import type { Thing } from "./thing.ts";

/** How two things lie to each other, from "cannot be two bodies" to "nothing to do with each other". */
export type Nearness = "one-body" | "within" | "same-place" | "overlapping" | "close" | "apart";

/** Boxes with less between them touch. */
const TOUCHING_M = 0.15;
/** A piece goes on where a thing ends if no more is missing between them than this share of the thing, or this. */
const MISSING_SHARE = 0.3;
export const FARTHEST_M = 1.2;
/** How far beside a thing a piece of it may reach. */
const BESIDE_M = 0.12;
const BESIDE_SHARE = 0.25;
const LEAST_LARGE_M = 1.2;
/** Cosine between two directions that count as the same side. */
const SAME_SIDE = 0.3;
/** Share of its looks in which a mask of one thing may be split in two. */
const SPLIT_SHARE = 0.06;
/** Share of two boxes, or of the smaller, from which they overlap. */
const SHARED = 0.4;
const GROWN_M = 0.03;
const WITHIN = 0.6;
/** Log-odds of "one thing" at which two records are merged, by how they lie: one body hardly needs any. */
const NEEDED: Readonly<Record<Nearness, number>> = {
  "one-body": 0.3,
  within: 0.5,
  "same-place": 3,
  overlapping: 3,
  close: 14,
  apart: Infinity,
};

/** How the boxes of two things lie; things that no detector would confuse are near only in the very same place. */
export function nearness(a: Thing, b: Thing, areLike: boolean): Nearness {
  const [boxA, boxB] = [thickened(a.worldBox), thickened(b.worldBox)];
  const [tightA, tightB] = [inflate(a.worldBox, GROWN_M), inflate(b.worldBox, GROWN_M)];
  if (areLike && iou(tightA, tightB) >= SHARED) return "one-body";
  const shared = intersectionVolume(tightA, tightB) / Math.min(volumeOf(tightA), volumeOf(tightB));
  if (areLike && shared >= WITHIN) return "within";
  if (iou(boxA, boxB) >= SHARED) return "same-place";
  if (!areLike) return "apart";
  if (intersectionVolume(boxA, boxB) >= SHARED * Math.min(volumeOf(boxA), volumeOf(boxB)))
    return "overlapping";
  return gapBetween(a.worldBox, b.worldBox) <= TOUCHING_M ? "close" : "apart";
}

/**
 * Whether one of two of a kind goes on where the other ends: a rug on both sides of the bed on it, a car from either
 * end, the foot of a lamp below its shade. "within" where they even share a place. Things of one kind that stand in line
 * look like this as well, but they are seen side by side, and pieces of one never are.
 */
export function goesOn(a: Thing, b: Thing): "within" | "beyond" | undefined {
  if (Math.max(a.diagonalM, b.diagonalM) < LEAST_LARGE_M || a.words.category !== b.words.category)
    return undefined;
  if (a.regionId !== undefined && b.regionId !== undefined && a.regionId !== b.regionId) return undefined;
  const [large, piece] = a.diagonalM >= b.diagonalM ? [a.worldBox, b.worldBox] : [b.worldBox, a.worldBox];
  let beyond = 0;
  for (const axis of ["x", "y", "z"] as const) {
    const [from, to, start, end] = [large.min[axis], large.max[axis], piece.min[axis], piece.max[axis]];
    const wholeM = Math.max(to, end) - Math.min(from, start);
    const gapM = Math.max(start - to, from - end);
    if (gapM > Math.max(TOUCHING_M, Math.min(FARTHEST_M, MISSING_SHARE * wholeM))) return undefined;
    const besideM = Math.max(BESIDE_M, BESIDE_SHARE * wholeM);
    if (gapM > 0 || start < from - besideM || end > to + besideM) beyond++;
  }
  return beyond === 0 ? "within" : beyond === 1 ? "beyond" : undefined;
}

/** Whether two that go on where the other ends were seen side by side no more often than split masks explain. */
export function arePieces(a: Thing, b: Thing): boolean {
  const how = goesOn(a, b);
  if (how === undefined) return false;
  const { agree, conflict } = a.words.attributeBalance(b.words, isFluent);
  if (agree === 0 || conflict > 0) return false;
  const together = a.rivals.timesWith(b) + b.rivals.timesWith(a);
  return together <= (how === "within" ? 1 : 0) + SPLIT_SHARE * Math.min(a.detections, b.detections);
}

/** Whether two things were ever seen from about the same side: things back to back on a wall never are. */
export function sharesSide(a: Thing, b: Thing): boolean {
  return a.viewpoints.some((one) => b.viewpoints.some((other) => dot(one, other) > SAME_SIDE));
}

/** Whether the odds kept by both say that the two are one thing. */
export function areOne(a: Thing, b: Thing, near: Nearness): boolean {
  return !areTwins(a, b) && a.rivals.oddsWith(b) + b.rivals.oddsWith(a) >= NEEDED[near];
}

/** Whether they were seen side by side too often to be one. */
export function areTwins(a: Thing, b: Thing): boolean {
  return a.rivals.areTwins(b) || b.rivals.areTwins(a);
}
