import type { Sight } from "../sight.ts";
import { VoxelMap } from "../voxels.ts";

/** A map cell as a test defines it. */
export interface KnownVoxel {
  readonly at: readonly [x: number, y: number, z: number];
  readonly normal: readonly [x: number, y: number, z: number];
  /** Structure, furniture, small thing. */
  readonly surface: readonly [number, number, number];
  readonly boundary?: number;
  /** Votes for its name; low by default. */
  readonly named?: number;
}

const LOOKS = 2;
const DEPTH_M = 2;

/** A map of these cells, each observed twice from far away. */
export function mapOf(sizeM: number, voxels: readonly KnownVoxel[]): VoxelMap {
  const map = new VoxelMap(sizeM);
  const count = voxels.length;
  const flat = (of: (voxel: KnownVoxel) => readonly number[]) => Float32Array.from(voxels.flatMap(of));
  const sight: Sight = {
    width: count,
    height: 1,
    stride: 1,
    intrinsics: { fx: 1, fy: 1, cx: 0, cy: 0, width: count, height: 1 },
    mapFromCamera: { p: { x: 0, y: -100, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } },
    depthM: new Float32Array(count).fill(DEPTH_M),
    points: flat(({ at }) => at),
    normals: flat(({ normal }) => normal),
    sound: new Uint8Array(count).fill(1),
  };
  const sayings = {
    cells: count,
    cellOf: Int32Array.from(voxels, (_, n) => n),
    surface: Float32Array.from([0, 1, 2].flatMap((k) => voxels.map(({ surface }) => surface[k]!))),
    boundary: Float32Array.from(voxels, ({ boundary = 0 }) => boundary),
    offset: new Float32Array(2 * count),
    top: 1,
    names: new Uint8Array(count).fill(1),
    odds: Float32Array.from(voxels, ({ named = 0.2 }) => named),
    rgb: new Uint8Array(3 * count).fill(128),
  };
  for (let look = 0; look < LOOKS; look++) map.add(sight, sayings, look);
  return map;
}

/**
 * Cells side by side on an upright board that faces south: its lower left corner, the numbers across and up, and the
 * content of each.
 */
export function boardOf(
  sizeM: number,
  [x, y, z]: KnownVoxel["at"],
  across: number,
  up: number,
  of: (column: number, row: number) => Pick<KnownVoxel, "surface" | "boundary" | "named">,
): KnownVoxel[] {
  return Array.from({ length: across * up }, (_, n) => {
    const [column, row] = [n % across, Math.floor(n / across)];
    return {
      at: [x + (column + 0.5) * sizeM, y, z + (row + 0.5) * sizeM],
      normal: [0, -1, 0],
      ...of(column, row),
    };
  });
}
