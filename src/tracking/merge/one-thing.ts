import type { Box } from "../../geometry/index.ts";
import { extentOf, gapBetween, inflate, intersectionVolume, iou, volumeOf } from "../../geometry/index.ts";
import { MERGE } from "../settings/merge.ts";
import { OBSERVE } from "../settings/observe.ts";
import { SMALL_M } from "../settings/settings.ts";
import { nearness } from "../state/nearness.ts";
import type { Thing } from "../state/thing.ts";

/**
 * Whether two records of one kind and look are of one thing, by what frames showed of them. Seen side by side with
 * something between them they are two; so are those that were mostly reported both where either was. Else they are
 * one if they share a place, or if looks at the one went over the place of the other, as at a curtain's two wings.
 */
export function areOneByLooks(a: Thing, b: Thing, isLastWord: boolean): boolean {
  if (a.words.category !== b.words.category || areBackToBack(a, b)) return false;
  const { beside, touching, alone, covered } = between(a, b);
  const forOne = alone + covered;
  const together = beside + touching;
  const isLarge = Math.max(a.diagonalM, b.diagonalM) >= MERGE.minLargeM;
  if (isLastWord && together <= 1 && areFootAndHead(a, b)) return true;
  if (isLastWord && (together <= 1 || covered >= MERGE.minForOne) && areWings(a, b)) return true;
  // Bodies do not share a place, and masks are split now and then.
  const splits = Math.max(1, MERGE.splitShare * (a.evidence.detections + b.evidence.detections));
  if (isLastWord && isLarge && together <= splits && areOneBody(a, b)) return true;
  if (covered < 2 * beside && (beside > 1 || forOne < MERGE.onceBeside * beside)) return false;
  const often = Math.max(a.diagonalM, b.diagonalM) < SMALL_M ? MERGE.twiceTouching : MERGE.oftenTouching;
  if (touching >= often && touching > MERGE.touchingShare * forOne) return false;
  // Books on a shelf stand as close as that.
  const grownM = Math.min(a.diagonalM, b.diagonalM) < SMALL_M ? MERGE.grownM / 2 : MERGE.grownM;
  const [boxA, boxB] = [inflate(a.worldBox, grownM), inflate(b.worldBox, grownM)];
  const shared = intersectionVolume(boxA, boxB) / Math.min(volumeOf(boxA), volumeOf(boxB));
  // A chair behind a table is overlooked more often than its pixels say, so that counts only in its very place.
  const speaking = isLarge || shared >= MERGE.sharedShare ? forOne : covered;
  if (shared >= MERGE.sharesPlace && speaking >= MERGE.minForOne) return true;
  // What a memory holds as two was found to be two by frames that nobody remembers, unless they are now one body.
  if (a.identity.isStored && b.identity.isStored && iou(boxA, boxB) < MERGE.sharedShare) return false;
  const maySplit = isLarge || shared >= MERGE.sharedShare;
  const isOutweighed = Math.max(a.diagonalM, b.diagonalM) >= SMALL_M && forOne >= MERGE.onceBeside * touching;
  if (shared >= MERGE.sharesPlace)
    return isLastWord && beside === 0 && (maySplit || touching === 0 || isOutweighed);
  // Masks over two things are as rare as split ones, and rarer with something between the two.
  if (covered >= MERGE.minForOne + 2 * together) return true;
  if (!isLastWord) return false;
  return beside + touching === 0 && (areFaces(a, b) || isSliver(a, b) || isSliver(b, a));
}

/** Whether two bodies would have to be in one place. */
function areOneBody(a: Thing, b: Thing): boolean {
  return ["one-body", "within"].includes(nearness(a, b, true));
}

/** What both records know about having been seen together. */
function between(a: Thing, b: Thing) {
  const [x, y] = [a.rivals.tallyOf(b), b.rivals.tallyOf(a)];
  const beside = x.beside + y.beside;
  return {
    beside,
    touching: x.together + y.together - beside,
    alone: x.apart + y.apart,
    covered: x.covered + y.covered,
  };
}

