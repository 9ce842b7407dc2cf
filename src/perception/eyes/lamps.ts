import { type Measuring, nameable } from "./measured.ts";
import { type Region, unite } from "./pieces.ts";
import type { Partition } from "./regions.ts";
import { thingness } from "./thingness.ts";
import type { Whole } from "./wholes.ts";

/** A piece is of a lamp where the eyes call it one by this share of their votes, and has at least so many places. */
const CALLED = 0.4;
const LEAST_VOXELS = 10;
/** A foot ends below this height above the floor, and a shade begins above this one. */
const FOOT_M = 0.2;
const SHADE_M = 0.8;
/** Neither is wider than this, and their middles are no farther apart than this on the ground. */
const MOST_WIDE_M = 0.6;
const ABOVE_EACH_OTHER_M = 0.3;
/** How likely a foot and a shade above it are a thing. */
const BELIEVED = 0.6;

/**
 * Standing lamps: a foot on the floor and a shade above it, both called a lamp. Their pole is finer than the grid, so that they
 * nowhere meet, and each by itself is likelier a speck than a thing.
 */
export function standingLampsIn(cut: Partition, categories: readonly string[], by: Measuring): Whole[] {
  const lamp = categories.indexOf("lamp");
  if (lamp < 0 || !Number.isFinite(by.floorZ)) return [];
  const called = cut.regions.flatMap(({ names, members }, n) =>
    members.length > 0 && names[lamp]! >= CALLED * members.length ? [n] : [],
  );
  const large = called.filter((n) => isLarge(cut.regions[n]!));
  const feet = large.filter((n) => cut.regions[n]!.high[2]! - by.floorZ < FOOT_M);
  const shades = new Set(large.filter((n) => cut.regions[n]!.low[2]! - by.floorZ > SHADE_M));
  return feet.flatMap((foot): Whole[] => {
    const apartM = (n: number) => apart(cut.regions[foot]!, cut.regions[n]!);
    const [shade] = [...shades].sort((a, b) => apartM(a) - apartM(b));
    if (shade === undefined || apartM(shade) > ABOVE_EACH_OTHER_M) return [];
    shades.delete(shade);
    const pole = called.filter((n) => n !== shade && !feet.includes(n) && apartM(n) < ABOVE_EACH_OTHER_M);
    const regions = [shade, foot, ...pole];
    const region = structuredClone(cut.regions[shade]!);
    for (const n of regions.slice(1)) unite(region, cut.regions[n]!);
    const score = Math.max(BELIEVED, ...regions.map((n) => thingness(cut, n, by.floorZ)));
    return [{ ...nameable(region, by), region, regions, score }];
  });
}

function isLarge({ members, low, high }: Region): boolean {
  return members.length >= LEAST_VOXELS && [0, 1].every((k) => high[k]! - low[k]! < MOST_WIDE_M);
}

/** Between the middles of what two regions cover on the ground. */
function apart(a: Region, b: Region): number {
  const middle = ({ low, high }: Region, k: number) => (low[k]! + high[k]!) / 2;
  return Math.hypot(middle(a, 0) - middle(b, 0), middle(a, 1) - middle(b, 1));
}
