import * as fc from "fast-check";
import { expect, test } from "vitest";
import { boxContains } from "./box.ts";
import {
  type Cone,
  coneBounds,
  coneContains,
  coneScore,
  type Direction,
  directionCone,
  transformCone,
} from "./cone.ts";
import { fromAxisAngle, fromYaw, rotate } from "./quat.ts";
import { anyTransform, anyUnit, anyVec3, fraction, real } from "./testing/arbitraries.ts";
import { apply, IDENTITY } from "./transform.ts";
import { add, cross, distance, normalize, scale, vec3, ZERO } from "./vec3.ts";

const [X, Y, Z] = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)];
const forward: Cone = { apex: ZERO, axis: vec3(1, 0, 0), halfAngleRad: Math.PI / 4, rangeM: 10 };
const halfAngle = fc.oneof(
  fc.constantFrom(0, Math.PI / 4, Math.PI / 2, (3 * Math.PI) / 4, Math.PI),
  real(0, Math.PI),
);
const anyCone: fc.Arbitrary<Cone> = fc.record({
  apex: anyVec3,
  axis: anyUnit,
  halfAngleRad: halfAngle,
  rangeM: real(0, 50),
});

test("closed: apex, side and range belong to the cone", () => {
  expect(coneContains(forward, ZERO)).toBe(true);
  expect(coneContains(forward, vec3(1, 1, 0))).toBe(true);
  expect(coneContains(forward, vec3(1, 1.000001, 0))).toBe(false);
  expect(coneContains(forward, vec3(10, 0, 0))).toBe(true);
  expect(coneContains(forward, vec3(10.000001, 0, 0))).toBe(false);
  expect(coneContains(forward, vec3(-1, 0, 0))).toBe(false);
  expect(coneContains(forward, vec3(Number.NaN, 0, 0))).toBe(false);
});

test("the side stays closed after any rotation", () => {
  fc.assert(
    fc.property(anyTransform, real(0, 6.28), (transform, around) => {
      const side = vec3(2, 2 * Math.cos(around), 2 * Math.sin(around));
      const near = { p: ZERO, q: transform.q };
      expect(coneContains(transformCone(near, forward), apply(near, side))).toBe(true);
    }),
  );
});

test("needle, half-space, wide and full cones", () => {
  const open = (halfAngleRad: number): Cone => ({ ...forward, halfAngleRad });
  expect(coneContains(open(0), vec3(5, 0, 0))).toBe(true);
  expect(coneContains(open(0), vec3(5, 1e-6, 0))).toBe(false);
  expect(coneContains(open(0), vec3(-5, 0, 0))).toBe(false);
  expect(coneContains(open(Math.PI / 2), vec3(0, 5, 0))).toBe(true);
  expect(coneContains(open(Math.PI / 2), vec3(-0.001, 5, 0))).toBe(false);
  expect(coneContains(open((3 * Math.PI) / 4), vec3(-1, 1, 0))).toBe(true);
  expect(coneContains(open((3 * Math.PI) / 4), vec3(-1, 0.99, 0))).toBe(false);
  expect(coneContains(open(Math.PI), vec3(-5, 0, 0))).toBe(true);
  expect(coneContains({ ...forward, axis: ZERO }, vec3(1, 0, 0))).toBe(false);
});

test("contains agrees with the angle measured by acos", () => {
  fc.assert(
    fc.property(anyCone, anyUnit, fraction, (cone, direction, t) => {
      const angle = Math.acos(
        Math.min(
          1,
          Math.max(-1, cone.axis.x * direction.x + cone.axis.y * direction.y + cone.axis.z * direction.z),
        ),
      );
      fc.pre(Math.abs(angle - cone.halfAngleRad) > 1e-6 && cone.rangeM > 1e-3 && t < 0.999);
      const point = add(cone.apex, scale(direction, t * cone.rangeM));
      fc.pre(t * cone.rangeM > 1e-3);
      expect(coneContains(cone, point)).toBe(angle < cone.halfAngleRad);
    }),
    { numRuns: 500 },
  );
});

