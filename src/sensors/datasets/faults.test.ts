import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fromAxisAngle, multiply, type Transform } from "../../geometry/index.ts";
import { describeSource } from "../open.ts";
import type { ReadOptions } from "../options.ts";
import { CAMERA, finerBy, POSES, type RoomFiles, writeRoom } from "../testing/room-files.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-faults-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function missing(how: RoomFiles, options: ReadOptions = {}): Promise<string> {
  await writeRoom(folder, how);
  return (await describeSource(folder, options)).missing.join(" ");
}

const noPose = () => undefined;

test("a sound recording lacks nothing", async () => {
  expect(await missing({})).toBe("");
});

test.each([
  [
    "focal lengths of another size",
    { camera: { ...CAMERA, fx: 80, fy: 80 } },
    /0\.5 times the focal length: give .*--intrinsics/,
  ],
  [
    "poses that belong to other pictures",
    { pose: (_: Transform, n: number) => POSES[(7 * n + 5) % POSES.length]! },
    /Depths do not fit the poses: .* Say what is different: --pose-convention/,
  ],
  [
    "depths in another unit, without poses",
    { pose: noPose, stepM: 0.0001, depthM: (z: number) => 20 * z },
    /--depth-unit/,
  ],
  [
    "depths in metres",
    { pose: noPose, stepM: 1 },
    /Depths are in another unit: half .* nearer than 0\.00\d+ m.*--depth-unit; 1 would make it \d/,
  ],
  [
    "depths without a measurement",
    { depthM: () => 0 },
    /Depths are empty \(all 5 that were looked at\): .* Export the depth/,
  ],
  ["black pictures", { grey: 2 }, /Pictures are black \(all 5 that were looked at\): .* lens cap/],
  ["three frames", { frames: 3 }, /Only 3 frames: .* Some 50 frames/],
] as const)("%s: the plan says what is wrong and what to give", async (_, how, said) => {
  expect(await missing(how)).toMatch(said);
});

test("colour of 4K beside coarse depth is as good", async () => {
  expect(await missing({ finer: 80, camera: finerBy(CAMERA, 80), frames: 8 })).toBe("");
});

test("a camera held upside down is turned over, and the plan says so", async () => {
  // It looks down, at more of the floor than of the ceiling.
  const held = multiply(
    fromAxisAngle({ x: 1, y: 0, z: 0 }, -0.6),
    fromAxisAngle({ x: 0, y: 0, z: 1 }, Math.PI),
  );
  await writeRoom(folder, { held, times: 6 });
  const { conventions, missing: lacks } = await describeSource(folder);
  expect(conventions.join(" ")).toMatch(/The camera was held upside down: turned over/);
  expect(lacks).toEqual([]);
});

test("ten thousand frames are described by a few of them", async () => {
  await writeRoom(folder, { frames: 10_000 });
  const { frames, poses, missing: lacks } = await describeSource(folder);
  expect({ frames, posed: poses?.count, lacks }).toEqual({ frames: 10_000, posed: 10_000, lacks: [] });
});
