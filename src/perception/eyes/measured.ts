import { settings } from "../../schema/settings.ts";
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

/** Value, unit, minimum, maximum, source. */
const MEASURED = settings("eyes.measured", {
  /** Least probability of being a thing for a region to be reported. */
  believed: [0.2, "probability", 0.1, 0.4, "experiment"],
  /**
   * Below this size nothing can be told apart from noise, unless the network names it confidently and it is likely a
   * thing from this size on: a glass seen from one side.
   */
  leastM: [0.06, "m", 0.03, 0.12, "experiment"],
  leastCalledM: [0.035, "m", 0.0175, 0.07, "experiment"],
  called: [0.55, "share", 0.275, 0.775, "experiment"],
  believedCalled: [0.6, "probability", 0.3, 0.8, "experiment"],
  leastVoxels: [10, "voxels", 5, 20, "experiment"],
});

/** What regions are measured against: the surface voxels, their size, and the floor height. */
export interface Measuring {
  readonly seen: Surface;
  readonly sizeM: number;
  readonly floorZ: number;
  /** The positions of walls; absent if unknown. */
  readonly isApart?: IsApart | undefined;
  /** Evidence from close-up inference, and the categories that it knows. */
  readonly closer?: { readonly map: VoxelMap; readonly kinds: readonly string[] } | undefined;
}

/**
 * A region's data for naming, with its probability of being a thing; undefined if that is low, or if it is too small.
 */
export function nameableOf(
  cut: Partition,
  number: number,
  sizeM: number,
  floorZ: number,
  closer?: Measuring["closer"],
): (Nameable & { readonly score: number }) | undefined {
  const region = cut.regions[number]!;
  if (region.members.length < MEASURED.leastVoxels) return undefined;
  const score = thingness(cut, number, floorZ);
  if (score < MEASURED.believed) return undefined;
  const thing = nameable(region, { seen: cut.seen, sizeM, floorZ, closer });
  const isCalled =
    score >= MEASURED.believedCalled && Array.from(thing.votes).some((share) => share >= MEASURED.called);
  return thing.longM < (isCalled ? MEASURED.leastCalledM : MEASURED.leastM) ? undefined : { ...thing, score };
}

/** The same for a region known to be a thing. */
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

/** Close-up evidence: the mean probability of each category over the voxels concerned. */
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

/** Mean number of observations of its voxels. */
export function meanLooks({ looks }: Surface, { members }: Pick<Region, "members">): number {
  return members.reduce((sum, n) => sum + looks[n]!, 0) / members.length;
}

/** Length and width along its principal directions on the ground, and height; without outliers. */
export function measured({ point }: Surface, members: readonly number[], sizeM: number): Measured {
  return spansOf(pointsOf(point, members), sizeM);
}
