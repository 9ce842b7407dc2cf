import { type Box, centreOf, extentOf } from "./box.ts";
import { rotate } from "./quat.ts";
import { apply, type Transform } from "./transform.ts";
import { add, distance, dot, scale, subtract, type Vec3 } from "./vec3.ts";

/** A box along three unit axes of its own. */
export interface OrientedBox {
  readonly centre: Vec3;
  readonly axes: readonly [Vec3, Vec3, Vec3];
  readonly lengths: readonly [number, number, number];
}

/** Projections onto two convex bodies in turn approach their nearest points; this many are plenty for rooms. */
const PROJECTIONS = 500;
const STILL_M = 1e-7;

/** A box of a frame as it lies in that frame's parent. */
export function orientedBox(parentFromChild: Transform, box: Box): OrientedBox {
  const { x, y, z } = extentOf(box);
  const turn = (v: Vec3) => rotate(parentFromChild.q, v);
  return {
    centre: apply(parentFromChild, centreOf(box)),
    axes: [turn({ x: 1, y: 0, z: 0 }), turn({ x: 0, y: 1, z: 0 }), turn({ x: 0, y: 0, z: 1 })],
    lengths: [x, y, z],
  };
}

/** Metres between the nearest points of two boxes, to a millimetre, by projecting onto one and the other in turn; 0 if they meet. */
export function boxGap(a: OrientedBox, b: OrientedBox): number {
  let onA = a.centre;
  let onB = nearestPoint(b, onA);
  for (let i = 0; i < PROJECTIONS; i++) {
    const nextA = nearestPoint(a, onB);
    const moved = distance(nextA, onA);
    onA = nextA;
    onB = nearestPoint(b, onA);
    if (moved < STILL_M) break;
  }
  const gap = distance(onA, onB);
  return gap < 1e-6 ? 0 : gap;
}

/** The point of the box that is nearest to another point. */
function nearestPoint({ centre, axes, lengths }: OrientedBox, point: Vec3): Vec3 {
  const offset = subtract(point, centre);
  return axes.reduce((sum, axis, i) => {
    const half = lengths[i]! / 2;
    return add(sum, scale(axis, Math.min(half, Math.max(-half, dot(offset, axis)))));
  }, centre);
}
