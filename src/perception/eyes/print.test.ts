import { expect, test } from "vitest";
import { surfaceOf } from "./links.ts";
import { printedOrNot, shadesOf } from "./print.ts";
import { type KnownVoxel, mapOf } from "./testing/known-map.ts";

const SIZE_M = 0.025;
const PAPER = { label: "paper", maybe: [] };

type Grey = readonly [r: number, g: number, b: number];

/** The name of 20 × 30 cm of paper with colours by column, for a given width and height. */
function calledBy(colourOf: (column: number) => Grey, wideM = 0.2, highM = 0.02) {
  const voxels = Array.from({ length: 8 * 12 }, (_, n): KnownVoxel => {
    const at = [((n % 8) + 0.5) * SIZE_M, (Math.floor(n / 8) + 0.5) * SIZE_M, 0.76] as const;
    return { at, normal: [0, 0, 1], surface: [0, 0, 1], boundary: 0.1 };
  });
  const map = mapOf(SIZE_M, voxels);
  const { rgb, weight } = map.columns;
  voxels.forEach(({ at }, n) => {
    const voxel = map.at(...at);
    colourOf(n % 8).forEach((value, k) => {
      rgb[3 * voxel + k] = value * weight[voxel]!;
    });
  });
  const seen = surfaceOf(map, 1);
  const shades = shadesOf({ members: [...seen.voxels.keys()] }, seen, map);
  const thing = { votes: [], longM: 0.3, wideM, highM, aboveM: 0.7, middle: [0, 0, 0], shades };
  return printedOrNot(PAPER, thing, new Map([["paper", 0.7]])).label;
}

const grey = (value: number): Grey => [value, value, value];

test("paper that lies, dark here and light there, is a magazine; a sheet is even, in the shade too", () => {
  expect(calledBy((column) => grey(column < 3 ? 70 : 200))).toBe("magazine");
  expect(calledBy(() => grey(200))).toBe("paper");
  expect(calledBy(() => grey(90))).toBe("paper");
  expect(calledBy((column) => grey(column < 4 ? 150 : 200))).toBe("paper");
});

test("what is too thick for a sheet and upright is a book where it has a colour, and else nobody knows", () => {
  expect(calledBy(() => [90, 50, 150], 0.12, 0.28)).toBe("book");
  expect(calledBy(() => grey(200), 0.12, 0.28)).toBeUndefined();
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
