import { STRUCTURE, type Surface } from "./links.ts";
import type { Region } from "./pieces.ts";
import type { VoxelMap } from "./voxels.ts";

/** A leaf is at least as high as this and no thicker; a handle or a frame stands out a little. */
const HIGH_M = 1;
const THICK_M = 0.25;
/** The strip beside each upright edge of a leaf in which a wall is looked for, and how far from its plane: a wall is as thick. */
const BESIDE_M = 0.3;
const WALL_M = 0.2;
/** Normals of the leaf's plane and of a wall in it are as alike as this, as a cosine. */
const PARALLEL = 0.8;
/** Below and above these the floor and the lintel are met instead. */
const FOOT_M = 0.2;
const HEAD_M = 0.1;
/** Shares of a strip that are wall: from the one on the leaf lies in the wall, up to the other it stands in the room. */
const WALLED = 0.8;
const FREE = 0.35;
/** The net sees a leaf and hardly its hinges; voxels outside of this share at either end are strays. */
const STRAY = 0.03;

/**
 * Whether a door's leaf lies in its wall or stands out of it; undefined where too little of either is seen. A leaf that is
 * shut goes on as wall in its plane on a side at least; one that stands open goes on nowhere, and ends free on one side.
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
  const [left, right] = [at(along, STRAY), at(along, 1 - STRAY)];
  const [low, high] = [at(up, STRAY), at(up, 1 - STRAY)];
  if (high - low < HIGH_M || at(across, 1 - STRAY) - at(across, STRAY) > THICK_M) return undefined;
  const plane = at(across, 0.5);
  const { weight, point: points, normal: normals } = map.columns;
  const walls = [0, 0];
  const others = [0, 0];
  for (let voxel = 0; voxel < placeOf.length; voxel++) {
    if (placeOf[voxel] !== STRUCTURE) continue;
    const w = weight[voxel]!;
    const z = points[3 * voxel + 2]! / w;
    if (z < low + FOOT_M || z > high - HEAD_M) continue;
    const [x, y] = [points[3 * voxel]! / w, points[3 * voxel + 1]! / w];
    if (Math.abs(nx * x + ny * y - plane) > WALL_M) continue;
    const beside = nx * y - ny * x;
    const side = beside < left && beside > left - BESIDE_M ? 0 : 1;
    if (side === 1 && !(beside > right && beside < right + BESIDE_M)) continue;
    const isParallel = Math.abs(nx * normals[3 * voxel]! + ny * normals[3 * voxel + 1]!) > PARALLEL * w;
    (isParallel ? walls : others)[side]!++;
  }
  const strip = ((high - low - FOOT_M - HEAD_M) * BESIDE_M) / map.sizeM ** 2;
  if (Math.max(...walls) >= WALLED * strip) return "closed";
  const isFree = [0, 1].some((side) => walls[side]! + others[side]! < FREE * strip);
  return isFree && Math.max(...walls) < FREE * strip ? "open" : undefined;
}

/** Where most of its upright surface faces, either way: the mean of doubled angles. */
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
