import { expect, test } from "vitest";
import { surfaceOf } from "./links.ts";
import { isLikeWall } from "./patches.ts";
import { regionOfMembers } from "./pieces.ts";
import { boardOf, mapOf } from "./testing/known-map.ts";

const SIZE_M = 0.025;
const [ACROSS, UP] = [24, 16];

interface Patch {
  /** Votes for wall, distance from the wall, and grey value. */
  readonly wall?: number;
  readonly outM?: number;
  readonly grey?: number;
  readonly label?: string | undefined;
}

/** Whether a patch in the middle of a wall counts as wall. The wall has grey 128 and is voted wall. */
function isTaken({ wall = 0.3, outM = 0, grey = 128, label }: Patch): boolean {
  const isPatch = (column: number, row: number) => column >= 8 && column < 16 && row >= 5 && row < 11;
  const voxels = boardOf(SIZE_M, [0, 3.01, 0], ACROSS, UP, (column, row) => ({
    surface: isPatch(column, row) ? [wall, 0, 1 - wall] : [0.9, 0, 0.1],
    named: 0.8,
  })).map((voxel, n) =>
    isPatch(n % ACROSS, Math.floor(n / ACROSS))
      ? { ...voxel, at: [voxel.at[0], voxel.at[1] - outM, voxel.at[2]] as const }
      : voxel,
  );
  const map = mapOf(SIZE_M, voxels);
  const seen = surfaceOf(map, 1);
  const members = Array.from({ length: seen.count }, (_, n) => n);
  const { rgb, weight } = map.columns;
  for (const voxel of seen.voxels) for (let k = 0; k < 3; k++) rgb[3 * voxel + k] = grey * weight[voxel]!;
  expect(members).toHaveLength(8 * 6);
  return isLikeWall(map, seen, regionOfMembers(map, seen, members, 4), label);
}

test("a patch in the plane of a wall that has its colour is wall, though the eyes call it paper", () => {
  expect(isTaken({})).toBe(true);
  expect(isTaken({ label: "paper" })).toBe(true);
  expect(isTaken({ grey: 145 })).toBe(true);
});

test("what has another colour hangs there, and so does what stands out", () => {
  expect(isTaken({ grey: 220 })).toBe(false);
  expect(isTaken({ outM: 0.05 })).toBe(false);
});

test("the frame of a window may have the colour of its wall", () => {
  expect(isTaken({ label: "window" })).toBe(false);
});

test("what the eyes hardly take for wall is none: a mirror has its colour", () => {
  expect(isTaken({ wall: 0.1 })).toBe(false);
});
