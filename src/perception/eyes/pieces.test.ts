import { expect, test } from "vitest";
import { piecesOf } from "./pieces.ts";
import { boardOf, type KnownVoxel, mapOf } from "./testing/known-map.ts";

const SIZE_M = 0.05;
const SMALL: KnownVoxel["surface"] = [0, 0, 1];

test("where things end goes to the things, and is no piece around all of them", () => {
  // Three boards side by side, each with a rim of two cells that the network calls an edge.
  const isRim = (column: number, row: number) => {
    const own = column % 12;
    return own < 2 || own >= 10 || row < 2 || row >= 10;
  };
  const voxels = boardOf(SIZE_M, [0, 3, 0], 36, 12, (column, row) => ({
    surface: SMALL,
    boundary: isRim(column, row) ? 0.95 : 0,
  }));
  const map = mapOf(SIZE_M, voxels);
  const { regions, regionOf, seen } = piecesOf(map, 2, 1);
  expect(regions).toHaveLength(3);
  const pieceAt = (n: number) => regionOf[seen.placeOf[map.at(...voxels[n]!.at)]!];
  voxels.forEach((_, n) => {
    const board = Math.floor((n % 36) / 12);
    expect(pieceAt(n)).toBe(pieceAt(5 * 36 + 12 * board + 6));
  });
});
