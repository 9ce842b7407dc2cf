import { settings } from "../../schema/settings.ts";
import type { Surface } from "./links.ts";
import type { Region } from "./pieces.ts";
import { ALIVE } from "./voxel-columns.ts";
import type { VoxelMap } from "./voxels.ts";

/** Value, unit, minimum, maximum, source. */
const BEARING = settings("eyes.bearing", {
  /** The support of a thing lies at most this far below its lowest points, or this far beside them, and is this level. */
  belowM: [0.08, "m", 0.04, 0.16, "experiment"],
  besideM: [0.05, "m", 0.025, 0.1, "experiment"],
  level: [0.8, "cosine", 0.6, 0.9, "experiment"],
  /** Height range of the lowest points, and the share of them that needs a level surface below. */
  lowestM: [0.05, "m", 0.025, 0.1, "experiment"],
  borneShare: [0.3, "share", 0.15, 0.6, "experiment"],
});

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
  const lowest = members.filter((n) => point[3 * n + 2]! < low[2]! + BEARING.lowestM);
  const own = new Set(lowest.map((n) => map.at(point[3 * n]!, point[3 * n + 1]!, point[3 * n + 2]!)));
  const borne = lowest.filter((n) =>
    hasLevelBelow(map, own, by, point[3 * n]!, point[3 * n + 1]!, point[3 * n + 2]!),
  );
  return borne.length >= BEARING.borneShare * lowest.length;
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
  for (let dz = 0; dz <= BEARING.belowM; dz += s)
    for (let dx = -BEARING.besideM; dx <= BEARING.besideM; dx += s)
      for (let dy = -BEARING.besideM; dy <= BEARING.besideM; dy += s) {
        const voxel = map.at(x + dx, y + dy, z - dz);
        if (voxel < 0 || own.has(voxel) || goneAt[voxel] !== ALIVE || by?.has(voxel) === false) continue;
        const k = 3 * voxel;
        const length = Math.hypot(normal[k]!, normal[k + 1]!, normal[k + 2]!);
        if (normal[k + 2]! >= BEARING.level * length) return true;
      }
  return false;
}
