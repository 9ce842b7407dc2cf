import { expect, test } from "vitest";
import { linksOf, surfaceOf } from "./links.ts";
import { byMiddles, maybeSeveral, neighboursIn } from "./middles.ts";
import { regionOfMembers } from "./pieces.ts";
import { boardOf, type KnownVoxel, mapOf } from "./testing/known-map.ts";

const SIZE_M = 0.025;
const [ACROSS, UP] = [24, 14];
const SMALL: KnownVoxel["surface"] = [0, 0, 1];

/** A region of small things in one plane, split by predicted centres; the columns of each part. */
function columnsOf(
  middleOf: (column: number, row: number) => readonly [column: number, row: number],
  boundaryOf: (column: number) => number = () => 0,
  lies = false,
) {
  /** Upright, or with its rows running into the depth if lying. */
  const put = ([x, y, z]: readonly number[]) => (lies ? ([x!, z!, y!] as const) : ([x!, y!, z!] as const));
  const standing = boardOf(SIZE_M, [0, 3, 0], ACROSS, UP, (column) => ({
    surface: SMALL,
    boundary: boundaryOf(column),
  }));
  const voxels = standing.map(({ at, normal, ...rest }) => ({ ...rest, at: put(at), normal: put(normal) }));
  const map = mapOf(SIZE_M, voxels);
  const { centre, weight } = map.columns;
  const columns = new Map<number, number>();
  voxels.forEach(({ at }, n) => {
    const [column, row] = middleOf(n % ACROSS, Math.floor(n / ACROSS));
    const voxel = map.at(...at);
    columns.set(voxel, n % ACROSS);
    put([column * SIZE_M, 3, row * SIZE_M]).forEach((value, k) => {
      centre[3 * voxel + k] = value * weight[voxel]!;
    });
  });
  const seen = surfaceOf(map, 1);
  const members = Array.from({ length: seen.count }, (_, n) => n);
  const region = regionOfMembers(map, seen, members, 2);
  expect(maybeSeveral(region)).toBe(true);
  const neighbours = neighboursIn(new Int32Array(seen.count), new Set([0]), linksOf(map, seen));
  const parts = byMiddles(region.members, seen, neighbours);
  return parts?.map((part) => new Set(part.map((n) => columns.get(seen.voxels[n]!)!)));
}

const from = (first: number, last: number) =>
  new Set(Array.from({ length: last - first + 1 }, (_, n) => first + n));

test("leaflets side by side in one plane are parted by the middles that the eyes expect", () => {
  const two = columnsOf((column, row) => [column < 12 ? 6 : 18, 7 + 0.3 * (row - 7)]);
  expect(two?.sort((a, b) => Math.min(...a) - Math.min(...b))).toEqual([from(0, 11), from(12, 23)]);
});

test("what is the end of one and says nothing of its middle goes to what it lies beside", () => {
  const isRim = (column: number) => column === 11 || column === 12;
  const two = columnsOf(
    (column, row) => [isRim(column) ? 12 : column < 12 ? 6 : 18, 7 + 0.3 * (row - 7)],
    (column) => (isRim(column) ? 0.95 : 0),
  );
  expect(two?.sort((a, b) => Math.min(...a) - Math.min(...b))).toEqual([from(0, 11), from(12, 23)]);
});

test("one large thing whose middle the eyes do not quite find is one", () => {
  expect(columnsOf((column, row) => [12 + 0.6 * (column - 12), 7 + 0.6 * (row - 7)])).toBeUndefined();
});

test("what lies flat and is larger than a sheet is parted by less: two heaps of middles that nearly run together", () => {
  const nearly = (column: number, row: number) =>
    [(column < 12 ? 8 : 16) + 0.5 * (column - (column < 12 ? 6 : 18)), 7 + 0.3 * (row - 7)] as const;
  expect(columnsOf(nearly)).toBeUndefined();
  const two = columnsOf(nearly, () => 0, true);
  expect(two?.sort((a, b) => Math.min(...a) - Math.min(...b))).toEqual([from(0, 11), from(12, 23)]);
});
