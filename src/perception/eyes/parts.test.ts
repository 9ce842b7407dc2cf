import { expect, test } from "vitest";
import { Parts } from "./parts.ts";
import type { Partition } from "./regions.ts";
import { boardOf, mapOf } from "./testing/known-map.ts";
import type { VoxelMap } from "./voxels.ts";

const SIZE_M = 0.05;
const [ACROSS, UP] = [20, 4];

const VOXELS = boardOf(SIZE_M, [0, 3, 0], ACROSS, UP, () => ({ surface: [0, 0, 1] }));

/** A board cut into regions by columns. */
function cutAt(map: VoxelMap, regionAt: (column: number) => number): Partition {
  const voxels = Int32Array.from(VOXELS, ({ at }) => map.at(...at));
  const placeOf = new Int32Array(map.count).fill(-1);
  voxels.forEach((voxel, n) => {
    placeOf[voxel] = n;
  });
  const regionOf = Int32Array.from(VOXELS, (_, n) => regionAt(n % ACROSS));
  const regions = Array.from({ length: Math.max(...regionOf) + 1 }, (_, region) => ({
    members: [...regionOf.keys()].filter((n) => regionOf[n] === region),
  }));
  return { seen: { voxels, placeOf }, regions, regionOf } as unknown as Partition;
}

const thing = (region: number) => ({ regions: [region] });

test("a thing keeps its number from cut to cut, and a lump is said to have been none, with what it was of", () => {
  const map = mapOf(SIZE_M, VOXELS);
  let count = 0;
  const parts = new Parts(() => ++count);
  const first = parts.of(
    map,
    cutAt(map, (column) => (column < 12 ? 0 : column < 16 ? 1 : 2)),
    [thing(0), thing(1), thing(2)],
  );
  expect(first.parts).toEqual([1, 2, 3]);
  expect(first.said.none).toEqual([]);
  // The cluster of twelve columns becomes three of four; the second thing has grown by a column; the third is
  // unassigned.
  const cut = cutAt(map, (column) => (column < 12 ? Math.floor(column / 4) : column < 17 ? 3 : 4));
  const second = parts.of(map, cut, [thing(0), thing(1), thing(2), thing(3)]);
  expect(second.parts[3]).toBe(2);
  expect(second.said.none.find(({ part }) => part === 3)).toMatchObject({ isNothing: true });
  const heirs = second.parts.slice(0, 3);
  // Each of the three has exactly the overlap at which two segmentations show one thing.
  expect(heirs).toContain(1);
  expect(new Set(heirs).size).toBe(3);
});

test("what was carried off is not said to have been none, and what comes back has its number", () => {
  const map = mapOf(SIZE_M, VOXELS);
  let count = 0;
  const parts = new Parts(() => ++count);
  const cut = cutAt(map, (column) => (column < 10 ? 0 : 1));
  expect(parts.of(map, cut, [thing(0), thing(1)]).parts).toEqual([1, 2]);
  expect(parts.of(map, cut, [thing(0)]).said.none).toEqual([{ part: 2, heirs: [], isNothing: true }]);
  expect(parts.of(map, cut, [thing(0), thing(1)])).toMatchObject({ parts: [1, 2], said: { none: [] } });
  for (const { at } of VOXELS.filter((_, n) => n % ACROSS >= 10)) map.columns.goneAt[map.at(...at)] = 1;
  expect(parts.of(map, cut, [thing(0)]).said.none).toEqual([]);
});

test("a thing that is a part of a region keeps its number, beside what else is of that region", () => {
  const map = mapOf(SIZE_M, VOXELS);
  let count = 0;
  const parts = new Parts(() => ++count);
  const cut = cutAt(map, () => 0);
  const row = (number: number) => ({
    regions: [],
    voxels: VOXELS.filter((_, n) => Math.floor(n / ACROSS) === number).map(({ at }) => map.at(...at)),
  });
  expect(parts.of(map, cut, [row(1), row(3)]).parts).toEqual([1, 2]);
  expect(parts.of(map, cut, [row(3), row(1)])).toMatchObject({ parts: [2, 1], said: { none: [] } });
});
