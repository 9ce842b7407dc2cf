import { expect, test } from "vitest";
import { partition } from "./regions.ts";
import { boardOf, mapOf } from "./testing/known-map.ts";
import { thingnessFeatures, thingnessOdds } from "./thingness.ts";

const SIZE_M = 0.025;
/** Indices of two features: width in metres, and height above the floor in units of two metres. */
const [WIDE, HIGH_UP] = [4, 13];
const SHEET = boardOf(SIZE_M, [0, 3, 1], 8, 8, () => ({ surface: [0, 0, 1], boundary: 0.5 }));

/** The connectivity of the largest region of such a sheet or a part of it. */
function closenessOf(voxels: typeof SHEET): number {
  const { regions, closeness } = partition(mapOf(SIZE_M, voxels), 2, 1);
  const largest = regions.reduce(
    (most, { members }, n) => (members.length > regions[most]!.members.length ? n : most),
    0,
  );
  return closeness[largest]!;
}

test("specks that hang together by corners are less close than a sheet, and less likely a thing", () => {
  const specks = SHEET.filter((_, n) => (n % 8) % 2 === Math.floor(n / 8) % 2);
  expect(closenessOf(SHEET)).toBeGreaterThan(6);
  expect(closenessOf(specks)).toBeLessThan(4);
  const cut = partition(mapOf(SIZE_M, SHEET), 2, 1);
  const features = thingnessFeatures(cut, 0, 0);
  const apart = [...features.slice(0, -1), features.at(-1)! / 2];
  expect(thingnessOdds(apart)).toBeLessThan(thingnessOdds(features));
});

test("what stands at a wall is not another thing for being half a decimetre wider and a decimetre higher", () => {
  const AT_WALL = [
    0.2, 0.7, 0.6, 0.2, 0.2, 0.1, 0.1, 0.1, 0.6, 0.9, 0.45, 0.9, 0.4, 0.4, 0.35, 0.13, 0.95, 0.04, 0.04, 0.75,
  ];
  const other = AT_WALL.with(WIDE, AT_WALL[WIDE]! + 0.05).with(HIGH_UP, AT_WALL[HIGH_UP]! + 0.05);
  expect(Math.abs(thingnessOdds(other) - thingnessOdds(AT_WALL))).toBeLessThan(0.8);
});
