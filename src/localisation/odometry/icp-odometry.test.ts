import { describe, expect, test } from "vitest";
import {
  compose,
  fromAxisAngle,
  invert,
  type Transform,
  toMatrix,
  transformDelta,
} from "../../geometry/index.ts";
import type { DepthImage, RgbImage } from "../../schema/core.ts";
import { NormalEquations } from "../normal-equations.ts";
import { motionBetween, moved } from "../registration.ts";
import { IcpOdometry } from "./icp-odometry.ts";
import { surfacesOf } from "./surface.ts";

/** Small, since the tests render every picture themselves. */
const intrinsics = { fx: 36, fy: 36, cx: 48, cy: 36, width: 96, height: 72 };

/** A room of 6 × 3 × 8 m with a painted pattern, seen from a pose: optical axes, y down. */
function look(worldFromCamera: Transform, isBare = false): { depth: DepthImage; rgb: RgbImage } {
  const { width, height, fx, fy, cx, cy } = intrinsics;
  const data = new Uint16Array(width * height);
  const rgb = new Uint8Array(width * height * 3);
  const m = toMatrix(worldFromCamera.q);
  const { p } = worldFromCamera;
  for (let v = 0; v < height; v++) {
    for (let u = 0; u < width; u++) {
      const [x, y] = [(u + 0.5 - cx) / fx, (v + 0.5 - cy) / fy];
      const dx = m[0] * x + m[1] * y + m[2];
      const dy = m[3] * x + m[4] * y + m[5];
      const dz = m[6] * x + m[7] * y + m[8];
      const toEnd = ((dz > 0 ? 4 : -4) - p.z) / dz;
      const toSide = isBare ? Infinity : ((dx > 0 ? 3 : -3) - p.x) / dx;
      const toFloor = isBare ? Infinity : ((dy > 0 ? 1.5 : -1.5) - p.y) / dy;
      const z = Math.min(toEnd, toSide, toFloor);
      const at = v * width + u;
      data[at] = z > 0 && z < 60 ? Math.round(z * 1000) : 0;
      const wx = p.x + dx * z;
      const wy = p.y + dy * z;
      const wz = p.z + dz * z;
      const paint = isBare
        ? 0.5
        : 0.5 + 0.2 * Math.sin(5 * wx) * Math.cos(4 * wz) + 0.2 * Math.sin(6 * wy + wx);
      rgb.fill(Math.round(255 * paint), at * 3, at * 3 + 3);
    }
  }
  return { depth: { width, height, data, unitM: 0.001 }, rgb: { width, height, data: rgb } };
}

/** Nine steps of a walk that turns. */
const walk = Array.from({ length: 9 }, (_, i): Transform => {
  const yaw = fromAxisAngle({ x: 0, y: 1, z: 0 }, 0.08 * i);
  return { p: { x: 0.05 * i, y: 0.02 * Math.sin(i), z: -1 + 0.06 * i }, q: yaw };
});

describe("RGB-D odometry", () => {
  test("follows a walk through a room within one per cent, the same each time", async () => {
    const run = async (steps: number) => {
      const odometry = new IcpOdometry();
      const estimates = [];
      for (const [i, pose] of walk.slice(0, steps).entries())
        estimates.push((await odometry.track({ timeUs: i * 100_000, intrinsics, ...look(pose) }))!);
      return estimates;
    };
    const estimates = await run(walk.length);
    const truth = compose(invert(walk[0]!), walk.at(-1)!);
    const last = estimates.at(-1)!;
    const { translationM, rotationRad } = transformDelta(last.originFromCamera, truth);
    expect(translationM).toBeLessThan(0.009);
    expect(rotationRad).toBeLessThan(0.005);
    expect(estimates.every(({ isTracked }) => isTracked)).toBe(true);
    expect(last.covariance[21]!).toBeGreaterThan(estimates[1]!.covariance[21]!);
    expect(await run(3)).toEqual(estimates.slice(0, 3));
  });

  test("finds a turn of 23° at once, as a robot makes at two frames a second", async () => {
    const odometry = new IcpOdometry();
    const turned: Transform = { p: { x: 0, y: 0, z: 0 }, q: fromAxisAngle({ x: 0, y: 1, z: 0 }, 0.4) };
    const still: Transform = { p: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } };
    await odometry.track({ timeUs: 0, intrinsics, ...look(still) });
    const found = (await odometry.track({ timeUs: 1, intrinsics, ...look(turned) }))!;
    const { translationM, rotationRad } = transformDelta(found.originFromCamera, turned);
    expect(rotationRad).toBeLessThan(0.01);
    expect(translationM).toBeLessThan(0.03);
  });

  test("knows that it is lost when nothing fits, and has nothing to say without depth", async () => {
    const odometry = new IcpOdometry();
    expect(await odometry.track({ timeUs: 0, intrinsics })).toBeUndefined();
    const { depth, rgb } = look(walk[0]!);
    await odometry.track({ timeUs: 0, intrinsics, depth, rgb });
    const noise = depth.data.map((_, i) => 500 + ((i * 7919) % 4000));
    const lost = await odometry.track({ timeUs: 1, intrinsics, depth: { ...depth, data: noise } });
    expect(lost!.isTracked).toBe(false);
  });

  test("does not slide along a bare wall", async () => {
    const odometry = new IcpOdometry();
    const still: Transform = { p: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } };
    for (let i = 0; i < 5; i++) {
      const seen = (await odometry.track({ timeUs: i, intrinsics, ...look(still, true) }))!;
      expect(transformDelta(seen.originFromCamera, still).translationM).toBeLessThan(0.01);
    }
  });
});

test("normals of a slanted plane are exact where it is whole", () => {
  const { depth } = look({ p: { x: 0, y: 0, z: 0 }, q: fromAxisAngle({ x: 0, y: 1, z: 0 }, 0.3) }, true);
  const [surface] = surfacesOf(depth, intrinsics, 1);
  const at = (36 * 96 + 48) * 3;
  expect(Math.abs(surface!.normals[at]!)).toBeCloseTo(Math.sin(0.3), 2);
  expect(surface!.normals[at + 2]!).toBeCloseTo(Math.cos(0.3), 2);
});

test("six unknowns are solved, and a problem without a single answer is none", () => {
  const equations = new NormalEquations();
  expect(equations.solve()).toBeUndefined();
  const planes = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 0],
    [0, 1, 1],
    [1, 0, 1],
  ] as const;
  const answer = [0.01, -0.02, 0.03, 0.1, 0.2, -0.3];
  for (const [x, y, z] of [
    [1, 2, 3],
    [-2, 1, 0],
    [3, -1, 2],
  ] as const) {
    for (const [nx, ny, nz] of planes) {
      const row = [y * nz - z * ny, z * nx - x * nz, x * ny - y * nx, nx, ny, nz];
      const residual = -row.reduce((sum, value, i) => sum + value * answer[i]!, 0);
      equations.add(x, y, z, nx, ny, nz, residual, 2);
    }
  }
  for (const [i, value] of answer.entries()) expect(equations.solve()![i]).toBeCloseTo(value, 9);
});

test("a motion and the motion between are inverse to each other", () => {
  const by = [0.2, -0.1, 0.3, 1, 2, 3];
  const there = moved(walk[3]!, by);
  for (const [i, value] of motionBetween(walk[3]!, there).entries()) expect(value).toBeCloseTo(by[i]!, 9);
});
