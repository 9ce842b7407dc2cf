import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type Box,
  boxContains,
  boxesIntersect,
  boxFromCentre,
  boxFromPoints,
  centreOf,
  diagonalOf,
  distanceToBox,
  extentOf,
  gapBetween,
  inflate,
  intersectionVolume,
  iou,
  transformBox,
  unionBoxes,
  volumeOf,
} from "./box.ts";
import { fromYaw } from "./quat.ts";
import { anyBox, anyTransform, anyVec3, fraction } from "./testing/arbitraries.ts";
import { apply, IDENTITY } from "./transform.ts";
import { add, distance, type Vec3, vec3, ZERO } from "./vec3.ts";

const UNIT = boxFromCentre(ZERO, vec3(1, 1, 1));
const at = (x: number, y = 0, z = 0, size = 1): Box => boxFromCentre(vec3(x, y, z), vec3(size, size, size));
const insidePoint = (box: Box, a: number, b: number, c: number): Vec3 => ({
  x: Math.min(box.max.x, box.min.x + a * (box.max.x - box.min.x)),
  y: Math.min(box.max.y, box.min.y + b * (box.max.y - box.min.y)),
  z: Math.min(box.max.z, box.min.z + c * (box.max.z - box.min.z)),
});
const includes = (outer: Box, inner: Box) => boxContains(outer, inner.min) && boxContains(outer, inner.max);

test("extent is the full size", () => {
  const box = boxFromCentre(vec3(1, 2, 3), vec3(2, 4, 6));
  expect(box).toEqual({ min: vec3(0, 0, 0), max: vec3(2, 4, 6) });
  expect(centreOf(box)).toEqual(vec3(1, 2, 3));
  expect(extentOf(box)).toEqual(vec3(2, 4, 6));
  expect(volumeOf(box)).toBe(48);
  expect(diagonalOf(boxFromCentre(ZERO, vec3(2, 3, 6)))).toBe(7);
  expect(centreOf({ min: vec3(0, 0, -Number.MAX_VALUE), max: vec3(2, 2, Number.MAX_VALUE) })).toEqual(
    vec3(1, 1, 0),
  );
});

test("boxFromPoints is tight, and undefined for nothing", () => {
  expect(boxFromPoints([])).toBeUndefined();
  expect(boxFromPoints([vec3(1, 5, -1), vec3(-1, 2, 7)])).toEqual({
    min: vec3(-1, 2, -1),
    max: vec3(1, 5, 7),
  });
});

test("closed: faces, edges and corners touch, a hair apart does not", () => {
  expect(boxesIntersect(UNIT, at(1))).toBe(true);
  expect(boxesIntersect(UNIT, at(1, 1, 1))).toBe(true);
  for (const [x, y, z] of [
    [1.001, 0, 0],
    [0, 1.001, 0],
    [0, 0, 1.001],
    [-1.001, 0, 0],
    [0, -1.001, 0],
    [0, 0, -1.001],
  ]) {
    expect(boxesIntersect(UNIT, at(x!, y, z))).toBe(false);
  }
  expect(boxContains(UNIT, vec3(0.5, 0.5, -0.5))).toBe(true);
  for (const [x, y, z] of [
    [0.501, 0, 0],
    [0, 0.501, 0],
    [0, 0, 0.501],
    [-0.501, 0, 0],
    [0, -0.501, 0],
    [0, 0, -0.501],
  ]) {
    expect(boxContains(UNIT, vec3(x!, y!, z!))).toBe(false);
  }
  expect(boxContains(UNIT, vec3(Number.NaN, 0, 0))).toBe(false);
});

test("overlap measures on known boxes", () => {
  expect(intersectionVolume(UNIT, at(0.5))).toBe(0.5);
  expect(intersectionVolume(UNIT, at(1))).toBe(0);
  expect(intersectionVolume(UNIT, at(3, 3, 3))).toBe(0);
  expect(iou(UNIT, at(0.5))).toBeCloseTo(1 / 3, 12);
  expect(iou(UNIT, UNIT)).toBe(1);
  const sheet = boxFromCentre(ZERO, vec3(1, 1, 0));
  expect(iou(sheet, sheet)).toBe(1);
  expect(iou(sheet, boxFromCentre(vec3(0.1, 0, 0), vec3(1, 1, 0)))).toBe(0);
  expect(iou(sheet, UNIT)).toBe(0);
});

