import { gapBetween, inflate, intersectionVolume, iou, volumeOf } from "../geometry/index.ts";
import { thickened } from "./shape.ts";
import type { Thing } from "./thing.ts";

/** How two things lie to each other, from "cannot be two bodies" to "nothing to do with each other". */
export type Nearness = "one-body" | "within" | "same-place" | "overlapping" | "one-mask" | "close" | "apart";

/** Boxes with less between them touch. */
export const TOUCHING_M = 0.15;
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
  "one-mask": 2,
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

/** Whether the odds kept by both say that the two are one thing. */
export function areOne(a: Thing, b: Thing, near: Nearness): boolean {
  return !areTwins(a, b) && a.rivals.oddsWith(b) + b.rivals.oddsWith(a) >= NEEDED[near];
}

/** Whether they were seen side by side too often to be one. */
export function areTwins(a: Thing, b: Thing): boolean {
  return a.rivals.areTwins(b) || b.rivals.areTwins(a);
}
