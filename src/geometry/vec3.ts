/**
 * A point or a direction. Right-handed, Z-up, metres (docs/formulas.md#axes-and-time); which frame it is in is said by the name of
 * the variable that holds it.
 */
export interface Vec3 {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** The origin, shared so that the common case costs no allocation. */
export const ZERO: Vec3 = Object.freeze({ x: 0, y: 0, z: 0 });

/** All vectors come from here or from the same literal shape: one hidden class keeps V8's loops monomorphic. */
export function vec3(x: number, y: number, z: number): Vec3 {
  return { x, y, z };
}

/** Componentwise sum. */
export function add(a: Vec3, b: Vec3): Vec3 {
  return { x: a.x + b.x, y: a.y + b.y, z: a.z + b.z };
}

/** `a − b`: the direction that leads from `b` to `a`. */
export function subtract(a: Vec3, b: Vec3): Vec3 {
  return { x: a.x - b.x, y: a.y - b.y, z: a.z - b.z };
}

/** Multiplication by a number. */
export function scale(v: Vec3, factor: number): Vec3 {
  return { x: v.x * factor, y: v.y * factor, z: v.z * factor };
}

/** Inner product, summed in x, y, z order on every platform. */
export function dot(a: Vec3, b: Vec3): number {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/** Right-handed outer product: `cross(X, Y) = Z`. */
export function cross(a: Vec3, b: Vec3): Vec3 {
  return { x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x };
}

/**
 * Euclidean length by sqrt rather than Math.hypot, whose last bit is left to the engine and which is several
 * times slower; the price is overflow above 1e154 m, which no robot reaches.
 */
export function lengthOf(v: Vec3): number {
  return Math.sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

/** Euclidean distance between two points of the same frame. */
export function distance(a: Vec3, b: Vec3): number {
  const x = a.x - b.x;
  const y = a.y - b.y;
  const z = a.z - b.z;
  return Math.sqrt(x * x + y * y + z * z);
}

/**
 * The unit vector along `v`, or ZERO when `v` has no direction (zero or non-finite length): coinciding points
 * are ordinary data, so callers that need a direction compare with ZERO rather than catch.
 */
export function normalize(v: Vec3): Vec3 {
  const length = lengthOf(v);
  if (!(length > 0) || length === Number.POSITIVE_INFINITY) return ZERO;
  return { x: v.x / length, y: v.y / length, z: v.z / length };
}

/** Straight-line interpolation, exact at both ends; `t` outside [0, 1] extrapolates. */
export function lerp(a: Vec3, b: Vec3, t: number): Vec3 {
  if (t === 1) return b;
  return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t, z: a.z + (b.z - a.z) * t };
}

/** False for NaN and infinities: the guard against lost-tracking poses, which datasets write as −inf. */
export function isFiniteVec3(v: Vec3): boolean {
  return Number.isFinite(v.x) && Number.isFinite(v.y) && Number.isFinite(v.z);
}
