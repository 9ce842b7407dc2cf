import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  angleBetween,
  conjugate,
  fromAxisAngle,
  fromEuler,
  fromMatrix,
  fromYaw,
  IDENTITY_QUAT,
  multiply,
  normalizeQuat,
  type Quat,
  rotate,
  slerp,
  toMatrix,
  yawOf,
} from "./quat.ts";
import { anyQuat, anyVec3, fraction, real } from "./testing/arbitraries.ts";
import { distance, lengthOf, type Vec3, vec3 } from "./vec3.ts";

const X = vec3(1, 0, 0);
const Y = vec3(0, 1, 0);
const Z = vec3(0, 0, 1);
const close = (actual: Vec3, expected: Vec3, within = 1e-12) =>
  expect(distance(actual, expected)).toBeLessThanOrEqual(within);

test("yaw turns +X towards +Y, pitch turns +X down, roll turns +Y up", () => {
  close(rotate(fromYaw(Math.PI / 2), X), Y);
  close(rotate(fromEuler(0, Math.PI / 2, 0), X), vec3(0, 0, -1));
  close(rotate(fromEuler(Math.PI / 2, 0, 0), Y), Z);
  close(rotate(fromEuler(Math.PI / 2, 0, Math.PI / 2), Y), Z);
  close(rotate(fromAxisAngle(vec3(0, 0, 5), Math.PI / 2), X), Y);
  expect(fromAxisAngle(vec3(0, 0, 0), 1)).toEqual(IDENTITY_QUAT);
});

test("fromEuler is yaw after pitch after roll", () => {
  const angle = real(-3, 3);
  fc.assert(
    fc.property(angle, angle, angle, anyVec3, (roll, pitch, yaw, v) => {
      const steps = multiply(
        fromAxisAngle(Z, yaw),
        multiply(fromAxisAngle(Y, pitch), fromAxisAngle(X, roll)),
      );
      close(rotate(fromEuler(roll, pitch, yaw), v), rotate(steps, v), 1e-11);
    }),
  );
});

test("yawOf undoes fromYaw, also under pitch and roll", () => {
  const yaw = real(-3.14, 3.14);
  const tilt = real(-1.5, 1.5);
  fc.assert(
    fc.property(yaw, tilt, tilt, (yawRad, pitch, roll) => {
      expect(yawOf(fromEuler(roll, pitch, yawRad))).toBeCloseTo(yawRad, 9);
    }),
  );
});

test("rotation keeps lengths, composes and inverts", () => {
  fc.assert(
    fc.property(anyQuat, anyQuat, anyVec3, (a, b, v) => {
      expect(lengthOf(rotate(a, v))).toBeCloseTo(lengthOf(v), 9);
      close(rotate(multiply(a, b), v), rotate(a, rotate(b, v)), 1e-11);
      close(rotate(conjugate(a), rotate(a, v)), v, 1e-11);
    }),
  );
});

test("rotate and toMatrix agree to the last bit", () => {
  fc.assert(
    fc.property(anyQuat, anyVec3, (q, v) => {
      const m = toMatrix(q);
      const r = rotate(q, v);
      expect(r.x).toBe(m[0] * v.x + m[1] * v.y + m[2] * v.z);
      expect(r.y).toBe(m[3] * v.x + m[4] * v.y + m[5] * v.z);
      expect(r.z).toBe(m[6] * v.x + m[7] * v.y + m[8] * v.z);
    }),
  );
});

test("fromMatrix undoes toMatrix in all four branches", () => {
  const halfTurns: Quat[] = [X, Y, Z].map((axis) => fromAxisAngle(axis, Math.PI));
  for (const q of [IDENTITY_QUAT, ...halfTurns])
    expect(angleBetween(fromMatrix(toMatrix(q)), q)).toBeLessThan(1e-12);
  fc.assert(
    fc.property(anyQuat, (q) => {
      expect(angleBetween(fromMatrix(toMatrix(q)), q)).toBeLessThan(1e-12);
    }),
  );
});

test("fromMatrix refuses what is not a rotation", () => {
  expect(() => fromMatrix([1, 0, 0, 0, 1, 0, 0, 0, -1])).toThrow(/mirrored/);
  expect(() => fromMatrix([2, 0, 0, 0, 2, 0, 0, 0, 2])).toThrow(RangeError);
  expect(() => fromMatrix([1, 0.1, 0, 0, 1, 0, 0, 0, 1])).toThrow(RangeError);
  expect(() => fromMatrix([Number.NaN, 0, 0, 0, 1, 0, 0, 0, 1])).toThrow(RangeError);
  expect(() => fromMatrix([1, 0, 0, 0, 1, 0])).toThrow(RangeError);
  expect(fromMatrix([1.001, 0, 0, 0, 0.999, 0, 0, 0, 1])).toEqual(IDENTITY_QUAT);
});

test("slerp takes the shorter arc at constant speed", () => {
  fc.assert(
    fc.property(anyQuat, anyQuat, fraction, (a, b, t) => {
      const whole = angleBetween(a, b);
      fc.pre(whole < 3.14);
      const m = slerp(a, b, t);
      expect(angleBetween(a, m)).toBeCloseTo(t * whole, 6);
      expect(angleBetween(m, b)).toBeCloseTo((1 - t) * whole, 6);
      expect(m.w * m.w + m.x * m.x + m.y * m.y + m.z * m.z).toBeCloseTo(1, 12);
    }),
  );
  const almost = fromYaw(1e-9);
  expect(yawOf(slerp(IDENTITY_QUAT, almost, 0.25))).toBeCloseTo(0.25e-9, 20);
});

test("angleBetween sees small angles and ignores the sign of the quaternion", () => {
  expect(angleBetween(IDENTITY_QUAT, fromYaw(1e-10))).toBeCloseTo(1e-10, 20);
  expect(angleBetween({ w: -1, x: 0, y: 0, z: 0 }, IDENTITY_QUAT)).toBe(0);
  expect(angleBetween(fromYaw(-1), fromYaw(1))).toBeCloseTo(2, 12);
});

test("normalizeQuat refuses what is no rotation", () => {
  expect(normalizeQuat({ w: 0, x: 0, y: 0, z: 2 })).toEqual({ w: 0, x: 0, y: 0, z: 1 });
  expect(() => normalizeQuat({ w: 0, x: 0, y: 0, z: 0 })).toThrow(RangeError);
  expect(() => normalizeQuat({ w: Number.NaN, x: 0, y: 0, z: 1 })).toThrow(RangeError);
});
