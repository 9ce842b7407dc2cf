import * as fc from "fast-check";
import { expect, test } from "vitest";
import { boxContains, extentOf } from "./box.ts";
import {
  type Frustum,
  frustumBounds,
  frustumContains,
  frustumCorners,
  frustumFromIntrinsics,
  type Intrinsics,
  isInImage,
  project,
  transformFrustum,
  unproject,
} from "./frustum.ts";
import { fromMatrix } from "./quat.ts";
import { anyTransform, anyVec3, fraction, real } from "./testing/arbitraries.ts";
import { apply, IDENTITY, invert } from "./transform.ts";
import { add, distance, scale, subtract, vec3 } from "./vec3.ts";

const camera: Intrinsics = { fx: 100, fy: 100, cx: 100, cy: 50, width: 200, height: 100 };
const offCentre: Intrinsics = { ...camera, cx: 50, cy: 80 };
/** The optical frame of a robot that looks along world +X: camera Z is world X, camera X is −Y, camera Y is −Z. */
const lookingAlongX = { p: vec3(0, 0, 0), q: fromMatrix([0, 0, 1, -1, 0, 0, 0, -1, 0]) };
const anyFrustum: fc.Arbitrary<Frustum> = fc
  .record({
    worldFromCamera: anyTransform,
    tanHalfWidth: real(0.05, 3),
    tanHalfHeight: real(0.05, 3),
    nearM: real(0, 1),
    depthM: real(0, 30),
    tanOffsetX: real(-1, 1),
    tanOffsetY: real(-1, 1),
  })
  .map(({ depthM, ...rest }) => ({ ...rest, farM: rest.nearM + depthM }));

test("closed on all six faces, +Z forward, +X right, +Y down", () => {
  const frustum = frustumFromIntrinsics(camera, IDENTITY, 1, 10);
  for (const [x, y, z] of [
    [0, 0, 1],
    [0, 0, 10],
    [5, 0, 5],
    [-5, 0, 5],
    [0, 2.5, 5],
    [0, -2.5, 5],
  ]) {
    expect(frustumContains(frustum, vec3(x!, y!, z!))).toBe(true);
  }
  for (const [x, y, z] of [
    [0, 0, 0.999],
    [0, 0, 10.001],
    [5.001, 0, 5],
    [-5.001, 0, 5],
    [0, 2.501, 5],
    [0, -2.501, 5],
    [0, 0, -5],
    [Number.NaN, 0, 5],
  ]) {
    expect(frustumContains(frustum, vec3(x!, y!, z!))).toBe(false);
  }
});

test("a robot that looks along +X sees what is in front of it, its left on the left of the image", () => {
  const frustum = frustumFromIntrinsics(camera, lookingAlongX, 0.1, 10);
  expect(frustumContains(frustum, vec3(5, 0, 0))).toBe(true);
  expect(frustumContains(frustum, vec3(-5, 0, 0))).toBe(false);
  const left = project(camera, lookingAlongX, vec3(5, 2, 1))!;
  expect(left.u).toBeCloseTo(60, 9);
  expect(left.v).toBeCloseTo(30, 9);
  expect(left.depthM).toBeCloseTo(5, 9);
});

test("without offsets the frustum is symmetric; with them it follows the principal point", () => {
  const plain: Frustum = {
    worldFromCamera: IDENTITY,
    tanHalfWidth: 1,
    tanHalfHeight: 0.5,
    nearM: 1,
    farM: 10,
  };
  expect(frustumContains(plain, vec3(4.9, 0, 5))).toBe(true);
  expect(frustumContains(plain, vec3(-4.9, 0, 5))).toBe(true);
  const shifted = frustumFromIntrinsics(offCentre, IDENTITY, 1, 10);
  expect(frustumContains(shifted, vec3(7.4, 0, 5))).toBe(true);
  expect(frustumContains(shifted, vec3(-2.6, 0, 5))).toBe(false);
  expect(frustumContains(shifted, vec3(0, 0.9, 5))).toBe(true);
  expect(frustumContains(shifted, vec3(0, 1.1, 5))).toBe(false);
});

test("contains agrees with projecting into the image", () => {
  fc.assert(
    fc.property(anyTransform, anyVec3, fc.constantFrom(camera, offCentre), (pose, point, intrinsics) => {
      const pixel = project(intrinsics, pose, point);
      const { width, height } = intrinsics;
      const margin = pixel ? Math.min(pixel.u, width - pixel.u, pixel.v, height - pixel.v) : -1;
      fc.pre(
        Math.abs(margin) > 1e-6 && [0.5, 60].every((limit) => Math.abs((pixel?.depthM ?? 0) - limit) > 1e-6),
      );
      const expected =
        pixel !== undefined && isInImage(intrinsics, pixel) && pixel.depthM >= 0.5 && pixel.depthM <= 60;
      expect(frustumContains(frustumFromIntrinsics(intrinsics, pose, 0.5, 60), point)).toBe(expected);
    }),
    { numRuns: 1000 },
  );
});

