import type { Surface } from "./links.ts";
import type { Nameable } from "./naming.ts";
import type { IsApart } from "./partitions.ts";
import type { Region } from "./pieces.ts";
import type { Partition } from "./regions.ts";
import { thingness } from "./thingness.ts";
import { NAMES } from "./voxel-columns.ts";
import type { VoxelMap } from "./voxels.ts";

/** How likely a region must be a thing of its own before it is shown. */
const BELIEVED = 0.2;
/** Smaller than this nothing is told apart from noise. */
const LEAST_M = 0.06;
const LEAST_VOXELS = 10;

/** What regions are measured by: the places that they are of, how large those are, and where the floor is. */
export interface Measuring {
  readonly seen: Surface;
  readonly sizeM: number;
  readonly floorZ: number;
  /** Where walls stand; absent where nothing is known of them. */
  readonly isApart?: IsApart | undefined;
  /** What closer looks told, and the kinds that they know. */
  readonly closer?: { readonly map: VoxelMap; readonly kinds: readonly string[] } | undefined;
}

/** A region as it is named, with how likely it is a thing; undefined for what is likely none, or too small to tell. */
export function nameableOf(
  cut: Partition,
  number: number,
  sizeM: number,
  floorZ: number,
  closer?: Measuring["closer"],
): (Nameable & { readonly score: number }) | undefined {
  const region = cut.regions[number]!;
  if (region.members.length < LEAST_VOXELS) return undefined;
  const score = thingness(cut, number, floorZ);
  if (score < BELIEVED) return undefined;
  const thing = nameable(region, { seen: cut.seen, sizeM, floorZ, closer });
  return thing.longM < LEAST_M ? undefined : { ...thing, score };
}

/** The same of a region that is a thing. */
export function nameable(region: Region, { seen, sizeM, floorZ, closer }: Measuring): Nameable {
  const { members, names, point, low } = region;
  return {
    ...measured(seen, members, sizeM),
    votes: names.map((sum) => sum / members.length),
    ...(closer && {
      kindVotes: kindVotes(
        closer,
        members.map((n) => seen.voxels[n]!),
      ),
    }),
    aboveM: low[2]! - floorZ,
    middle: [...point].map((sum) => sum / members.length),
  };
}

/** What closer looks say, a mean probability a kind over the voxels that they told of. */
export function kindVotes(
  { map, kinds }: NonNullable<Measuring["closer"]>,
  voxels: readonly number[],
): ReadonlyMap<string, number> {
  const { kind, kindWeight, closerWeight } = map.columns;
  const sums = new Float64Array(kinds.length);
  let told = 0;
  for (const voxel of voxels) {
    const w = closerWeight[voxel]!;
    if (!(w > 0)) continue;
    told++;
    for (let k = NAMES * voxel; k < NAMES * (voxel + 1); k++)
      if (kindWeight[k]! > 0) sums[kind[k]!]! += kindWeight[k]! / w;
  }
  return new Map(kinds.map((name, k) => [name, sums[k]! / Math.max(1, told)]));
}

export interface Measured {
  readonly longM: number;
  readonly wideM: number;
  readonly highM: number;
}

/** Length and width along the directions in which it spreads on the ground, and height; without the outermost places. */
export function measured({ point }: Surface, members: readonly number[], sizeM: number): Measured {
  return spansOf(pointsOf(point, members), sizeM);
}

/** The points of places, three numbers each. */
export function pointsOf(point: Float32Array, members: readonly number[]): Float32Array {
  const own = new Float32Array(3 * members.length);
  members.forEach((n, at) => {
    for (let k = 0; k < 3; k++) own[3 * at + k] = point[3 * n + k]!;
  });
  return own;
}

/** The same of points, three numbers each. */
export function spansOf(point: Float32Array, sizeM: number): Measured {
  const { along, across } = laidOut(point);
  const up = Float64Array.from(along, (_, n) => point[3 * n + 2]!);
  const spans = [spanOf(along), spanOf(across)];
  return {
    longM: Math.max(...spans) + sizeM / 2,
    wideM: Math.min(...spans) + sizeM / 2,
    highM: spanOf(up) + sizeM / 2,
  };
}

/** Points on the ground, along the direction in which they spread most and across it. */
export function laidOut(point: Float32Array): { along: Float64Array; across: Float64Array } {
  const count = point.length / 3;
  let [mx, my] = [0, 0];
  for (let n = 0; n < count; n++) {
    mx += point[3 * n]!;
    my += point[3 * n + 1]!;
  }
  mx /= count;
  my /= count;
  let [xx, xy, yy] = [0, 0, 0];
  for (let n = 0; n < count; n++) {
    const [x, y] = [point[3 * n]! - mx, point[3 * n + 1]! - my];
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  const yaw = Math.atan2(2 * xy, xx - yy) / 2;
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  const [along, across] = [new Float64Array(count), new Float64Array(count)];
  for (let n = 0; n < count; n++) {
    along[n] = c * point[3 * n]! + s * point[3 * n + 1]!;
    across[n] = c * point[3 * n + 1]! - s * point[3 * n]!;
  }
  return { along, across };
}

/** Without the outermost values: from where to where the others reach. */
export function reachOf(values: Float64Array): readonly [from: number, to: number] {
  const sorted = values.toSorted();
  const last = sorted.length - 1;
  return [sorted[Math.round(0.03 * last)]!, sorted[Math.round(0.97 * last)]!];
}

export function spanOf(values: Float64Array): number {
  const [from, to] = reachOf(values);
  return to - from;
}
