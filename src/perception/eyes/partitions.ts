import { settings } from "../../schema/settings.ts";
import { STRUCTURE, type Surface } from "./links.ts";
import type { VoxelMap } from "./voxels.ts";

/** Value, unit, minimum, maximum, source. */
const PARTITIONS = settings("eyes.partitions", {
  /** Width of the columns in which walls are searched. */
  columnM: [0.1, "m", 0.05, 0.2, "experiment"],
  /** Least upright structure in a wall column, measured along its height. */
  leastM: [0.4, "m", 0.2, 0.8, "experiment"],
  /** A normal that rises by less than this share is upright. */
  upright: [0.35, "cosine", 0.175, 0.7, "experiment"],
  /** The centre of a thing on or against a wall is at most this near to it. */
  skinM: [0.2, "m", 0.1, 0.4, "experiment"],
  /** More columns than any map has along one axis. */
  columns: [100_000, "count", 50_000, 200_000, "limit"],
});

/** Whether a wall stands between two points of the map. */
export type IsApart = (a: readonly number[], b: readonly number[]) => boolean;

/** The walls of a map from above. An unseen wall separates nothing. */
export function partsOf(map: VoxelMap, { placeOf }: Surface): IsApart {
  const { point, normal, weight } = map.columns;
  const counts = new Map<number, number>();
  for (let voxel = 0; voxel < placeOf.length; voxel++) {
    if (placeOf[voxel] !== STRUCTURE) continue;
    const [nx, ny, nz] = [normal[3 * voxel]!, normal[3 * voxel + 1]!, normal[3 * voxel + 2]!];
    if (Math.abs(nz) > PARTITIONS.upright * Math.sqrt(nx * nx + ny * ny + nz * nz)) continue;
    const w = weight[voxel]!;
    const key = keyOf(point[3 * voxel]! / w, point[3 * voxel + 1]! / w);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const least = (PARTITIONS.leastM * PARTITIONS.columnM) / map.sizeM ** 2;
  const walls = new Set([...counts].filter(([, count]) => count >= least).map(([key]) => key));
  return (a, b) => crosses(walls, a, b);
}

function crosses(walls: ReadonlySet<number>, a: readonly number[], b: readonly number[]): boolean {
  const [dx, dy] = [b[0]! - a[0]!, b[1]! - a[1]!];
  const lengthM = Math.hypot(dx, dy);
  for (
    let alongM = PARTITIONS.skinM;
    alongM <= lengthM - PARTITIONS.skinM;
    alongM += PARTITIONS.columnM / 2
  ) {
    const share = alongM / lengthM;
    if (walls.has(keyOf(a[0]! + share * dx, a[1]! + share * dy))) return true;
  }
  return false;
}

function keyOf(x: number, y: number): number {
  return Math.floor(x / PARTITIONS.columnM) * PARTITIONS.columns + Math.floor(y / PARTITIONS.columnM);
}
