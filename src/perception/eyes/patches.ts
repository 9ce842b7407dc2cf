import { settings } from "../../schema/settings.ts";
import { STRUCTURE, type Surface } from "./links.ts";
import type { Region } from "./pieces.ts";
import { PRINT } from "./print.ts";
import { colourAt } from "./voxel-columns.ts";
import type { VoxelMap } from "./voxels.ts";

/** Value, unit, minimum, maximum, source. */
const PATCHES = settings("eyes.patches", {
  /**
   * Least share of wall votes for a patch of wall: tiles with sockets get .2 and more; prints less, or have another
   * colour.
   */
  wallShare: [0.2, "share", 0.1, 0.4, "experiment"],
  /** Width of the surrounding wall that is compared, its least cosine, and its least voxels per voxel of the patch. */
  aroundM: [0.1, "m", 0.05, 0.2, "experiment"],
  facing: [0.85, "cosine", 0.7, 0.925, "experiment"],
  aroundShare: [0.5, "share", 0.25, 1, "experiment"],
  /**
   * Greatest distance of a patch from the wall, between their centres: prints on a rail stand out by 3 cm and more,
   * sockets by 1.
   */
  offM: [0.02, "m", 0.01, 0.04, "experiment"],
  /**
   * Colours that differ by less, of 255 per channel, are equal in different light; and the least share of a patch in
   * the wall's dominant colour.
   */
  alike: [45, "level", 22, 90, "experiment"],
  alikeShare: [0.6, "share", 0.3, 0.8, "experiment"],
  /** Larger regions are checked elsewhere. */
  mostM: [0.8, "m", 0.4, 1.6, "experiment"],
});

/**
 * Whether a region that the network calls print, or cannot name, is a patch of the wall around it: in the wall's
 * plane and colour. Print there would have another colour to be visible; frames of windows and doors, mirrors and
 * radiators may have the same.
 */
export function isLikeWall(map: VoxelMap, seen: Surface, region: Region, label: string | undefined): boolean {
  if (label !== undefined && !PRINT.includes(label)) return false;
  const { members, surface, normal, point, low, high } = region;
  const count = members.length;
  if (surface[0]! < PATCHES.wallShare * count) return false;
  if ([0, 1, 2].some((k) => high[k]! - low[k]! > PATCHES.mostM)) return false;
  const length = Math.hypot(normal[0]!, normal[1]!, normal[2]!) || 1;
  const way = Array.from(normal, (value) => value / length);
  const wall = wallAround(map, seen, region, way);
  if (wall.length < PATCHES.aroundShare * count) return false;
  const columns = map.columns;
  const off = (voxel: number) =>
    way.reduce(
      (sum, w, k) => sum + w * (columns.point[3 * voxel + k]! / columns.weight[voxel]! - point[k]! / count),
      0,
    );
  if (Math.abs(middleOf(wall.map(off))) > PATCHES.offM) return false;
  const colourOf = (voxel: number, k: number) => colourAt(columns, voxel)[k]!;
  const usual = [0, 1, 2].map((k) => middleOf(wall.map((voxel) => colourOf(voxel, k))));
  const alike = members.filter((n) => {
    const voxel = seen.voxels[n]!;
    return Math.hypot(...usual.map((value, k) => value - colourOf(voxel, k))) < PATCHES.alike;
  });
  return alike.length >= PATCHES.alikeShare * count;
}

/** The wall voxels around a region with the same orientation. */
function wallAround(
  map: VoxelMap,
  { placeOf }: Surface,
  { low, high }: Region,
  way: readonly number[],
): number[] {
  const { normal } = map.columns;
  const [from, to] = [[...low], [...high]].map((end, n) =>
    end.map((value) => Math.floor((value + (n === 0 ? -PATCHES.aroundM : PATCHES.aroundM)) / map.sizeM)),
  );
  const out: number[] = [];
  for (let x = from![0]!; x <= to![0]!; x++)
    for (let y = from![1]!; y <= to![1]!; y++)
      for (let z = from![2]!; z <= to![2]!; z++) {
        const voxel = map.find(x, y, z);
        if (voxel < 0 || placeOf[voxel] !== STRUCTURE) continue;
        const own = [0, 1, 2].map((k) => normal[3 * voxel + k]!);
        const facing = own.reduce((sum, value, k) => sum + value * way[k]!, 0);
        if (facing >= PATCHES.facing * Math.hypot(...own)) out.push(voxel);
      }
  return out;
}

function middleOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
