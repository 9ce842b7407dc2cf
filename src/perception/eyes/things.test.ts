import { expect, test } from "vitest";
import { partition } from "./regions.ts";
import { boardOf, mapOf } from "./testing/known-map.ts";
import { thingsIn } from "./things.ts";

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
