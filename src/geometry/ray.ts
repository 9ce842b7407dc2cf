import type { Box } from "./box.ts";
import type { Vec3 } from "./vec3.ts";
import { cross, distance, dot, subtract } from "./vec3.ts";

/** A half-line. Parameters along it count in lengths of `direction`, hence in metres when that is unit. */
export interface Ray {
  readonly origin: Vec3;
  readonly direction: Vec3;
}

/** 2γ₃: how far rounding may push the far side of a slab test (Ize, "Robust BVH Ray Traversal", 2013). */
const SLAB_SLACK = 1 + 6 * 2 ** -53;

/**
 * Where the half-line is in the closed box, by slabs; `near` is 0 when it starts inside. A ray that grazes a
 * face, an edge or a corner hits, and rounding never makes it miss. Undefined on a miss or a NaN.
 */
export function rayBox(ray: Ray, box: Box): { near: number; far: number } | undefined {
  const { origin: o, direction: d } = ray;
  let near = 0;
  let far = Infinity;
  const slab = (origin: number, direction: number, min: number, max: number): boolean => {
    if (direction === 0) return origin >= min && origin <= max;
    const a = (min - origin) / direction;
    const b = (max - origin) / direction;
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b) * SLAB_SLACK);
    return near <= far;
  };
  const hit =
    slab(o.x, d.x, box.min.x, box.max.x) &&
    slab(o.y, d.y, box.min.y, box.max.y) &&
    slab(o.z, d.z, box.min.z, box.max.z);
  return hit ? { near, far } : undefined;
}

/** Parameter at which the half-line meets the plane through a point; undefined when parallel or behind. */
export function rayPlane(ray: Ray, pointOnPlane: Vec3, normal: Vec3): number | undefined {
  const t = dot(subtract(pointOnPlane, ray.origin), normal) / dot(ray.direction, normal);
  return t >= 0 && t < Infinity ? t : undefined;
}

/** Parameter at which the half-line meets a closed triangle, from either side (Möller–Trumbore 1997). */
export function rayTriangle(ray: Ray, a: Vec3, b: Vec3, c: Vec3): number | undefined {
  const ab = subtract(b, a);
  const ac = subtract(c, a);
  const p = cross(ray.direction, ac);
  const determinant = dot(ab, p);
  if (determinant === 0) return undefined;
  const fromA = subtract(ray.origin, a);
  const u = dot(fromA, p) / determinant;
  if (!(u >= 0 && u <= 1)) return undefined;
  const q = cross(fromA, ab);
  const v = dot(ray.direction, q) / determinant;
  if (!(v >= 0 && u + v <= 1)) return undefined;
  const t = dot(ac, q) / determinant;
  return t >= 0 ? t : undefined;
}

/** Parameter of the half-line's closest point, at least 0; what a depth along the ray is compared with (docs/formulas.md#presence). */
export function closestOnRay(point: Vec3, { origin, direction }: Ray): number {
  const squared = dot(direction, direction);
  return squared > 0 ? Math.max(0, dot(subtract(point, origin), direction) / squared) : 0;
}

/** From a point to the half-line: the 0.1 m test of the presence evidence (docs/formulas.md#presence, Khronos). */
export function distanceToRay(point: Vec3, ray: Ray): number {
  const t = closestOnRay(point, ray);
  const { origin: o, direction: d } = ray;
  return distance(point, { x: o.x + d.x * t, y: o.y + d.y * t, z: o.z + d.z * t });
}
