import type { Box } from "../../geometry/index.ts";
import { extentOf, gapBetween, inflate, intersectionVolume, iou, volumeOf } from "../../geometry/index.ts";
import { GROWN_M, nearness, SHARED, TOUCHING_M } from "../state/nearness.ts";
import { DOOR_M } from "../state/shape.ts";
import type { Thing } from "../state/thing.ts";

/** Pieces of one thing lie no farther apart than this. */
export const FARTHEST_M = 1.4;
/** One frame that shows two side by side is outweighed by so many that speak for one, or two looks over both. */
const ONCE_BESIDE = 8;
/** Two that touch and are reported both so often, and in this share of the frames, are two. */
const OFTEN_TOUCHING = 3;
/** The same of small things: their masks are seldom split. */
const TWICE_TOUCHING = 2;
const TOUCHING_SHARE = 0.3;
/** Masks of a large thing are split in no more of its looks than this. */
const SPLIT_SHARE = 0.08;
const SHARES_PLACE = 0.05;
const LEAST_FOR_ONE = 2;
/** No thicker than this across, a thing hangs on a wall or stands before it. */
const FLAT_M = 0.3;
const WIDE_M = 0.3;
const LEAST_FACE_M = 0.8;
const SMALL_M = 0.5;
/** Of things this large a look seldom shows all. */
const LEAST_LARGE_M = 1.2;
const SLIVER_SIZE = 0.6;
const SLIVER_GAP_M = 0.35;
/** Looks of a thing seen often are worth so many of one seen now and then. */
export const OFTEN = 4;
/** Nothing lower than this has a foot and a head that are seen apart. */
const LEAST_TALL_M = 1;
const FOOT_M = 0.15;
/** What is no thicker than this is no cupboard; and how closely the ends and the faces of its halves agree. */
const CLOTH_M = 0.2;
const LEVEL_M = 0.1;
const LEAST_HANGING_M = 0.5;
/** Cosine, on average, from which a thing was seen from one side: from along a wall both are hardly told apart. */
const ONE_SIDE = 0.2;

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
  const isLarge = Math.max(a.diagonalM, b.diagonalM) >= LEAST_LARGE_M;
  if (isLastWord && together <= 1 && areFootAndHead(a, b)) return true;
  if (isLastWord && (together <= 1 || covered >= LEAST_FOR_ONE) && areWings(a, b)) return true;
  // Bodies do not share a place, and masks are split now and then.
  const splits = Math.max(1, SPLIT_SHARE * (a.evidence.detections + b.evidence.detections));
  if (isLastWord && isLarge && together <= splits && areOneBody(a, b)) return true;
  if (covered < 2 * beside && (beside > 1 || forOne < ONCE_BESIDE * beside)) return false;
  const often = Math.max(a.diagonalM, b.diagonalM) < SMALL_M ? TWICE_TOUCHING : OFTEN_TOUCHING;
  if (touching >= often && touching > TOUCHING_SHARE * forOne) return false;
  // Books on a shelf stand as close as that.
  const grownM = Math.min(a.diagonalM, b.diagonalM) < SMALL_M ? GROWN_M / 2 : GROWN_M;
  const [boxA, boxB] = [inflate(a.worldBox, grownM), inflate(b.worldBox, grownM)];
  const shared = intersectionVolume(boxA, boxB) / Math.min(volumeOf(boxA), volumeOf(boxB));
  // A chair behind a table is overlooked more often than its pixels say, so that counts only in its very place.
  const speaking = isLarge || shared >= SHARED ? forOne : covered;
  if (shared >= SHARES_PLACE && speaking >= LEAST_FOR_ONE) return true;
  // What a memory holds as two was found to be two by frames that nobody remembers, unless they are now one body.
  if (a.identity.isStored && b.identity.isStored && iou(boxA, boxB) < SHARED) return false;
  const maySplit = isLarge || shared >= SHARED;
  const isOutweighed = Math.max(a.diagonalM, b.diagonalM) >= SMALL_M && forOne >= ONCE_BESIDE * touching;
  if (shared >= SHARES_PLACE)
    return isLastWord && beside === 0 && (maySplit || touching === 0 || isOutweighed);
  // Masks over two things are as rare as split ones, and rarer with something between the two.
  if (covered >= LEAST_FOR_ONE + 2 * together) return true;
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
  if (large.diagonalM < LEAST_LARGE_M || piece.diagonalM > SLIVER_SIZE * large.diagonalM) return false;
  if (piece.evidence.detections * OFTEN > large.evidence.detections) return false;
  return gapBetween(large.worldBox, piece.worldBox) <= SLIVER_GAP_M;
}

