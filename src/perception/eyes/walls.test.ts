import { describe, expect, test } from "vitest";
import { STRUCTURE, surfaceOf } from "./links.ts";
import { boardOf, type KnownVoxel, mapOf } from "./testing/known-map.ts";

const SIZE_M = 0.05;
const WALL: KnownVoxel["surface"] = [0.8, 0.1, 0.1];
const TILES: KnownVoxel["surface"] = [0.2, 0.1, 0.7];
const POSTER: KnownVoxel["surface"] = [0.02, 0, 0.98];
const FRONT: KnownVoxel["surface"] = [0.2, 0.8, 0];

/** The share of the voxels with this surface that counts as wall. */
function wallShare(voxels: readonly KnownVoxel[], surface: KnownVoxel["surface"]): number {
  const map = mapOf(SIZE_M, voxels);
  const { placeOf } = surfaceOf(map, 1);
  const own = voxels.filter((voxel) => voxel.surface === surface);
  const wall = own.filter(({ at }) => placeOf[map.at(...at)] === STRUCTURE);
  return wall.length / own.length;
}

/** Two metres of wall with a metre of tiles in the middle, and a poster on the tiles. */
const KITCHEN = boardOf(SIZE_M, [0, 3, 0], 40, 40, (column, row) => {
  const isPoster = column >= 15 && column < 21 && row >= 16 && row < 24;
  return { surface: isPoster ? POSTER : row >= 10 && row < 30 ? TILES : WALL };
});

describe("a wall that looks like a thing in part", () => {
  test("goes on as the wall that it lies in", () => {
    expect(wallShare(KITCHEN, WALL)).toBe(1);
    expect(wallShare(KITCHEN, TILES)).toBeGreaterThan(0.95);
  });

  test("keeps what the eyes are sure of on it", () => {
    expect(wallShare(KITCHEN, POSTER)).toBe(0);
  });

  test("keeps what has a name, as windows do, which are of the building to the eyes as well", () => {
    const voxels = KITCHEN.map((voxel) => (voxel.surface === TILES ? { ...voxel, named: 0.7 } : voxel));
    expect(wallShare(voxels, TILES)).toBe(0);
  });

  test("takes in nothing that stands before it, and nothing that faces another way", () => {
    const cupboard = boardOf(SIZE_M, [0.5, 2.4, 0], 20, 18, () => ({ surface: FRONT }));
    expect(wallShare([...KITCHEN, ...cupboard], FRONT)).toBe(0);
    const sideways = boardOf(SIZE_M, [0.5, 2.93, 0.5], 4, 4, () => ({ surface: FRONT }));
    const turned = sideways.map((voxel) => ({ ...voxel, normal: [-1, 0, 0] as const }));
    expect(wallShare([...KITCHEN, ...turned], FRONT)).toBe(0);
  });

  test("is asked for near by: far from any wall its plane is of furniture", () => {
    const far = boardOf(SIZE_M, [5, 3, 0], 20, 20, () => ({ surface: FRONT }));
    expect(wallShare([...KITCHEN, ...far], FRONT)).toBe(0);
  });
});
