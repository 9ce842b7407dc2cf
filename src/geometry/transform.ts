import type { Quat } from "./quat.ts";
import {
  angleBetween,
  conjugate,
  fromMatrix,
  IDENTITY_QUAT,
  multiply,
  rotate,
  slerp,
  toMatrix,
} from "./quat.ts";
import type { Vec3 } from "./vec3.ts";
import { distance, lerp, ZERO } from "./vec3.ts";

/**
 * A rigid motion, always read as parentFromChild: it takes coordinates in the child frame to coordinates in the
 * parent, and `p` is the child's origin seen from the parent. Name variables `worldFromCamera`, never `pose`.
 */
export interface Transform {
  readonly p: Vec3;
  readonly q: Quat;
}

/** The transform between a frame and itself. */
export const IDENTITY: Transform = Object.freeze({ p: ZERO, q: IDENTITY_QUAT });

/** `aFromB ∘ bFromC = aFromC`; the inner names must meet, which is why the parameters carry them. */
export function compose(aFromB: Transform, bFromC: Transform): Transform {
  return { p: apply(aFromB, bFromC.p), q: multiply(aFromB.q, bFromC.q) };
}

/** childFromParent. */
export function invert(parentFromChild: Transform): Transform {
  const q = conjugate(parentFromChild.q);
  const p = rotate(q, parentFromChild.p);
  return { p: { x: -p.x, y: -p.y, z: -p.z }, q };
}

/** Takes a point in the child frame to the parent frame; the sum ends with `p`, as `transformBox` relies on. */
export function apply(parentFromChild: Transform, pointInChild: Vec3): Vec3 {
  const r = rotate(parentFromChild.q, pointInChild);
  const { p } = parentFromChild;
  return { x: r.x + p.x, y: r.y + p.y, z: r.z + p.z };
}

/** Takes a direction (a velocity, an axis, a normal) to the parent frame: rotation without translation. */
export function applyDirection(parentFromChild: Transform, directionInChild: Vec3): Vec3 {
  return rotate(parentFromChild.q, directionInChild);
}

/**
 * Between two poses of one child in one parent: straight line and constant-speed rotation, independently, so
 * that the path of the origin does not depend on where the axes point (a screw motion would). Exact at the ends.
 */
export function interpolate(a: Transform, b: Transform, t: number): Transform {
  return { p: lerp(a.p, b.p, t), q: slerp(a.q, b.q, t) };
}

/** From sixteen row-major numbers. Throws a RangeError unless the matrix is rigid with last row (0, 0, 0, 1). */
export function fromMatrix4(matrix: ArrayLike<number>): Transform {
  if (matrix.length !== 16) throw new RangeError(`expected 16 numbers, got ${matrix.length}`);
  const m = Array.from(matrix) as number[];
  const bottom = m.slice(12);
  if (bottom[0] !== 0 || bottom[1] !== 0 || bottom[2] !== 0 || bottom[3] !== 1) {
    throw new RangeError(
      `expected a last row of 0 0 0 1, got ${bottom.join(" ")} (is the matrix column-major?)`,
    );
  }
  const p = { x: m[3]!, y: m[7]!, z: m[11]! };
  if (!Number.isFinite(p.x + p.y + p.z)) throw new RangeError("expected a finite translation");
  const q = fromMatrix([m[0]!, m[1]!, m[2]!, m[4]!, m[5]!, m[6]!, m[8]!, m[9]!, m[10]!]);
  return { p, q };
}

/** Sixteen row-major numbers. */
export function toMatrix4({ p, q }: Transform): number[] {
  const m = toMatrix(q);
  return [m[0], m[1], m[2], p.x, m[3], m[4], m[5], p.y, m[6], m[7], m[8], p.z, 0, 0, 0, 1];
}

/** How far apart two poses are, in the two units that a re-indexing tolerance is written in (docs/formulas.md#frames). */
export function transformDelta(a: Transform, b: Transform): { translationM: number; rotationRad: number } {
  return { translationM: distance(a.p, b.p), rotationRad: angleBetween(a.q, b.q) };
}