test("union holds its parts and nothing smaller does", () => {
  expect(unionBoxes(UNIT, at(2), at(0, -3))).toEqual({
    min: vec3(-0.5, -3.5, -0.5),
    max: vec3(2.5, 0.5, 0.5),
  });
  expect(unionBoxes(UNIT)).toEqual(UNIT);
});

test("intersection agrees between its three measures", () => {
  fc.assert(
    fc.property(anyBox, anyBox, (a, b) => {
      expect(boxesIntersect(a, b)).toBe(gapBetween(a, b) === 0);
      expect(gapBetween(a, b)).toBe(gapBetween(b, a));
      if (intersectionVolume(a, b) > 0) expect(boxesIntersect(a, b)).toBe(true);
      expect(iou(a, b)).toBeGreaterThanOrEqual(0);
      expect(iou(a, b)).toBeLessThanOrEqual(1);
    }),
  );
});

test("distances: 0 inside, to the face, to the corner", () => {
  expect(distanceToBox(vec3(0.5, 0, 0), UNIT)).toBe(0);
  expect(distanceToBox(vec3(0, 0, -2.5), UNIT)).toBe(2);
  expect(distanceToBox(vec3(2.5, 3.5, 6.5), UNIT)).toBe(7);
  expect(gapBetween(UNIT, at(3))).toBe(2);
  expect(gapBetween(UNIT, at(3, 4, 7))).toBe(7);
  fc.assert(
    fc.property(anyVec3, anyBox, fraction, fraction, fraction, (point, box, a, b, c) => {
      const d = distanceToBox(point, box);
      expect(d).toBeLessThanOrEqual(distance(point, insidePoint(box, a, b, c)) * (1 + 1e-12));
      expect(gapBetween({ min: point, max: point }, box)).toBe(d);
    }),
  );
});

test("inflate moves faces, and collapses to the middle rather than turning over", () => {
  expect(inflate(UNIT, 0.5)).toEqual(at(0, 0, 0, 2));
  expect(inflate(boxFromCentre(vec3(1, 0, 0), vec3(4, 1, 1)), -1)).toEqual({
    min: vec3(0, 0, 0),
    max: vec3(2, 0, 0),
  });
});

test("a transformed box holds every transformed point of it to the last bit", () => {
  fc.assert(
    fc.property(anyTransform, anyBox, fraction, fraction, fraction, (transform, box, a, b, c) => {
      const moved = transformBox(transform, box);
      expect(boxContains(moved, apply(transform, insidePoint(box, a, b, c)))).toBe(true);
      for (const x of [box.min.x, box.max.x])
        for (const y of [box.min.y, box.max.y])
          for (const z of [box.min.z, box.max.z])
            expect(boxContains(moved, apply(transform, vec3(x, y, z)))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("a transformed box is as tight as its corners, and inclusion survives the transform", () => {
  fc.assert(
    fc.property(anyTransform, anyBox, anyBox, (transform, a, b) => {
      const whole = unionBoxes(a, b);
      expect(includes(transformBox(transform, whole), transformBox(transform, a))).toBe(true);
      const corners = [a.min.x, a.max.x].flatMap((x) =>
        [a.min.y, a.max.y].flatMap((y) => [a.min.z, a.max.z].map((z) => apply(transform, vec3(x, y, z)))),
      );
      const brute = boxFromPoints(corners)!;
      expect(includes(inflate(brute, 1e-11), transformBox(transform, a))).toBe(true);
    }),
  );
  expect(transformBox(IDENTITY, UNIT)).toEqual(UNIT);
  const turned = transformBox({ p: vec3(1, 0, 0), q: fromYaw(Math.PI / 4) }, UNIT);
  expect(distance(turned.max, add(vec3(1, 0, 0), vec3(Math.SQRT1_2, Math.SQRT1_2, 0.5)))).toBeLessThan(1e-12);
});
