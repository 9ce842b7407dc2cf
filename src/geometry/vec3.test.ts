import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyVec3, fraction } from "./testing/arbitraries.ts";
import {
  add,
  cross,
  distance,
  dot,
  isFiniteVec3,
  lengthOf,
  lerp,
  normalize,
  scale,
  subtract,
  vec3,
  ZERO,
} from "./vec3.ts";

test("arithmetic on known values", () => {
  expect(add(vec3(1, 2, 3), vec3(10, 20, 30))).toEqual(vec3(11, 22, 33));
  expect(subtract(vec3(1, 2, 3), vec3(10, 20, 30))).toEqual(vec3(-9, -18, -27));
  expect(scale(vec3(1, -2, 3), 2)).toEqual(vec3(2, -4, 6));
  expect(dot(vec3(1, 2, 3), vec3(4, -5, 6))).toBe(12);
  expect(lengthOf(vec3(2, 3, 6))).toBe(7);
  expect(distance(vec3(1, 1, 1), vec3(3, 4, 7))).toBe(7);
});

test("cross is right-handed", () => {
  expect(cross(vec3(1, 0, 0), vec3(0, 1, 0))).toEqual(vec3(0, 0, 1));
  expect(cross(vec3(0, 1, 0), vec3(0, 0, 1))).toEqual(vec3(1, 0, 0));
  expect(cross(vec3(0, 0, 1), vec3(1, 0, 0))).toEqual(vec3(0, 1, 0));
});

test("normalize gives unit length along the vector, and ZERO where there is no direction", () => {
  expect(normalize(vec3(0, -3, 4))).toEqual(vec3(0, -0.6, 0.8));
  expect(normalize(ZERO)).toBe(ZERO);
  expect(normalize(vec3(Number.NaN, 1, 0))).toBe(ZERO);
  expect(normalize(vec3(Infinity, 1, 0))).toBe(ZERO);
});

test("lerp is exact at both ends and stays on the segment", () => {
  fc.assert(
    fc.property(anyVec3, anyVec3, fraction, (a, b, t) => {
      expect(lerp(a, b, 0)).toEqual(a);
      expect(lerp(a, b, 1)).toEqual(b);
      const m = lerp(a, b, t);
      expect(distance(a, m) + distance(m, b)).toBeCloseTo(distance(a, b), 9);
      expect(distance(a, m)).toBeCloseTo(t * distance(a, b), 9);
    }),
  );
  expect(lerp(vec3(0, 0, 0), vec3(1, 2, 4), 2)).toEqual(vec3(2, 4, 8));
});

test("isFiniteVec3 looks at every component", () => {
  expect(isFiniteVec3(vec3(1, 2, 3))).toBe(true);
  for (const bad of [Number.NaN, Infinity, -Infinity]) {
    expect(isFiniteVec3(vec3(bad, 0, 0))).toBe(false);
    expect(isFiniteVec3(vec3(0, bad, 0))).toBe(false);
    expect(isFiniteVec3(vec3(0, 0, bad))).toBe(false);
  }
});
