import { expect, test } from "vitest";
import { fromYaw, type Transform } from "../geometry/index.ts";
import type { Frame } from "../sensors/index.ts";
import { Stretches } from "./stretches.ts";

const INTRINSICS = { fx: 1, fy: 1, cx: 0.5, cy: 0.5, width: 1, height: 1 };

function frameAt(seconds: number, x: number, yawRad = 0, sensorId = "camera"): Frame {
  const worldFromCamera: Transform = { p: { x, y: 0, z: 1 }, q: fromYaw(yawRad) };
  const timeUs = 1_700_000_000_000_000 + Math.round(seconds * 1e6);
  return {
    index: 0,
    timeUs,
    agentId: "robot",
    sensorId,
    intrinsics: INTRINSICS,
    mapFrame: "world",
    worldFromCamera,
  };
}

function stretchesOf(frames: readonly Frame[]): number[] {
  const stretches = new Stretches();
  return frames.map((frame) => stretches.of(frame));
}

test("a robot that drives and turns goes on", () => {
  const way = Array.from({ length: 20 }, (_, n) => frameAt(n / 2, 0.4 * n, 0.5 * n));
  expect(new Set(stretchesOf(way))).toEqual(new Set([0]));
});

test("poses that jump have another origin from then on, for each camera of the robot", () => {
  const way = [0, 1, 2, 3].flatMap((n) =>
    ["left", "right"].map((sensor) => frameAt(n / 2, n < 2 ? 5 + 0.3 * n : 0.1 * n, 0, sensor)),
  );
  expect(stretchesOf(way)).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
});

test("one pose that jumped away and back is an outlier", () => {
  const way = [0, 1, 2, 3, 4].map((n) => frameAt(n / 2, n === 2 ? 9 : 0.3 * n));
  expect(stretchesOf(way)).toEqual([0, 0, 1, 0, 0]);
});

test("after a pause poses go on only where they were", () => {
  const going = [0, 0.5, 1, 1.5].map((s) => frameAt(s, 0.2 * s));
  expect(stretchesOf([...going, frameAt(31, 0.5)]).at(-1)).toBe(0);
  expect(stretchesOf([...going, frameAt(31, 2.5)]).at(-1)).toBe(1);
  const slow = [0, 20, 40, 60].map((s) => frameAt(s, 0.1 * s));
  expect(new Set(stretchesOf(slow))).toEqual(new Set([0]));
});
