import { settings } from "../../schema/settings.ts";
import { kinds } from "./known-kinds.ts";
import { addNames, type Surface } from "./links.ts";
import { kindVotes, type Measuring } from "./measured.ts";
import type { Nameable } from "./named.ts";
import { spansOf } from "./spans.ts";
import { NAMES } from "./voxel-columns.ts";
import type { VoxelMap } from "./voxels.ts";

/** Value, unit, minimum, maximum, source. */
const RUGS = settings("eyes.rugs", {
  /** Height tolerance of a flat thing on the floor: the depth noise at a few metres. */
  flatM: [0.08, "m", 0.04, 0.16, "experiment"],
  /** Least share of votes for a cell to belong to a rug. */
  said: [0.35, "share", 0.175, 0.7, "experiment"],
  /**
   * Least mean vote for a patch of a mat's size to be a rug: floors in the shade are taken for rugs too, in patches of
   * up to 1.3 m², but with less than .65 (houses 52 to 55, 61, 63, 64 and 72 to 75; rugs have .71 to .93).
   */
  sure: [0.68, "probability", 0.34, 0.84, "experiment"],
  leastM2: [0.12, "m²", 0.06, 0.24, "experiment"],
  /** More columns than a map has along one axis. */
  columns: [1_048_576, "count", 524_000, 2_100_000, "limit"],
});

const WORD = "rug";

/** A patch of the floor that is a separate thing. */
export interface Rug extends Nameable {
  readonly voxels: readonly number[];
  readonly score: number;
}

/**
 * Rugs and mats. They lie in the plane of the floor, so that only the network's votes separate them from it: patches
 * of these votes are cut out, except where they belong to other things.
 */
export function rugsIn(
  map: VoxelMap,
  { placeOf }: Surface,
  categories: readonly string[],
  { floorZ, closer }: Measuring,
  isTaken: (place: number) => boolean,
): Rug[] {
  const word = categories.indexOf(WORD);
  if (word < 0 || !Number.isFinite(floorZ)) return [];
  const { cell, point, weight, hits } = map.columns;
  const columns = new Map<number, number[]>();
  for (let voxel = 0; voxel < placeOf.length; voxel++) {
    const w = weight[voxel]!;
    if (hits[voxel]! < 2 || Math.abs(point[3 * voxel + 2]! / w - floorZ) > RUGS.flatM) continue;
    if (placeOf[voxel]! >= 0 && isTaken(placeOf[voxel]!)) continue;
    if (shareOf(map, voxel, word) < RUGS.said) continue;
    const key = keyOf(cell[3 * voxel]!, cell[3 * voxel + 1]!);
    columns.set(key, [...(columns.get(key) ?? []), voxel]);
  }
  return patchesOf(columns).flatMap((patch): Rug[] => {
    const voxels = patch.flatMap((key) => columns.get(key)!);
    const areaM2 = patch.length * map.sizeM ** 2;
    const names = new Float32Array(categories.length);
    for (const voxel of voxels) addNames(map, voxel, names);
    const votes = names.map((sum) => sum / voxels.length);
    const score = votes[word]!;
    if (areaM2 < RUGS.leastM2 || score < RUGS.sure) return [];
    const places = voxels.map((voxel) => [0, 1, 2].map((k) => point[3 * voxel + k]! / weight[voxel]!));
    return [
      {
        ...spansOf(Float32Array.from(places.flat()), map.sizeM),
        voxels,
        votes,
        ...(closer && { kindVotes: kindVotes(closer, voxels) }),
        aboveM: 0,
        middle: [0, 1, 2].map((k) => places.reduce((sum, place) => sum + place[k]!, 0) / places.length),
        score,
      },
    ];
  });
}

/** The name of a rug, as specific as it is certain: whatever the alternatives, it lies flat on the floor. */
export function rugName(label: string | undefined): string {
  return kinds().some(({ name, word }) => name === label && word === WORD) ? label! : WORD;
}

function shareOf({ columns: { name, nameWeight, weight } }: VoxelMap, voxel: number, word: number): number {
  for (let n = NAMES * voxel; n < NAMES * (voxel + 1); n++)
    if (name[n] === word && nameWeight[n]! > 0) return nameWeight[n]! / weight[voxel]!;
  return 0;
}

/** Connected columns, by sides or corners. */
function patchesOf(columns: ReadonlyMap<number, unknown>): number[][] {
  const left = new Set(columns.keys());
  const out: number[][] = [];
  for (const first of columns.keys()) {
    if (!left.delete(first)) continue;
    const patch = [first];
    for (const key of patch) for (const step of AROUND) if (left.delete(key + step)) patch.push(key + step);
    out.push(patch);
  }
  return out;
}

const AROUND = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => keyOf(dx, dy))).filter((step) => step !== 0);

function keyOf(x: number, y: number): number {
  return x * RUGS.columns + y;
}