test("bounds hold everything contained, also on the rim", () => {
  fc.assert(
    fc.property(anyCone, fraction, fraction, real(0, 6.2832), (cone, t, r, around) => {
      const sideways = normalize(
        cross(cone.axis, Math.abs(cone.axis.x) < 0.9 ? vec3(1, 0, 0) : vec3(0, 1, 0)),
      );
      const tilted = rotate(fromAxisAngle(sideways, t * cone.halfAngleRad), cone.axis);
      const direction = rotate(fromAxisAngle(cone.axis, around), tilted);
      const point = add(cone.apex, scale(direction, r * cone.rangeM));
      if (coneContains(cone, point)) expect(boxContains(coneBounds(cone), point)).toBe(true);
      const inner = add(cone.apex, scale(direction, 0.999 * r * cone.rangeM));
      const clear = t < 0.999 && r * cone.rangeM > 1e-3 && cone.halfAngleRad > 1e-3;
      if (clear) expect(coneContains(cone, inner)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test("bounds hold the outermost points that the closed side still admits", () => {
  let admitted = 0;
  fc.assert(
    fc.property(
      anyUnit,
      real(0.05, 1.5),
      fc.constantFrom(X, Y, Z),
      fc.boolean(),
      (axis, halfAngleRad, e, flip) => {
        const outwards = scale(e, flip ? -1 : 1);
        const cone: Cone = { apex: ZERO, axis, halfAngleRad, rangeM: 10 };
        const tilted = rotate(fromAxisAngle(cross(axis, outwards), halfAngleRad + 9e-13), axis);
        const point = scale(tilted, 10 - 1e-14);
        if (!coneContains(cone, point)) return;
        admitted++;
        expect(boxContains(coneBounds(cone), point)).toBe(true);
      },
    ),
    { numRuns: 500 },
  );
  expect(admitted).toBeGreaterThan(250);
});

test("bounds are tight on known cones", () => {
  const box = coneBounds(forward);
  const rim = 10 * Math.SQRT1_2;
  expect(distance(box.min, vec3(0, -rim, -rim))).toBeLessThan(1e-9);
  expect(distance(box.max, vec3(10, rim, rim))).toBeLessThan(1e-9);
  const ball = coneBounds({ ...forward, apex: vec3(1, 2, 3), halfAngleRad: Math.PI });
  expect(distance(ball.min, vec3(-9, -8, -7))).toBeLessThan(1e-9);
  expect(distance(ball.max, vec3(11, 12, 13))).toBeLessThan(1e-9);
  const wide = coneBounds({ ...forward, halfAngleRad: (3 * Math.PI) / 4 });
  expect(distance(wide.min, vec3(-rim, -10, -10))).toBeLessThan(1e-9);
  const needle = coneBounds({ ...forward, halfAngleRad: 0 });
  expect(distance(needle.max, vec3(10, 0, 0))).toBeLessThan(1e-9);
});

test("score is the cosine faded by distance (A-R12)", () => {
  expect(coneScore(forward, ZERO, 5)).toBe(1);
  expect(coneScore(forward, vec3(5, 0, 0), 5)).toBeCloseTo(Math.exp(-1), 12);
  expect(coneScore(forward, vec3(3, 3, 0), 5)).toBeCloseTo(Math.SQRT1_2 * Math.exp(-Math.sqrt(18) / 5), 12);
  expect(coneScore(forward, vec3(-2, 0, 0), 2)).toBeCloseTo(-Math.exp(-1), 12);
});

test("direction words follow the viewer: +X forward, +Y left, +Z up", () => {
  const facingNorth = { p: vec3(10, 10, 1), q: fromYaw(Math.PI / 2) };
  const where: [Direction, ReturnType<typeof vec3>][] = [
    ["front", vec3(10, 12, 1)],
    ["behind", vec3(10, 8, 1)],
    ["left", vec3(8, 10, 1)],
    ["right", vec3(12, 10, 1)],
    ["above", vec3(10, 10, 3)],
    ["below", vec3(10, 10, -1)],
  ];
  for (const [word, point] of where) {
    const containing = where.filter(([other]) => coneContains(directionCone(other, facingNorth, 5), point));
    expect(containing.map(([other]) => other)).toEqual([word]);
  }
  expect(directionCone("front", IDENTITY, 3).halfAngleRad).toBe(Math.PI / 4);
  expect(coneContains(directionCone("front", IDENTITY, 3, 0.1), vec3(2, 1, 0))).toBe(false);
  expect(() => directionCone("left", IDENTITY, Number.POSITIVE_INFINITY)).toThrow(RangeError);
  expect(() => directionCone("left", IDENTITY, 1, 4)).toThrow(RangeError);
});
