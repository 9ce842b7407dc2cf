import { expect, test } from "vitest";
import { surfaceOf } from "./links.ts";
import { unite } from "./pieces.ts";
import { partition } from "./regions.ts";
import { boardOf, mapOf } from "./testing/known-map.ts";
import { closeness } from "./thingness.ts";
import { isLeftOver, leastScore, thingsIn } from "./things.ts";

const SIZE_M = 0.025;

/** What is shown of a board of 40 × 20 cm that has no name and of which the eyes say this much that it is an end. */
function shownOf(boundary: number) {
  const voxels = boardOf(SIZE_M, [0, 3, 1], 16, 8, () => ({ surface: [0, 0, 1], boundary }));
  const map = mapOf(SIZE_M, voxels);
  return thingsIn(map, partition(map, 2, 1), ["other", "mug"], 0);
}

test("what has no name and is all rim is no thing of its own", () => {
  expect(shownOf(0.75)).toHaveLength(1);
  expect(shownOf(0.85)).toHaveLength(0);
});

test("what has no name is shown by a higher score, and by a higher one still where it is small and was hardly looked at", () => {
  expect(leastScore("mug", 3, 0.1, 0.5)).toBe(0);
  expect(leastScore("laptop", 3, 0.2, 0.36)).toBe(0.5);
  expect(leastScore("mug", 2, 0.1)).toBe(0.5);
  expect(leastScore(undefined, 12, 0.1)).toBe(0.4);
  expect(leastScore(undefined, 3, 0.2)).toBe(0.6);
  expect(leastScore(undefined, 3, 0.1)).toBe(0.9);
  expect(leastScore(undefined, 1, 0.1)).toBe(0.6);
  expect(leastScore(undefined, 3, 1.5)).toBe(0.4);
  expect(leastScore(undefined, 2, 1.5)).toBe(0.5);
});

test("what few looks showed needs a higher score, unless the eyes are sure of its name", () => {
  expect(leastScore("curtain", 2, 1.5, 0.5)).toBeGreaterThan(leastScore("curtain", 2, 1.5, 0.9));
  expect(leastScore("curtain", 6, 1.5, 0.5)).toBe(0);
  expect(leastScore("bookcase", 9, 1.5, 0.46, 0.79)).toBe(0.5);
  expect(leastScore(undefined, 2, 1.5, 0.9)).toBe(leastScore(undefined, 2, 1.5, 0.1));
});

test("a rim is left over without a name or where it is small, and a thing is none", () => {
  const region = (boundary: number) => ({ members: [0, 1], edges: Float32Array.of(2 * boundary, 0, 0) });
  expect(isLeftOver("bottle", 0.1, region(0.86))).toBe(true);
  expect(isLeftOver(undefined, 1.2, region(0.86))).toBe(true);
  expect(isLeftOver("curtain", 1.2, region(0.86))).toBe(false);
  expect(isLeftOver("bottle", 0.1, region(0.6))).toBe(false);
});

test("specks that hang together by corners are less close than a sheet", () => {
  const sheet = boardOf(SIZE_M, [0, 3, 1], 8, 8, () => ({ surface: [0, 0, 1], boundary: 0.5 }));
  const specks = sheet.filter((_, n) => (n % 8) % 2 === Math.floor(n / 8) % 2);
  const count = (voxels: typeof sheet) => {
    const map = mapOf(SIZE_M, voxels);
    return closeness(map, surfaceOf(map, 1), { members: voxels.map((_, n) => n) });
  };
  expect(count(sheet)).toBeGreaterThan(6);
  expect(count(specks)).toBeLessThan(4);
});

test("a counter around an inner corner is two things, each a run of it", () => {
  /** Away from the edges of voxels. */
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
