import type { Vec3 } from "./vec3.ts";

/** A rotation as a unit quaternion, w first (Hamilton). `q` and `−q` are the same rotation. */
export interface Quat {
  readonly w: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** No rotation. */
export const IDENTITY_QUAT: Quat = Object.freeze({ w: 1, x: 0, y: 0, z: 0 });

/** How far a 3×3 may be from orthonormal: poses printed with three decimals pass, scales and shears do not. */
const ROTATION_TOLERANCE = 5e-3;

/** Composition: `rotate(multiply(a, b), v) = rotate(a, rotate(b, v))`. */
export function multiply(a: Quat, b: Quat): Quat {
  return {
    w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
  };
}

/** The inverse rotation of a unit quaternion. */
export function conjugate(q: Quat): Quat {
  return { w: q.w, x: -q.x, y: -q.y, z: -q.z };
}

/**
 * Rotates by the matrix of `q`, with the same entries and the same order of sums as `toMatrix` and
 * `transformBox`: rounding is monotone, so a point inside a box lands inside the transformed box to the last bit.
 */
export function rotate(q: Quat, v: Vec3): Vec3 {
  const { w, x, y, z } = q;
  return {
    x: (1 - 2 * (y * y + z * z)) * v.x + 2 * (x * y - w * z) * v.y + 2 * (x * z + w * y) * v.z,
    y: 2 * (x * y + w * z) * v.x + (1 - 2 * (x * x + z * z)) * v.y + 2 * (y * z - w * x) * v.z,
    z: 2 * (x * z - w * y) * v.x + 2 * (y * z + w * x) * v.y + (1 - 2 * (x * x + y * y)) * v.z,
  };
}

/** Heading only: counter-clockwise about +Z from +X (docs/formulas.md#axes-and-time). */
export function fromYaw(yawRad: number): Quat {
  return { w: Math.cos(yawRad / 2), x: 0, y: 0, z: Math.sin(yawRad / 2) };
}

/** The heading of the rotated +X axis in (−π, π]. At pitch ±90° there is none; 0 or an arbitrary angle results. */
export function yawOf(q: Quat): number {
  return Math.atan2(2 * (q.w * q.z + q.x * q.y), 1 - 2 * (q.y * q.y + q.z * q.z));
}

/** Right-hand rotation about `axis`, which need not be unit; a zero axis gives no rotation. */
export function fromAxisAngle(axis: Vec3, angleRad: number): Quat {
  const length = Math.sqrt(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z);
  if (!(length > 0)) return IDENTITY_QUAT;
  const s = Math.sin(angleRad / 2) / length;
  return { w: Math.cos(angleRad / 2), x: axis.x * s, y: axis.y * s, z: axis.z * s };
}

/** ROS order (REP-103): roll about X, then pitch about Y, then yaw about Z, all about the fixed axes. */
export function fromEuler(rollRad: number, pitchRad: number, yawRad: number): Quat {
  const cr = Math.cos(rollRad / 2);
  const sr = Math.sin(rollRad / 2);
  const cp = Math.cos(pitchRad / 2);
  const sp = Math.sin(pitchRad / 2);
  const cy = Math.cos(yawRad / 2);
  const sy = Math.sin(yawRad / 2);
  return {
    w: cr * cp * cy + sr * sp * sy,
    x: sr * cp * cy - cr * sp * sy,
    y: cr * sp * cy + sr * cp * sy,
    z: cr * cp * sy - sr * sp * cy,
  };
}

/**
 * Constant-speed interpolation along the shorter arc (Shoemake 1985), exact at both ends. Below 1e-6 rad the
 * normalised chord differs from the arc by less than rounding and avoids 0/0.
 */
export function slerp(a: Quat, b: Quat, t: number): Quat {
  if (t === 0) return a;
  if (t === 1) return b;
  const sign = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z < 0 ? -1 : 1;
  const half = angleBetween(a, b) / 2;
  const sine = Math.sin(half);
  const ka = half < 1e-6 ? 1 - t : Math.sin((1 - t) * half) / sine;
  const kb = sign * (half < 1e-6 ? t : Math.sin(t * half) / sine);
  return normalizeQuat({
    w: ka * a.w + kb * b.w,
    x: ka * a.x + kb * b.x,
    y: ka * a.y + kb * b.y,
    z: ka * a.z + kb * b.z,
  });
}

/**
 * Back to unit length after arithmetic or single precision. A zero or non-finite quaternion is no rotation at
 * all (ROS sends it for an unset pose) and throws a RangeError, since guessing identity would place things.
 */
export function normalizeQuat(q: Quat): Quat {
  const length = Math.sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  if (!(length > 0) || length === Number.POSITIVE_INFINITY) {
    throw new RangeError(`expected a non-zero finite quaternion, got (${q.w}, ${q.x}, ${q.y}, ${q.z})`);
  }
  return { w: q.w / length, x: q.x / length, y: q.y / length, z: q.z / length };
}

/** The angle of the rotation that leads from `a` to `b`, in [0, π]; by atan2, so small angles keep their digits. */
export function angleBetween(a: Quat, b: Quat): number {
  const d = multiply(conjugate(a), b);
  return 2 * Math.atan2(Math.sqrt(d.x * d.x + d.y * d.y + d.z * d.z), Math.abs(d.w));
}

/**
 * From nine row-major numbers by Shepperd's method (1978), which divides by the largest component. Throws a
 * RangeError on a matrix that is not a rotation within 5e-3: scaled, sheared, mirrored (a left-handed dataset),
 * or not finite.
 */
export function fromMatrix(matrix: ArrayLike<number>): Quat {
  if (matrix.length !== 9) throw new RangeError(`expected 9 numbers, got ${matrix.length}`);
  const at = (row: number, column: number): number => matrix[row * 3 + column]!;
  assertRotation(at);
  const [m00, m11, m22] = [at(0, 0), at(1, 1), at(2, 2)];
  const trace = m00 + m11 + m22;
  const wx = at(2, 1) - at(1, 2);
  const wy = at(0, 2) - at(2, 0);
  const wz = at(1, 0) - at(0, 1);
  const xy = at(0, 1) + at(1, 0);
  const xz = at(0, 2) + at(2, 0);
  const yz = at(1, 2) + at(2, 1);
  const largest = Math.max(trace, m00, m11, m22);
  if (largest === trace) return normalizeQuat({ w: 1 + trace, x: wx, y: wy, z: wz });
  if (largest === m00) return normalizeQuat({ w: wx, x: 1 + m00 - m11 - m22, y: xy, z: xz });
  if (largest === m11) return normalizeQuat({ w: wy, x: xy, y: 1 + m11 - m00 - m22, z: yz });
  return normalizeQuat({ w: wz, x: xz, y: yz, z: 1 + m22 - m00 - m11 });
}

/** The nine row-major entries; column i is where axis i goes. */
export function toMatrix(q: Quat): [number, number, number, number, number, number, number, number, number] {
  const { w, x, y, z } = q;
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - w * z),
    2 * (x * z + w * y),
    2 * (x * y + w * z),
    1 - 2 * (x * x + z * z),
    2 * (y * z - w * x),
    2 * (x * z - w * y),
    2 * (y * z + w * x),
    1 - 2 * (x * x + y * y),
  ];
}

function assertRotation(at: (row: number, column: number) => number): void {
  for (let i = 0; i < 3; i++) {
    for (let j = i; j < 3; j++) {
      const inner = at(i, 0) * at(j, 0) + at(i, 1) * at(j, 1) + at(i, 2) * at(j, 2);
      if (!(Math.abs(inner - (i === j ? 1 : 0)) <= ROTATION_TOLERANCE)) {
        throw new RangeError(
          `expected a rotation matrix, got rows ${i} and ${j} with inner product ${inner}`,
        );
      }
    }
  }
  const determinant =
    at(0, 0) * (at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1)) -
    at(0, 1) * (at(1, 0) * at(2, 2) - at(1, 2) * at(2, 0)) +
    at(0, 2) * (at(1, 0) * at(2, 1) - at(1, 1) * at(2, 0));
  if (!(determinant > 0)) {
    throw new RangeError("expected a rotation matrix, got a mirrored one: convert axes at the adapter");
  }
}
