import * as fc from "fast-check";
import type { Box } from "../box.ts";
import type { Quat } from "../quat.ts";
import { normalizeQuat } from "../quat.ts";
import type { Transform } from "../transform.ts";
import type { Vec3 } from "../vec3.ts";

/** Fine enough for geometry, coarse enough that shrinking a dozen coupled numbers ends. */
const STEPS = 999_983;

/**
 * Evenly spread over [min, max], ends included often. fc.double spreads over bit patterns instead, half of which
 * are numbers below 1e-150 that geometry sees as zero. These generators are for tests only.
 */
export function real(min: number, max: number): fc.Arbitrary<number> {
  return fc.integer({ min: 0, max: STEPS }).map((k) => min + (max - min) * (k / STEPS));
}

/** At most `limit` in size, with small whole numbers often: they hit boundaries. */
export function coordinate(limit: number): fc.Arbitrary<number> {
  return fc.oneof(fc.integer({ min: -3, max: 3 }), real(-limit, limit));
}

/** Points within 100 m of the origin. */
export const anyVec3: fc.Arbitrary<Vec3> = fc.record({
  x: coordinate(100),
  y: coordinate(100),
  z: coordinate(100),
});

/** Directions away from the zero vector. */
export const anyUnit: fc.Arbitrary<Vec3> = fc
  .record({ x: coordinate(1), y: coordinate(1), z: coordinate(1) })
  .filter(({ x, y, z }) => x * x + y * y + z * z > 0.01)
  .map(({ x, y, z }) => {
    const length = Math.sqrt(x * x + y * y + z * z);
    return { x: x / length, y: y / length, z: z / length };
  });

/** Unit quaternions over both signs and the axis-aligned ones. */
export const anyQuat: fc.Arbitrary<Quat> = fc
  .record({ w: coordinate(1), x: coordinate(1), y: coordinate(1), z: coordinate(1) })
  .filter(({ w, x, y, z }) => w * w + x * x + y * y + z * z > 0.01)
  .map(normalizeQuat);

/** Rigid motions. */
export const anyTransform: fc.Arbitrary<Transform> = fc.record({ p: anyVec3, q: anyQuat });

/** Boxes, flat ones included. */
export const anyBox: fc.Arbitrary<Box> = fc.tuple(anyVec3, anyVec3).map(([a, b]) => ({
  min: { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), z: Math.min(a.z, b.z) },
  max: { x: Math.max(a.x, b.x), y: Math.max(a.y, b.y), z: Math.max(a.z, b.z) },
}));

/** A number in [0, 1], ends included often. */
export const fraction: fc.Arbitrary<number> = fc.oneof(fc.constantFrom(0, 0.5, 1), real(0, 1));
