import * as fc from "fast-check";
import { expect, test } from "vitest";
import { boxContains, boxFromCentre, inflate } from "./box.ts";
import { closestOnRay, distanceToRay, type Ray, rayBox, rayPlane, rayTriangle } from "./ray.ts";
import { anyBox, anyUnit, anyVec3, fraction, real } from "./testing/arbitraries.ts";
import { add, distance, lerp, scale, subtract, type Vec3, vec3, ZERO } from "./vec3.ts";

const UNIT = boxFromCentre(ZERO, vec3(2, 2, 2));
const along = (ray: Ray, t: number): Vec3 => add(ray.origin, scale(ray.direction, t));
const ray = (origin: Vec3, direction: Vec3): Ray => ({ origin, direction });

test("rayBox from outside, inside, behind, beside and along a face", () => {
  const hit = rayBox(ray(vec3(-3, 0, 0), vec3(1, 0, 0)), UNIT)!;
  expect(hit.near).toBe(2);
  expect(hit.far).toBeCloseTo(4, 12);
  expect(rayBox(ray(ZERO, vec3(0, 0, 2)), UNIT)?.near).toBe(0);
  expect(rayBox(ray(ZERO, vec3(0, 0, 2)), UNIT)?.far).toBeCloseTo(0.5, 12);
  expect(rayBox(ray(vec3(3, 0, 0), vec3(1, 0, 0)), UNIT)).toBeUndefined();
  expect(rayBox(ray(vec3(-3, 1.001, 0), vec3(1, 0, 0)), UNIT)).toBeUndefined();
  expect(rayBox(ray(vec3(-3, 1, 0), vec3(1, 0, 0)), UNIT)?.near).toBe(2);
  expect(rayBox(ray(vec3(-3, 1, 1), vec3(1, -0, 0)), UNIT)?.near).toBe(2);
  expect(rayBox(ray(vec3(-3, -1, 0), vec3(1, 1, 0)), UNIT)?.near).toBe(2);
  expect(rayBox(ray(vec3(-3, Number.NaN, 0), vec3(1, 1, 0)), UNIT)).toBeUndefined();
});

test("a ray aimed at any point of a box hits it, and enters and leaves on its surface", () => {
  fc.assert(
    fc.property(anyVec3, anyBox, fraction, fraction, fraction, (origin, box, a, b, c) => {
      const target = vec3(
        lerp(box.min, box.max, a).x,
        lerp(box.min, box.max, b).y,
        lerp(box.min, box.max, c).z,
      );
      const aimed = ray(origin, subtract(target, origin));
      fc.pre(distance(origin, target) > 0.1);
      const wide = inflate(box, 1e-9);
      const hit = rayBox(aimed, wide);
      expect(hit).toBeDefined();
      expect(hit!.near).toBeLessThanOrEqual(1);
      expect(boxContains(inflate(wide, 1e-9), along(aimed, hit!.near))).toBe(true);
      expect(boxContains(inflate(wide, 1e-9), along(aimed, hit!.far))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test("a ray into the exact corner of a box is not lost to rounding", () => {
  fc.assert(
    fc.property(anyUnit, real(0.1, 50), (direction, t) => {
      fc.pre(direction.x !== 0 && direction.y !== 0 && direction.z !== 0);
      const corner = scale(direction, t);
      const point = { min: corner, max: corner };
      expect(rayBox(ray(ZERO, direction), point)).toBeDefined();
    }),
  );
});

test("rayPlane in front, behind, parallel", () => {
  const up = vec3(0, 0, 1);
  expect(rayPlane(ray(vec3(0, 0, 3), vec3(0, 0, -1)), ZERO, up)).toBe(3);
  expect(rayPlane(ray(vec3(0, 0, 3), vec3(0, 0, 1)), ZERO, up)).toBeUndefined();
  expect(rayPlane(ray(vec3(0, 0, 3), vec3(1, 0, 0)), ZERO, up)).toBeUndefined();
  expect(rayPlane(ray(ZERO, vec3(1, 0, 0)), ZERO, up)).toBeUndefined();
});

test("rayTriangle hits what is inside, edges included, from both sides", () => {
  const [a, b, c] = [vec3(0, 0, 0), vec3(4, 0, 0), vec3(0, 4, 0)];
  const down = (x: number, y: number) => rayTriangle(ray(vec3(x, y, 5), vec3(0, 0, -1)), a, b, c);
  expect(down(1, 1)).toBe(5);
  expect(down(0, 0)).toBe(5);
  expect(down(2, 2)).toBe(5);
  expect(down(2.01, 2.01)).toBeUndefined();
  expect(down(-0.01, 1)).toBeUndefined();
  expect(down(1, -0.01)).toBeUndefined();
  expect(rayTriangle(ray(vec3(1, 1, -5), vec3(0, 0, 1)), a, b, c)).toBe(5);
  expect(rayTriangle(ray(vec3(1, 1, -5), vec3(0, 0, -1)), a, b, c)).toBeUndefined();
  expect(rayTriangle(ray(vec3(1, 1, 0), vec3(1, 0, 0)), a, b, c)).toBeUndefined();
  expect(rayTriangle(ray(vec3(1, 1, 5), vec3(0, 0, -1)), a, a, c)).toBeUndefined();
});

test("distanceToRay is that of the half-line", () => {
  const forward = ray(vec3(1, 0, 0), vec3(2, 0, 0));
  expect(distanceToRay(vec3(5, 3, 4), forward)).toBe(5);
  expect(closestOnRay(vec3(5, 3, 4), forward)).toBe(2);
  expect(distanceToRay(vec3(-2, 4, 0), forward)).toBe(5);
  expect(distanceToRay(vec3(1, 2, 0), ray(vec3(1, 0, 0), ZERO))).toBe(2);
  fc.assert(
    fc.property(anyVec3, anyVec3, anyUnit, real(0, 300), (point, origin, direction, t) => {
      const r = ray(origin, direction);
      expect(distanceToRay(point, r)).toBeLessThanOrEqual(distance(point, along(r, t)) + 1e-9);
    }),
  );
});
