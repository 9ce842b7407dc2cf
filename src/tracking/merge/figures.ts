import type { Box } from "../../geometry/index.ts";
import { extentOf, gapBetween } from "../../geometry/index.ts";
import { COMMON } from "../settings/common.ts";
import { MERGE } from "../settings/merge.ts";
import type { Thing } from "../state/thing.ts";

/** Two upright faces that meet at an edge: a wardrobe seen from two sides, or a door that was opened in between. */
export function areFaces(a: Thing, b: Thing): boolean {
  const [ea, eb] = [extentOf(a.worldBox), extentOf(b.worldBox)];
  const isAcross =
    (ea.x <= COMMON.flatM && eb.y <= COMMON.flatM) || (ea.y <= COMMON.flatM && eb.x <= COMMON.flatM);
  if (!isAcross || Math.min(a.diagonalM, b.diagonalM) < COMMON.smallM) return false;
  const top = Math.min(a.worldBox.max.z, b.worldBox.max.z);
  const sharedM = top - Math.max(a.worldBox.min.z, b.worldBox.min.z);
  return sharedM > 0.5 * Math.min(ea.z, eb.z) && gapBetween(a.worldBox, b.worldBox) <= COMMON.touchM;
}

/**
 * A foot, perhaps with a piece of the pole, and right above it what the pole carries; the pole is too thin to be
 * detected: a floor lamp, a coat rack.
 */
export function areFootAndHead({ worldBox: a }: Thing, { worldBox: b }: Thing): boolean {
  const [foot, head] = a.min.z <= b.min.z ? [a, b] : [b, a];
  const wholeM = head.max.z - foot.min.z;
  if (
    foot.max.z - foot.min.z > COMMON.handyM ||
    head.min.z - foot.max.z > MERGE.farthestM ||
    wholeM < COMMON.largeM
  )
    return false;
  const across = (axis: "x" | "y") => {
    const sharedM = Math.min(a.max[axis], b.max[axis]) - Math.max(a.min[axis], b.min[axis]);
    return sharedM / Math.min(a.max[axis] - a.min[axis], b.max[axis] - b.min[axis]);
  };
  return across("x") > 0.5 && across("y") > 0.5 && Math.max(...widths(a), ...widths(b)) < wholeM;
}

/** Two things on one wall that span the same heights and touch: the wings of a curtain, a whiteboard seen in halves. */
export function areWings({ worldBox: a }: Thing, { worldBox: b }: Thing): boolean {
  const areLevel =
    Math.abs(a.min.z - b.min.z) <= COMMON.toleranceM && Math.abs(a.max.z - b.max.z) <= COMMON.toleranceM;
  if (!areLevel || a.max.z - a.min.z < COMMON.handyM || gapBetween(a, b) > COMMON.touchM) return false;
  return (["x", "y"] as const).some((axis) => {
    if (Math.max(a.max[axis] - a.min[axis], b.max[axis] - b.min[axis]) > COMMON.flatM) return false;
    return Math.abs(a.min[axis] + a.max[axis] - b.min[axis] - b.max[axis]) <= 2 * COMMON.toleranceM;
  });
}

function widths({ min, max }: Box): number[] {
  return [max.x - min.x, max.y - min.y];
}

/**
 * Flat things of which one was seen only from the front and the other only from behind: there is a wall between them.
 */
export function areBackToBack(a: Thing, b: Thing): boolean {
  const [ea, eb] = [extentOf(a.worldBox), extentOf(b.worldBox)];
  // A door is the same from both sides.
  if (Math.max(ea.z, eb.z) >= COMMON.tallM) return false;
  return (["x", "y"] as const).some((axis) => {
    if (ea[axis] > COMMON.flatM || eb[axis] > COMMON.flatM) return false;
    // A flower pot is as thin, and may be seen from all around.
    const across = axis === "x" ? "y" : "x";
    if (Math.max(ea[across], eb[across]) < COMMON.flatM) return false;
    return sideOf(a, axis) * sideOf(b, axis) < 0;
  });
}

/** The side of a thing on which its cameras were: 1 or −1, and 0 where they were on both. */
function sideOf({ shape: { viewpoints } }: Thing, axis: "x" | "y"): number {
  const sum = viewpoints.reduce((total, direction) => total + direction[axis], 0);
  return Math.abs(sum) < COMMON.alongCosine * viewpoints.length ? 0 : Math.sign(sum);
}
