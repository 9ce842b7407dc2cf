import type { Box } from "../../geometry/index.ts";
import { dot, gapBetween, inflate, intersectionVolume, iou, volumeOf } from "../../geometry/index.ts";
import { COMMON } from "../settings/common.ts";
import { MERGE } from "../settings/merge.ts";
import type { AlignedFrame } from "./frame.ts";
import { thickened } from "./shape.ts";
import type { Thing } from "./thing.ts";

/** The spatial relation of two things, from one body to unrelated. */
export type Nearness = "one-body" | "within" | "same-place" | "overlapping" | "close" | "apart";

/** Log-odds of "one thing" at which two records are merged, by their relation: one body hardly needs any. */
const NEEDED: Readonly<Record<Nearness, number>> = {
  "one-body": 0.3,
  within: 0.5,
  "same-place": MERGE.nowOdds,
  overlapping: MERGE.nowOdds,
  close: Infinity,
  apart: Infinity,
};

/**
 * The relation of the boxes of two things; things that a detector never confuses are near only in the very same place.
 */
export function nearness(a: Thing, b: Thing, areLike: boolean): Nearness {
  const [boxA, boxB] = [thickened(a.worldBox), thickened(b.worldBox)];
  const [tightA, tightB] = [inflate(a.worldBox, COMMON.slackM), inflate(b.worldBox, COMMON.slackM)];
  if (areLike && iou(tightA, tightB) >= COMMON.bodyShare) return "one-body";
  const shared = intersectionVolume(tightA, tightB) / Math.min(volumeOf(tightA), volumeOf(tightB));
  if (areLike && shared >= COMMON.majorityShare) return "within";
  if (iou(boxA, boxB) >= COMMON.bodyShare) return "same-place";
  if (!areLike) return "apart";
  if (intersectionVolume(boxA, boxB) >= COMMON.bodyShare * Math.min(volumeOf(boxA), volumeOf(boxB)))
    return "overlapping";
  return gapBetween(a.worldBox, b.worldBox) <= COMMON.touchM ? "close" : "apart";
}

/**
 * Whether two detections of one frame have something between them, in the image or in depth; the halves of a mask
 * touch.
 */
export function areBeside({ percept, candidates }: AlignedFrame, one: number, other: number): boolean {
  const [a, b] = [percept.detections[one], percept.detections[other]];
  if (!a || !b) return false;
  const across = Math.max(a.bbox[0] - b.bbox[2], b.bbox[0] - a.bbox[2]);
  const down = Math.max(a.bbox[1] - b.bbox[3], b.bbox[1] - a.bbox[3]);
  if (Math.max(across, down) > MERGE.betweenShare * percept.intrinsics.width) return true;
  const boxes = [one, other].map(
    (index) => candidates.find((candidate) => candidate.index === index)?.solid.box,
  );
  return boxes[0] !== undefined && boxes[1] !== undefined && gapBetween(boxes[0], boxes[1]) > COMMON.flatM;
}

/** Whether a detection covers most of the place of a thing. */
export function isOver(look: Box | undefined, place: Box): boolean {
  if (!look) return false;
  const box = inflate(place, COMMON.slackM);
  return intersectionVolume(inflate(look, COMMON.slackM), box) > 0.5 * volumeOf(box);
}

/** Whether two things were ever seen from about the same side; things back to back on a wall never are. */
export function sharesSide(a: Thing, b: Thing): boolean {
  return a.shape.viewpoints.some((one) =>
    b.shape.viewpoints.some((other) => dot(one, other) > COMMON.alongCosine),
  );
}

/** Whether the odds kept by both say that the two are one thing. */
export function areOne(a: Thing, b: Thing, near: Nearness): boolean {
  return !areTwins(a, b) && a.rivals.oddsWith(b) + b.rivals.oddsWith(a) >= NEEDED[near];
}

/** Whether they were seen side by side too often to be one. */
export function areTwins(a: Thing, b: Thing): boolean {
  return a.rivals.areTwins(b) || b.rivals.areTwins(a);
}
