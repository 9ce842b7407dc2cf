import { expect, test } from "vitest";
import { surfaceOf } from "./links.ts";
import { straysOf } from "./strays.ts";
import { boardOf, mapOf } from "./testing/known-map.ts";

const SIZE_M = 0.025;
const [ACROSS, UP] = [20, 10];

/**
 * The columns of a board that are strays. From column 14 on the network predicts an edge with this vote, and the
 * centre in this column.
 */
function straysIn(boundary: number, middle: number): number[] {
  const isEnd = (column: number) => column >= 14;
  const voxels = boardOf(SIZE_M, [0, 3, 0], ACROSS, UP, (column) => ({
    surface: [0, 0, 1],
    boundary: isEnd(column) ? boundary : 0.1,
  }));
  const map = mapOf(SIZE_M, voxels);
  const { centre, weight } = map.columns;
  const columns = new Map(voxels.map(({ at }, n) => [map.at(...at), n % ACROSS]));
  for (const [voxel, column] of columns)
    [(isEnd(column) ? middle : 7) * SIZE_M, 3, (UP / 2) * SIZE_M].forEach((value, k) => {
      centre[3 * voxel + k] = value * weight[voxel]!;
    });
  const seen = surfaceOf(map, 1);
  const strays = straysOf([...seen.voxels.keys()], seen);
  return [...new Set([...strays].map((n) => columns.get(seen.voxels[n]!)!))].sort((a, b) => a - b);
}

test("ends of what stands before a thing are none of it, and its own ends are", () => {
  expect(straysIn(0.95, 22)).toEqual([14, 15, 16, 17, 18, 19]);
  expect(straysIn(0.95, 10)).toEqual([]);
});

test("what is no end stays, wherever its middle is expected", () => {
  expect(straysIn(0.5, 22)).toEqual([]);
});
