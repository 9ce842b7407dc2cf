import { toMatrix } from "./quat.ts";
import type { Transform } from "./transform.ts";
import type { Vec3 } from "./vec3.ts";

/** A closed axis-aligned box with `min ≤ max` on each axis; flat boxes and single points are boxes. */
export interface Box {
  readonly min: Vec3;
  readonly max: Vec3;
}

/** From the centre and the full size along each axis (not the half size). */
export function boxFromCentre(centre: Vec3, extent: Vec3): Box {
  const { x, y, z } = { x: extent.x / 2, y: extent.y / 2, z: extent.z / 2 };
  return {
    min: { x: centre.x - x, y: centre.y - y, z: centre.z - z },
    max: { x: centre.x + x, y: centre.y + y, z: centre.z + z },
  };
}

/** The tightest box around points, or undefined when there are none: an empty box does not exist here. */
export function boxFromPoints(points: Iterable<Vec3>): Box | undefined {
  let [minX, minY, minZ] = [Infinity, Infinity, Infinity];
  let [maxX, maxY, maxZ] = [-Infinity, -Infinity, -Infinity];
  let any = false;
  for (const { x, y, z } of points) {
    any = true;
    minX = Math.min(minX, x);
    minY = Math.min(minY, y);
    minZ = Math.min(minZ, z);
    maxX = Math.max(maxX, x);
    maxY = Math.max(maxY, y);
    maxZ = Math.max(maxZ, z);
  }
  return any ? { min: { x: minX, y: minY, z: minZ }, max: { x: maxX, y: maxY, z: maxZ } } : undefined;
}

/** The middle; halves are taken before the sum so that an open polygon's ±MAX_VALUE bounds do not overflow. */
export function centreOf({ min, max }: Box): Vec3 {
  return { x: min.x / 2 + max.x / 2, y: min.y / 2 + max.y / 2, z: min.z / 2 + max.z / 2 };
}

/** Full size along each axis. */
export function extentOf({ min, max }: Box): Vec3 {
  return { x: max.x - min.x, y: max.y - min.y, z: max.z - min.z };
}

/** Corner to opposite corner: the one number used for "how big is it" and for scale-free distances. */
export function diagonalOf(box: Box): number {
  const { x, y, z } = extentOf(box);
  return Math.sqrt(x * x + y * y + z * z);
}

/** Zero for a flat box. */
export function volumeOf(box: Box): number {
  const { x, y, z } = extentOf(box);
  return x * y * z;
}

/** The smallest box that holds all the given ones. */
export function unionBoxes(first: Box, ...rest: readonly Box[]): Box {
  let { min, max } = first;
  for (const box of rest) {
    min = { x: Math.min(min.x, box.min.x), y: Math.min(min.y, box.min.y), z: Math.min(min.z, box.min.z) };
    max = { x: Math.max(max.x, box.max.x), y: Math.max(max.y, box.max.y), z: Math.max(max.z, box.max.z) };
  }
  return { min, max };
}

/** Volume of what two boxes share; zero when they only touch. */
export function intersectionVolume(a: Box, b: Box): number {
  const x = Math.min(a.max.x, b.max.x) - Math.max(a.min.x, b.min.x);
  const y = Math.min(a.max.y, b.max.y) - Math.max(a.min.y, b.min.y);
  const z = Math.min(a.max.z, b.max.z) - Math.max(a.min.z, b.min.z);
  return x > 0 && y > 0 && z > 0 ? x * y * z : 0;
}

/**
 * Intersection over union in [0, 1]. Volume says nothing about two flat boxes, so those score 1 when they are
 * the same box and 0 otherwise; inflate first where thin things must overlap partially.
 */
export function iou(a: Box, b: Box): number {
  const shared = intersectionVolume(a, b);
  const union = volumeOf(a) + volumeOf(b) - shared;
  if (union > 0) return Math.min(1, shared / union);
  return sameVec3(a.min, b.min) && sameVec3(a.max, b.max) ? 1 : 0;
}

/** Closed: boxes that share only a face, an edge or a corner intersect. */
export function boxesIntersect(a: Box, b: Box): boolean {
  return (
    a.min.x <= b.max.x &&
    b.min.x <= a.max.x &&
    a.min.y <= b.max.y &&
    b.min.y <= a.max.y &&
    a.min.z <= b.max.z &&
    b.min.z <= a.max.z
  );
}

/** Closed: the surface belongs to the box. NaN is in no box. */
export function boxContains({ min, max }: Box, point: Vec3): boolean {
  return (
    point.x >= min.x &&
    point.x <= max.x &&
    point.y >= min.y &&
    point.y <= max.y &&
    point.z >= min.z &&
    point.z <= max.z
  );
}

/** Moves every face outwards; a negative amount shrinks, and an axis that would turn over collapses to its middle. */
export function inflate({ min, max }: Box, amountM: number): Box {
  const x = grown(min.x, max.x, amountM);
  const y = grown(min.y, max.y, amountM);
  const z = grown(min.z, max.z, amountM);
  return { min: { x: x[0], y: y[0], z: z[0] }, max: { x: x[1], y: y[1], z: z[1] } };
}

/** From a point to the nearest point of the box; 0 inside and on the surface. */
export function distanceToBox(point: Vec3, { min, max }: Box): number {
  const x = Math.max(0, min.x - point.x, point.x - max.x);
  const y = Math.max(0, min.y - point.y, point.y - max.y);
  const z = Math.max(0, min.z - point.z, point.z - max.z);
  return Math.sqrt(x * x + y * y + z * z);
}

/** Between the closest surfaces of two boxes; 0 when they touch or overlap. */
export function gapBetween(a: Box, b: Box): number {
  const x = Math.max(0, a.min.x - b.max.x, b.min.x - a.max.x);
  const y = Math.max(0, a.min.y - b.max.y, b.min.y - a.max.y);
  const z = Math.max(0, a.min.z - b.max.z, b.min.z - a.max.z);
  return Math.sqrt(x * x + y * y + z * z);
}

/**
 * The axis-aligned box of the eight transformed corners, by Arvo's method (Graphics Gems, 1990). It sums in the
 * order of `apply`, and rounded products and sums are monotone, so for every point p of the box, not only its
 * corners, `apply(T, p)` is inside to the last bit, and a box inside another stays inside it. Never tight after
 * a turn: going there and back grows.
 */
export function transformBox(parentFromChild: Transform, { min, max }: Box): Box {
  const m = toMatrix(parentFromChild.q);
  const { p } = parentFromChild;
  const low = (a: number, b: number, c: number): number =>
    Math.min(a * min.x, a * max.x) + Math.min(b * min.y, b * max.y) + Math.min(c * min.z, c * max.z);
  const high = (a: number, b: number, c: number): number =>
    Math.max(a * min.x, a * max.x) + Math.max(b * min.y, b * max.y) + Math.max(c * min.z, c * max.z);
  return {
    min: { x: low(m[0], m[1], m[2]) + p.x, y: low(m[3], m[4], m[5]) + p.y, z: low(m[6], m[7], m[8]) + p.z },
    max: {
      x: high(m[0], m[1], m[2]) + p.x,
      y: high(m[3], m[4], m[5]) + p.y,
      z: high(m[6], m[7], m[8]) + p.z,
    },
  };
}

function grown(min: number, max: number, amount: number): [number, number] {
  const low = min - amount;
  const high = max + amount;
  if (low <= high) return [low, high];
  const middle = min / 2 + max / 2;
  return [middle, middle];
}

function sameVec3(a: Vec3, b: Vec3): boolean {
  return a.x === b.x && a.y === b.y && a.z === b.z;
}
