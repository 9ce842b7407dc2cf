import { isBorne } from "./bearing.ts";
import type { Surface } from "./links.ts";
import type { Nameable } from "./named.ts";
import type { IsApart } from "./partitions.ts";
import type { Region } from "./pieces.ts";
import { shadesOf } from "./print.ts";
import type { Partition } from "./regions.ts";
import { type Measured, pointsOf, spansOf } from "./spans.ts";
import { thingness } from "./thingness.ts";
import { NAMES } from "./voxel-columns.ts";
import type { VoxelMap } from "./voxels.ts";

/** How likely a region must be a thing of its own before it is shown. */
const BELIEVED = 0.2;
/** Smaller than this nothing is told apart from noise, and what the eyes surely call something and is likely a thing from this on: of a glass one side was seen. */
const LEAST_M = 0.06;
const LEAST_CALLED_M = 0.035;
const CALLED = 0.55;
const BELIEVED_CALLED = 0.6;
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
  const isCalled = score >= BELIEVED_CALLED && Array.from(thing.votes).some((share) => share >= CALLED);
  return thing.longM < (isCalled ? LEAST_CALLED_M : LEAST_M) ? undefined : { ...thing, score };
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
      isBorne: isBorne(closer.map, seen, region),
      shades: shadesOf(region, seen, closer.map),
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

/** How often its places were looked at, in the mean. */
export function meanLooks({ looks }: Surface, { members }: Pick<Region, "members">): number {
  return members.reduce((sum, n) => sum + looks[n]!, 0) / members.length;
}

/** Length and width along the directions in which it spreads on the ground, and height; without the outermost places. */
export function measured({ point }: Surface, members: readonly number[], sizeM: number): Measured {
  return spansOf(pointsOf(point, members), sizeM);
}