/** A few looks at something small right beside a large thing that is never seen with it: a corner or a leg of it. */
function isSliver(large: Thing, piece: Thing): boolean {
  if (large.diagonalM < MERGE.minLargeM || piece.diagonalM > MERGE.sliverSize * large.diagonalM) return false;
  if (piece.evidence.detections * MERGE.oftenTimes > large.evidence.detections) return false;
  return gapBetween(large.worldBox, piece.worldBox) <= MERGE.sliverGapM;
}

/** Two upright faces that meet at an edge: of a wardrobe seen from two sides, or a door that was opened meanwhile. */
export function areFaces(a: Thing, b: Thing): boolean {
  const [ea, eb] = [extentOf(a.worldBox), extentOf(b.worldBox)];
  const isAcross =
    (ea.x <= MERGE.flatM && eb.y <= MERGE.flatM) || (ea.y <= MERGE.flatM && eb.x <= MERGE.flatM);
  if (!isAcross || Math.min(a.diagonalM, b.diagonalM) < MERGE.minFaceM) return false;
  const top = Math.min(a.worldBox.max.z, b.worldBox.max.z);
  const sharedM = top - Math.max(a.worldBox.min.z, b.worldBox.min.z);
  return sharedM > 0.5 * Math.min(ea.z, eb.z) && gapBetween(a.worldBox, b.worldBox) <= MERGE.touchingM;
}

/** A flat foot and, right above it, what it carries on a pole too thin to be seen: a floor lamp, a coat rack. */
function areFootAndHead({ worldBox: a }: Thing, { worldBox: b }: Thing): boolean {
  const [foot, head] = a.min.z <= b.min.z ? [a, b] : [b, a];
  const wholeM = head.max.z - foot.min.z;
  if (
    foot.max.z - foot.min.z > MERGE.footM ||
    head.min.z - foot.max.z > MERGE.farthestM ||
    wholeM < MERGE.minTallM
  )
    return false;
  const across = (axis: "x" | "y") => {
    const sharedM = Math.min(a.max[axis], b.max[axis]) - Math.max(a.min[axis], b.min[axis]);
    return sharedM / Math.min(a.max[axis] - a.min[axis], b.max[axis] - b.min[axis]);
  };
  return across("x") > 0.5 && across("y") > 0.5 && Math.max(...widths(a), ...widths(b)) < wholeM;
}

/** Two that hang on one wall from one height to another and touch: the wings of a curtain, a whiteboard seen in halves. */
function areWings({ worldBox: a }: Thing, { worldBox: b }: Thing): boolean {
  const areLevel = Math.abs(a.min.z - b.min.z) <= MERGE.levelM && Math.abs(a.max.z - b.max.z) <= MERGE.levelM;
  if (!areLevel || a.max.z - a.min.z < MERGE.minHangingM || gapBetween(a, b) > MERGE.touchingM) return false;
  return (["x", "y"] as const).some((axis) => {
    if (Math.max(a.max[axis] - a.min[axis], b.max[axis] - b.min[axis]) > MERGE.clothM) return false;
    return Math.abs(a.min[axis] + a.max[axis] - b.min[axis] - b.max[axis]) <= 2 * MERGE.levelM;
  });
}

function widths({ min, max }: Box): number[] {
  return [max.x - min.x, max.y - min.y];
}

/** Flat things of which one was only ever seen from before and the other from behind: there is a wall between them. */
export function areBackToBack(a: Thing, b: Thing): boolean {
  const [ea, eb] = [extentOf(a.worldBox), extentOf(b.worldBox)];
  // A door is the same from both sides.
  if (Math.max(ea.z, eb.z) >= OBSERVE.doorM) return false;
  return (["x", "y"] as const).some((axis) => {
    if (ea[axis] > MERGE.flatM || eb[axis] > MERGE.flatM) return false;
    // A flower pot is as thin, and may be seen from all around.
    const across = axis === "x" ? "y" : "x";
    if (Math.max(ea[across], eb[across]) < MERGE.wideM) return false;
    return sideOf(a, axis) * sideOf(b, axis) < 0;
  });
}

/** On which side of a thing the cameras were that saw it: 1 or −1, and 0 where they were on both. */
function sideOf({ shape: { viewpoints } }: Thing, axis: "x" | "y"): number {
  const sum = viewpoints.reduce((total, direction) => total + direction[axis], 0);
  return Math.abs(sum) < MERGE.oneSide * viewpoints.length ? 0 : Math.sign(sum);
}