test("bounds hold everything contained and touch every corner", () => {
  fc.assert(
    fc.property(anyFrustum, fraction, fraction, fraction, (frustum, a, b, c) => {
      const bounds = frustumBounds(frustum);
      const corners = frustumCorners(frustum);
      for (const corner of corners) {
        expect(boxContains(bounds, corner)).toBe(true);
        const nudged = add(corner, scale(subtract(corner, frustum.worldFromCamera.p), 2e-16));
        for (const [x, y, z] of [
          [1, 0, 0],
          [-1, 0, 0],
          [0, 1, 0],
          [0, -1, 0],
          [0, 0, 1],
          [0, 0, -1],
        ] as const) {
          const outside = add(nudged, vec3(x * 1e-14, y * 1e-14, z * 1e-14));
          if (frustumContains(frustum, outside)) expect(boxContains(bounds, outside)).toBe(true);
        }
      }
      const mix = (i: number, j: number, t: number) => add(scale(corners[i]!, 1 - t), scale(corners[j]!, t));
      const top = add(scale(mix(0, 1, a), 1 - c), scale(mix(4, 5, a), c));
      const bottom = add(scale(mix(3, 2, a), 1 - c), scale(mix(7, 6, a), c));
      const point = add(scale(top, 1 - b), scale(bottom, b));
      if (frustumContains(frustum, point)) expect(boxContains(bounds, point)).toBe(true);
      const strictly =
        [a, b, c].every((t) => t > 1e-3 && t < 1 - 1e-3) && frustum.farM - frustum.nearM > 1e-3;
      if (strictly) expect(frustumContains(frustum, point)).toBe(true);
    }),
    { numRuns: 1000 },
  );
  const size = extentOf(frustumBounds(frustumFromIntrinsics(camera, IDENTITY, 1, 10)));
  expect(distance(size, vec3(20, 10, 9))).toBeLessThan(1e-9);
});

test("transformFrustum moves the contents along", () => {
  fc.assert(
    fc.property(anyFrustum, anyTransform, anyVec3, (frustum, move, point) => {
      const local = apply(invert(frustum.worldFromCamera), point);
      const edge = Math.min(
        Math.abs(Math.abs(local.x - frustum.tanOffsetX! * local.z) - frustum.tanHalfWidth * local.z),
        Math.abs(Math.abs(local.y - frustum.tanOffsetY! * local.z) - frustum.tanHalfHeight * local.z),
        Math.abs(local.z - frustum.nearM),
        Math.abs(local.z - frustum.farM),
      );
      fc.pre(edge > 1e-9);
      expect(frustumContains(transformFrustum(move, frustum), apply(move, point))).toBe(
        frustumContains(frustum, point),
      );
    }),
  );
});

test("unproject undoes project; nothing behind the camera projects", () => {
  fc.assert(
    fc.property(anyTransform, anyVec3, (pose, point) => {
      const pixel = project(offCentre, pose, point);
      const depth = apply(invert(pose), point).z;
      fc.pre(Math.abs(depth) > 1e-6);
      expect(pixel !== undefined).toBe(depth > 0);
      if (pixel) expect(distance(unproject(offCentre, pose, pixel), point)).toBeLessThan(1e-9);
    }),
  );
  expect(project(camera, IDENTITY, vec3(0, 0, 0))).toBeUndefined();
});

test("the image is half-open and impossible cameras are refused", () => {
  expect(isInImage(camera, { u: 0, v: 0 })).toBe(true);
  expect(isInImage(camera, { u: 200, v: 0 })).toBe(false);
  expect(isInImage(camera, { u: 0, v: 100 })).toBe(false);
  expect(isInImage(camera, { u: -0.1, v: 5 })).toBe(false);
  expect(() => frustumFromIntrinsics({ ...camera, fx: 0 }, IDENTITY, 0, 1)).toThrow(RangeError);
  expect(() => frustumFromIntrinsics(camera, IDENTITY, 2, 1)).toThrow(RangeError);
  expect(() => frustumFromIntrinsics(camera, IDENTITY, 0, Infinity)).toThrow(RangeError);
});
