import { expect, test } from "vitest";
import { surfaceOf } from "./links.ts";
import { partsOf } from "./partitions.ts";
import { boardOf, mapOf } from "./testing/known-map.ts";

const SIZE_M = 0.05;

test("a wall parts what stands on its two sides, and nothing that stands on one", () => {
  const wall = boardOf(SIZE_M, [-2, 0, 0], 80, 40, () => ({ surface: [0.95, 0.05, 0] }));
  const map = mapOf(SIZE_M, wall);
  const isApart = partsOf(map, surfaceOf(map, 1));
  expect(isApart([0, -1, 0.5], [0, 1, 0.5])).toBe(true);
  expect(isApart([-1, -1, 0.5], [1, -1, 0.5])).toBe(false);
  // A thing hanging on it belongs to the room in which it hangs.
  expect(isApart([0, -0.05, 1.5], [0.5, -1.5, 0.5])).toBe(false);
  expect(isApart([2.5, -1, 0.5], [2.5, 1, 0.5])).toBe(false);
});

test("a threshold parts nothing, nor does furniture", () => {
  const low = boardOf(SIZE_M, [-2, 0, 0], 80, 3, () => ({ surface: [0.95, 0.05, 0] }));
  const shelf = boardOf(SIZE_M, [-2, 0.5, 0], 80, 40, () => ({ surface: [0.05, 0.95, 0] }));
  const map = mapOf(SIZE_M, [...low, ...shelf]);
  expect(partsOf(map, surfaceOf(map, 1))([0, -1, 0.5], [0, 1, 0.5])).toBe(false);
});
