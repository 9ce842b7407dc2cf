import { STRUCTURE, type Surface } from "./links.ts";
import type { VoxelMap } from "./voxels.ts";

/** Width of the columns in which walls are searched. */
const COLUMN_M = 0.1;
/** Least upright structure in a wall column, measured along its height. */
const LEAST_M = 0.4;
/** A normal that rises by less than this share is upright. */
const UPRIGHT = 0.35;
/** The centre of a thing on or against a wall is at most this near to it. */
const SKIN_M = 0.2;
/** More columns than any map has along one axis. */
const COLUMNS = 100_000;

/** Whether a wall stands between two points of the map. */
export type IsApart = (a: readonly number[], b: readonly number[]) => boolean;

/** The walls of a map from above. An unseen wall separates nothing. */
export function partsOf(map: VoxelMap, { placeOf }: Surface): IsApart {
  const { point, normal, weight } = map.columns;
  const counts = new Map<number, number>();
  for (let voxel = 0; voxel < placeOf.length; voxel++) {
    if (placeOf[voxel] !== STRUCTURE) continue;
    const [nx, ny, nz] = [normal[3 * voxel]!, normal[3 * voxel + 1]!, normal[3 * voxel + 2]!];
    if (Math.abs(nz) > UPRIGHT * Math.sqrt(nx * nx + ny * ny + nz * nz)) continue;
    const w = weight[voxel]!;
    const key = keyOf(point[3 * voxel]! / w, point[3 * voxel + 1]! / w);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const least = (LEAST_M * COLUMN_M) / map.sizeM ** 2;
  const walls = new Set([...counts].filter(([, count]) => count >= least).map(([key]) => key));
  return (a, b) => crosses(walls, a, b);
}

function crosses(walls: ReadonlySet<number>, a: readonly number[], b: readonly number[]): boolean {
  const [dx, dy] = [b[0]! - a[0]!, b[1]! - a[1]!];
  const lengthM = Math.hypot(dx, dy);
  for (let alongM = SKIN_M; alongM <= lengthM - SKIN_M; alongM += COLUMN_M / 2) {
    const share = alongM / lengthM;
    if (walls.has(keyOf(a[0]! + share * dx, a[1]! + share * dy))) return true;
  }
  return false;
}

function keyOf(x: number, y: number): number {
  return Math.floor(x / COLUMN_M) * COLUMNS + Math.floor(y / COLUMN_M);
}
