import { expect, test } from "vitest";
import { unite } from "./pieces.ts";
import { partition } from "./regions.ts";
import { boardOf, mapOf } from "./testing/known-map.ts";
import { thingsIn } from "./things.ts";

const SIZE_M = 0.025;

/** What is reported of an unnamed board of 40 × 20 cm with this edge vote. */
function shownOf(boundary: number) {
  const voxels = boardOf(SIZE_M, [0, 3, 1], 16, 8, () => ({ surface: [0, 0, 1], boundary }));
  const map = mapOf(SIZE_M, voxels);
  return thingsIn(map, partition(map, 2, 1), ["other", "mug"], 0);
}

test("what has no name and is all rim is no thing of its own", () => {
  expect(shownOf(0.75)).toHaveLength(1);
  expect(shownOf(0.85)).toHaveLength(0);
});

test("one side of a glass is a thing where the eyes surely call it so, though it is 5 cm wide", () => {
  const glasses = (named: number) => {
    const map = mapOf(
      SIZE_M,
      boardOf(SIZE_M, [0, 3, 1], 2, 7, () => ({ surface: [0, 0, 1], named, boundary: 0.2 })),
    );
    return thingsIn(map, partition(map, 2, 1), ["other", "glass"], 0).map(({ label }) => label);
  };
  expect(glasses(0.95)).toEqual(["glass"]);
  expect(glasses(0.4)).toEqual([]);
});

test("a counter around an inner corner is two things, each a run of it", () => {
  /** Off the edges of voxels. */
  const edgeM = SIZE_M / 2;
  const across = boardOf(SIZE_M, [0, 3 + edgeM, 0.1], 80, 32, () => ({ surface: [0, 1, 0], named: 0.95 }));
  const along = boardOf(SIZE_M, [1, edgeM, 0.1], 80, 32, () => ({
    surface: [0, 1, 0],
    named: 0.95,
  })).map(({ at: [x, , z], ...rest }) => ({
    ...rest,
    at: [edgeM, x, z] as const,
    normal: [1, 0, 0] as const,
  }));
  const map = mapOf(SIZE_M, [...across, ...along]);
  const cut = partition(map, 2, 1);
  const [first, ...others] = cut.regions;
  for (const other of others) unite(first!, other);
  const whole = { ...cut, regions: [first!], regionOf: new Int32Array(cut.seen.count) };
  const shown = thingsIn(map, whole, ["other", "counter"], 0);
  expect(shown.map(({ label, voxels }) => [label, voxels?.length])).toEqual([
    ["kitchen counter", across.length],
    ["kitchen counter", along.length],
  ]);
});
