import * as fc from "fast-check";
import { expect, test } from "vitest";
import { fromYaw } from "./quat.ts";
import { anyTransform, anyVec3 } from "./testing/arbitraries.ts";
import {
  apply,
  applyDirection,
  compose,
  fromMatrix4,
  IDENTITY,
  interpolate,
  invert,
  toMatrix4,
  transformDelta,
} from "./transform.ts";
import { distance, vec3 } from "./vec3.ts";

const worldFromRobot = { p: vec3(10, 20, 0), q: fromYaw(Math.PI / 2) };

test("parentFromChild takes child coordinates to the parent", () => {
  expect(distance(apply(worldFromRobot, vec3(1, 0, 3)), vec3(10, 21, 3))).toBeLessThan(1e-12);
  expect(distance(applyDirection(worldFromRobot, vec3(1, 0, 3)), vec3(0, 1, 3))).toBeLessThan(1e-12);
});

test("compose applies the inner one first; invert undoes", () => {
  fc.assert(
    fc.property(anyTransform, anyTransform, anyVec3, (a, b, v) => {
      expect(distance(apply(compose(a, b), v), apply(a, apply(b, v)))).toBeLessThan(1e-10);
      expect(distance(apply(invert(a), apply(a, v)), v)).toBeLessThan(1e-10);
      const there = transformDelta(compose(a, invert(a)), IDENTITY);
      expect(there.translationM).toBeLessThan(1e-10);
      expect(there.rotationRad).toBeLessThan(1e-10);
    }),
  );
});

test("matrices round trip", () => {
  fc.assert(
    fc.property(anyTransform, (t) => {
      const back = transformDelta(fromMatrix4(toMatrix4(t)), t);
      expect(back.translationM).toBe(0);
      expect(back.rotationRad).toBeLessThan(1e-12);
    }),
  );
  expect(toMatrix4({ p: vec3(1, 2, 3), q: IDENTITY.q })).toEqual([
    1, 0, 0, 1, 0, 1, 0, 2, 0, 0, 1, 3, 0, 0, 0, 1,
  ]);
});

test("fromMatrix4 refuses column-major, lost and short matrices", () => {
  expect(() => fromMatrix4([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1])).toThrow(/column-major/);
  expect(() => fromMatrix4(new Array(16).fill(-Infinity))).toThrow(RangeError);
  expect(() => fromMatrix4([1, 0, 0, Number.NaN, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1])).toThrow(/finite/);
  expect(() => fromMatrix4([1, 0, 0])).toThrow(RangeError);
});

test("interpolate is exact at the ends and halfway in the middle", () => {
  fc.assert(
    fc.property(anyTransform, anyTransform, (a, b) => {
      expect(interpolate(a, b, 0)).toEqual(a);
      expect(interpolate(a, b, 1)).toEqual(b);
    }),
  );
  const half = interpolate(IDENTITY, { p: vec3(2, 0, 0), q: fromYaw(1) }, 0.5);
  expect(transformDelta(half, { p: vec3(1, 0, 0), q: fromYaw(0.5) }).rotationRad).toBeLessThan(1e-12);
  expect(half.p).toEqual(vec3(1, 0, 0));
});

test("transformDelta measures both parts", () => {
  const delta = transformDelta({ p: vec3(0, 0, 0), q: fromYaw(0.1) }, { p: vec3(3, 4, 0), q: fromYaw(0.4) });
  expect(delta.translationM).toBe(5);
  expect(delta.rotationRad).toBeCloseTo(0.3, 12);
});
