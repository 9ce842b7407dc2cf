import { expect, test } from "vitest";
import { surfaceOf } from "./links.ts";
import { magazineOr, printedOrNot } from "./print.ts";
import { type KnownVoxel, mapOf } from "./testing/known-map.ts";

const SIZE_M = 0.025;
const PAPER = { label: "paper", maybe: [] };

/** What 20 × 30 cm of paper on a table are called, grey by its columns. */
function calledBy(greyOf: (column: number) => number, highM = 0.02) {
  const voxels = Array.from({ length: 8 * 12 }, (_, n): KnownVoxel => {
    const at = [((n % 8) + 0.5) * SIZE_M, (Math.floor(n / 8) + 0.5) * SIZE_M, 0.76] as const;
    return { at, normal: [0, 0, 1], surface: [0, 0, 1], boundary: 0.1 };
  });
  const map = mapOf(SIZE_M, voxels);
  const { rgb, weight } = map.columns;
  voxels.forEach(({ at }, n) => {
    const voxel = map.at(...at);
    for (let k = 0; k < 3; k++) rgb[3 * voxel + k] = greyOf(n % 8) * weight[voxel]!;
  });
  const seen = surfaceOf(map, 1);
  return magazineOr(PAPER, { highM, region: { members: [...seen.voxels.keys()] } }, seen, map).label;
}

test("paper that lies, dark here and light there, is a magazine; a sheet is even, in the shade too", () => {
  expect(calledBy((column) => (column < 3 ? 70 : 200))).toBe("magazine");
  expect(calledBy(() => 200)).toBe("paper");
  expect(calledBy(() => 90)).toBe("paper");
  expect(calledBy((column) => (column < 4 ? 150 : 200))).toBe("paper");
});

test("what is printed so and stands is not told by that", () => {
  expect(calledBy((column) => (column < 3 ? 70 : 200), 0.2)).toBe("paper");
});

test("what lies and is as thick as a lunch box is no print, and what leans may be", () => {
  const called = (highM: number) =>
    printedOrNot(
      { label: "book", maybe: [] },
      { votes: [], longM: 0.32, wideM: 0.26, highM, aboveM: 0.7, middle: [0, 0, 0] },
      new Map([["book", 0.7]]),
    ).label;
  expect(called(0.05)).toBe("book");
  expect(called(0.09)).toBeUndefined();
  expect(called(0.2)).toBe("book");
});
