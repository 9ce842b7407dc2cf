import type { Surface } from "./links.ts";
import type { Region } from "./pieces.ts";
import { ALIVE } from "./voxel-columns.ts";
import type { VoxelMap } from "./voxels.ts";

/** The support of a thing lies at most this far below its lowest points, or this far beside them, and is this level. */
const BELOW_M = 0.08;
const BESIDE_M = 0.05;
const LEVEL = 0.8;
/** Height range of the lowest points, and the share of them that needs a level surface below. */
const LOWEST_M = 0.05;
const BORNE_SHARE = 0.3;

/**
 * Whether a level surface supports a region from below, among all voxels or given ones. Something on a wall has wall
 * below it; something held has air.
 */
export function isBorne(
  map: VoxelMap,
  { point }: Surface,
  { members, low }: Pick<Region, "members" | "low">,
  by?: ReadonlySet<number>,
): boolean {
  const lowest = members.filter((n) => point[3 * n + 2]! < low[2]! + LOWEST_M);
  const own = new Set(lowest.map((n) => map.at(point[3 * n]!, point[3 * n + 1]!, point[3 * n + 2]!)));
  const borne = lowest.filter((n) =>
    hasLevelBelow(map, own, by, point[3 * n]!, point[3 * n + 1]!, point[3 * n + 2]!),
  );
  return borne.length >= BORNE_SHARE * lowest.length;
}

function hasLevelBelow(
  map: VoxelMap,
  own: ReadonlySet<number>,
  by: ReadonlySet<number> | undefined,
  x: number,
  y: number,
  z: number,
): boolean {
  const { normal, goneAt } = map.columns;
  const s = map.sizeM;
  for (let dz = 0; dz <= BELOW_M; dz += s)
    for (let dx = -BESIDE_M; dx <= BESIDE_M; dx += s)
      for (let dy = -BESIDE_M; dy <= BESIDE_M; dy += s) {
        const voxel = map.at(x + dx, y + dy, z - dz);
        if (voxel < 0 || own.has(voxel) || goneAt[voxel] !== ALIVE || by?.has(voxel) === false) continue;
        const k = 3 * voxel;
        const length = Math.hypot(normal[k]!, normal[k + 1]!, normal[k + 2]!);
        if (normal[k + 2]! >= LEVEL * length) return true;
      }
  return false;
}
