import { settings } from "../../schema/settings.ts";
import { STRUCTURE, type Surface } from "./links.ts";
import type { Region } from "./pieces.ts";
import type { VoxelMap } from "./voxels.ts";

/** Value, unit, minimum, maximum, source. */
const DOORS = settings("eyes.doors", {
  /** Least height and greatest thickness of a leaf; a handle or a frame stands out a little. */
  highM: [1, "m", 0.5, 2, "experiment"],
  thickM: [0.25, "m", 0.125, 0.5, "experiment"],
  /**
   * Width of the strip beside each upright edge of a leaf in which a wall is searched, and the wall's distance from the
   * leaf's plane.
   */
  besideM: [0.3, "m", 0.15, 0.6, "experiment"],
  wallM: [0.2, "m", 0.1, 0.4, "experiment"],
  /** Least cosine between the normals of the leaf and of a wall in its plane. */
  parallel: [0.8, "cosine", 0.6, 0.9, "experiment"],
  /** Below and above these heights the floor and the lintel would be hit. */
  footM: [0.2, "m", 0.1, 0.4, "experiment"],
  headM: [0.1, "m", 0.05, 0.2, "experiment"],
  /** Share of wall in a strip: above the first the leaf lies in the wall, below the second it stands in the room. */
  walled: [0.8, "share", 0.6, 0.9, "experiment"],
  free: [0.35, "share", 0.175, 0.7, "experiment"],
  /** The network sees a leaf and hardly its hinges; voxels beyond this share at either end are strays. */
  stray: [0.03, "share", 0.015, 0.06, "experiment"],
});

/**
 * Whether a door's leaf lies in its wall or stands out from it; undefined if too little of either is seen. A closed
 * leaf is continued by wall in its plane on at least one side; an open one nowhere, and one of its ends is free.
 */
export function opennessOf(
  map: VoxelMap,
  { point, normal, placeOf }: Surface,
  { members }: Region,
): "open" | "closed" | undefined {
  const [nx, ny] = facing(normal, members);
  const across = sorted(members, (n) => nx * point[3 * n]! + ny * point[3 * n + 1]!);
  const along = sorted(members, (n) => nx * point[3 * n + 1]! - ny * point[3 * n]!);
  const up = sorted(members, (n) => point[3 * n + 2]!);
  const [left, right] = [at(along, DOORS.stray), at(along, 1 - DOORS.stray)];
  const [low, high] = [at(up, DOORS.stray), at(up, 1 - DOORS.stray)];
  if (high - low < DOORS.highM || at(across, 1 - DOORS.stray) - at(across, DOORS.stray) > DOORS.thickM)
    return undefined;
  const plane = at(across, 0.5);
  const { weight, point: points, normal: normals } = map.columns;
  const walls = [0, 0];
  const others = [0, 0];
  for (let voxel = 0; voxel < placeOf.length; voxel++) {
    if (placeOf[voxel] !== STRUCTURE) continue;
    const w = weight[voxel]!;
    const z = points[3 * voxel + 2]! / w;
    if (z < low + DOORS.footM || z > high - DOORS.headM) continue;
    const [x, y] = [points[3 * voxel]! / w, points[3 * voxel + 1]! / w];
    if (Math.abs(nx * x + ny * y - plane) > DOORS.wallM) continue;
    const beside = nx * y - ny * x;
    const side = beside < left && beside > left - DOORS.besideM ? 0 : 1;
    if (side === 1 && !(beside > right && beside < right + DOORS.besideM)) continue;
    const isParallel = Math.abs(nx * normals[3 * voxel]! + ny * normals[3 * voxel + 1]!) > DOORS.parallel * w;
    (isParallel ? walls : others)[side]!++;
  }
  const strip = ((high - low - DOORS.footM - DOORS.headM) * DOORS.besideM) / map.sizeM ** 2;
  if (Math.max(...walls) >= DOORS.walled * strip) return "closed";
  const isFree = [0, 1].some((side) => walls[side]! + others[side]! < DOORS.free * strip);
  return isFree && Math.max(...walls) < DOORS.free * strip ? "open" : undefined;
}

/** The dominant direction of its upright surface, either way: the mean of doubled angles. */
function facing(normal: Float32Array, members: readonly number[]): readonly [number, number] {
  let [cos, sin] = [0, 0];
  for (const n of members) {
    const [x, y] = [normal[3 * n]!, normal[3 * n + 1]!];
    cos += x * x - y * y;
    sin += 2 * x * y;
  }
  const yaw = Math.atan2(sin, cos) / 2;
  return [Math.cos(yaw), Math.sin(yaw)];
}

function sorted(members: readonly number[], of: (n: number) => number): Float64Array {
  return Float64Array.from(members, of).sort();
}

function at(values: Float64Array, share: number): number {
  return values[Math.round(share * (values.length - 1))]!;
}