/** Two upright faces that meet at an edge: of a wardrobe seen from two sides, or a door that was opened meanwhile. */
export function areFaces(a: Thing, b: Thing): boolean {
  const [ea, eb] = [extentOf(a.worldBox), extentOf(b.worldBox)];
  const isAcross = (ea.x <= FLAT_M && eb.y <= FLAT_M) || (ea.y <= FLAT_M && eb.x <= FLAT_M);
  if (!isAcross || Math.min(a.diagonalM, b.diagonalM) < LEAST_FACE_M) return false;
  const top = Math.min(a.worldBox.max.z, b.worldBox.max.z);
  const sharedM = top - Math.max(a.worldBox.min.z, b.worldBox.min.z);
  return sharedM > 0.5 * Math.min(ea.z, eb.z) && gapBetween(a.worldBox, b.worldBox) <= TOUCHING_M;
}

/** A flat foot and, right above it, what it carries on a pole too thin to be seen: a floor lamp, a coat rack. */
function areFootAndHead({ worldBox: a }: Thing, { worldBox: b }: Thing): boolean {
  const [foot, head] = a.min.z <= b.min.z ? [a, b] : [b, a];
  const wholeM = head.max.z - foot.min.z;
  if (foot.max.z - foot.min.z > FOOT_M || head.min.z - foot.max.z > FARTHEST_M || wholeM < LEAST_TALL_M)
    return false;
  const across = (axis: "x" | "y") => {
    const sharedM = Math.min(a.max[axis], b.max[axis]) - Math.max(a.min[axis], b.min[axis]);
    return sharedM / Math.min(a.max[axis] - a.min[axis], b.max[axis] - b.min[axis]);
  };
  return across("x") > 0.5 && across("y") > 0.5 && Math.max(...widths(a), ...widths(b)) < wholeM;
}

/** Two that hang on one wall from one height to another and touch: the wings of a curtain, a whiteboard seen in halves. */
function areWings({ worldBox: a }: Thing, { worldBox: b }: Thing): boolean {
  const areLevel = Math.abs(a.min.z - b.min.z) <= LEVEL_M && Math.abs(a.max.z - b.max.z) <= LEVEL_M;
  if (!areLevel || a.max.z - a.min.z < LEAST_HANGING_M || gapBetween(a, b) > TOUCHING_M) return false;
  return (["x", "y"] as const).some((axis) => {
    if (Math.max(a.max[axis] - a.min[axis], b.max[axis] - b.min[axis]) > CLOTH_M) return false;
    return Math.abs(a.min[axis] + a.max[axis] - b.min[axis] - b.max[axis]) <= 2 * LEVEL_M;
  });
}

function widths({ min, max }: Box): number[] {
  return [max.x - min.x, max.y - min.y];
}

/** Flat things of which one was only ever seen from before and the other from behind: there is a wall between them. */
export function areBackToBack(a: Thing, b: Thing): boolean {
  const [ea, eb] = [extentOf(a.worldBox), extentOf(b.worldBox)];
  // A door is the same from both sides.
  if (Math.max(ea.z, eb.z) >= DOOR_M) return false;
  return (["x", "y"] as const).some((axis) => {
    if (ea[axis] > FLAT_M || eb[axis] > FLAT_M) return false;
    // A flower pot is as thin, and may be seen from all around.
    const across = axis === "x" ? "y" : "x";
    if (Math.max(ea[across], eb[across]) < WIDE_M) return false;
    return sideOf(a, axis) * sideOf(b, axis) < 0;
  });
}

/** On which side of a thing the cameras were that saw it: 1 or −1, and 0 where they were on both. */
function sideOf({ shape: { viewpoints } }: Thing, axis: "x" | "y"): number {
  const sum = viewpoints.reduce((total, direction) => total + direction[axis], 0);
  return Math.abs(sum) < ONE_SIDE * viewpoints.length ? 0 : Math.sign(sum);
}
