import { expect, test } from "vitest";
import { isBorne } from "./bearing.ts";
import { surfaceOf } from "./links.ts";
import { boardOf, type KnownVoxel, mapOf } from "./testing/known-map.ts";

const SIZE_M = 0.025;

/** A leaflet of 20 × 28 cm that faces south, and a level board in front of and below it. */
function leafletOver(belowM: number) {
  const leaflet = boardOf(SIZE_M, [0, 1, 1], 8, 11, () => ({ surface: [0, 0, 1] }));
  const board = Array.from({ length: 24 * 6 }, (_, n): KnownVoxel => {
    const [column, row] = [n % 24, Math.floor(n / 24)];
    const at = [(column - 7.5) * SIZE_M, 0.98 - row * SIZE_M, 1 - belowM] as const;
    return { at, normal: [0, 0, 1], surface: [0, 1, 0] };
  });
  const map = mapOf(SIZE_M, [...leaflet, ...board]);
  const seen = surfaceOf(map, 1);
  const members = [...seen.voxels.keys()].filter((n) => seen.voxels[n]! < leaflet.length);
  return isBorne(map, seen, { members, low: Float32Array.of(0, 1, 1) });
}

test("what stands on a board is borne by it, and what hangs above it is not", () => {
  expect(leafletOver(0.01)).toBe(true);
  expect(leafletOver(0.3)).toBe(false);
});
