import { expect, test } from "vitest";
import { partition } from "./regions.ts";
import { boardOf, mapOf } from "./testing/known-map.ts";
import { thingnessFeatures, thingnessOdds } from "./thingness.ts";

const SIZE_M = 0.025;
const SHEET = boardOf(SIZE_M, [0, 3, 1], 8, 8, () => ({ surface: [0, 0, 1], boundary: 0.5 }));

/** How close the places of the largest region lie, of such a sheet or of a part of it. */
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

test("the same thing a decimetre higher is hardly another one", () => {
  const at = (heightM: number) => {
    const cut = partition(mapOf(SIZE_M, SHEET), 2, 1);
    return thingnessOdds(thingnessFeatures(cut, 0, -heightM));
  };
  for (let heightM = 0; heightM < 1; heightM += 0.1)
    expect(Math.abs(at(heightM + 0.1) - at(heightM))).toBeLessThan(0.6);
});
