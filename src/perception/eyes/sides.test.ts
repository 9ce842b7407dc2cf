import { expect, test } from "vitest";
import { nameable } from "./measured.ts";
import { boxRegions, type NamedBox } from "./testing/box-regions.ts";
import { wholesOf } from "./wholes.ts";

const WORDS = ["other", "sofa", "armchair", "picture", "bed"];
const SIZE_M = 0.025;
const SOFA = { word: "sofa", low: [0, 0, 0], high: [1.7, 0.85, 0.75] };
const FACE = { word: "armchair", low: [1.7, 0.2, 0.05], high: [1.725, 0.6, 0.5] };

const GREEN = [50, 100, 50];

/** How many things are left of boxes of voxels, the first green, the second of the given colour and slope. */
function leftOf(boxes: readonly NamedBox[], colour = GREEN, up = 0): number {
  const { regions, seen } = boxRegions(boxes, WORDS, SIZE_M);
  const by = { seen, sizeM: SIZE_M, floorZ: 0 };
  const second = regions[1]!;
  regions[0]!.colour.set(GREEN.map((one) => one * regions[0]!.members.length));
  second.colour.set(colour.map((one) => one * second.members.length));
  second.normal[2] = up * second.members.length;
  const pieces = regions.map((region, n) => ({ ...nameable(region, by), region, regions: [n], score: 0.5 }));
  return wholesOf(pieces, WORDS, by).length;
}

test("one face that is called an armchair, at the side of a sofa and of its colour, is of the sofa", () => {
  expect(leftOf([SOFA, FACE])).toBe(1);
  expect(leftOf([SOFA, FACE], [30, 60, 30])).toBe(1);
});

test("it is another thing where it has another colour, lies level, stands off or is as thick as such things", () => {
  expect(leftOf([SOFA, FACE], [100, 50, 50])).toBe(2);
  expect(leftOf([SOFA, FACE], [20, 40, 20])).toBe(2);
  expect(leftOf([SOFA, FACE], GREEN, 1)).toBe(2);
  expect(leftOf([SOFA, { ...FACE, low: [2.1, 0.2, 0.05], high: [2.125, 0.6, 0.5] }])).toBe(2);
  expect(leftOf([SOFA, { ...FACE, low: [1.3, 0.2, 0.05], high: [1.725, 0.6, 0.5] }])).toBe(2);
});

test("what is as thin as things of its name is none, as a picture that leans there", () => {
  expect(leftOf([SOFA, { ...FACE, word: "picture" }])).toBe(2);
});
