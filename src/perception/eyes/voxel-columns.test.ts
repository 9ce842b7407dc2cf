import { expect, test } from "vitest";
import { emptyColumns, keptColumns, NAMES } from "./voxel-columns.ts";

test("voxels that are kept keep all that is known of them, in runs and one by one", () => {
  const from = emptyColumns(8);
  for (const [n, column] of Object.values(from).entries())
    for (let at = 0; at < column.length; at++) column[at] = (10 * n + at) % 251;
  const kept = [0, 1, 2, 4, 6, 7];
  const to = keptColumns(from, Int32Array.from(kept), 16);
  const told = (column: ArrayLike<number>, width: number, of: readonly number[]) =>
    of.map((voxel) => Array.from({ length: width }, (_, k) => column[width * voxel + k]!));
  const places = kept.map((_, n) => n);
  for (const [key, width] of [
    ["cell", 3],
    ["weight", 1],
    ["name", NAMES],
    ["goneAt", 1],
  ] as const)
    expect(told(to[key], width, places)).toEqual(told(from[key], width, kept));
  expect([to.weight.length, to.weight[kept.length]]).toEqual([16, 0]);
});
