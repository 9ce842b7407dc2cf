import { settings } from "../../schema/settings.ts";
import { type Measuring, nameable } from "./measured.ts";
import { type Region, unite } from "./pieces.ts";
import type { Partition } from "./regions.ts";
import { thingness } from "./thingness.ts";
import type { Whole } from "./wholes.ts";

/** Value, unit, minimum, maximum, source. */
const LAMPS = settings("eyes.lamps", {
  /** Least share of votes for "lamp", and least voxels, of a piece. */
  called: [0.4, "share", 0.2, 0.8, "experiment"],
  leastVoxels: [10, "voxels", 5, 20, "experiment"],
  /** A foot ends below the first height above the floor, and a shade begins above the second. */
  footM: [0.2, "m", 0.1, 0.4, "experiment"],
  shadeM: [0.8, "m", 0.4, 1.6, "experiment"],
  /** Greatest width of either, and greatest horizontal distance between their centres. */
  mostWideM: [0.6, "m", 0.3, 1.2, "experiment"],
  aboveEachOtherM: [0.3, "m", 0.15, 0.6, "experiment"],
  /** Score given to a foot with a shade above it. */
  believed: [0.6, "probability", 0.3, 0.8, "experiment"],
});

/**
 * Floor lamps: a foot on the floor and a shade above it, both called a lamp. Their pole is finer than the grid, so
 * the parts never touch, and each alone looks more like a speck than a thing.
 */
export function standingLampsIn(cut: Partition, categories: readonly string[], by: Measuring): Whole[] {
  const lamp = categories.indexOf("lamp");
  if (lamp < 0 || !Number.isFinite(by.floorZ)) return [];
  const called = cut.regions.flatMap(({ names, members }, n) =>
    members.length > 0 && names[lamp]! >= LAMPS.called * members.length ? [n] : [],
  );
  const large = called.filter((n) => isLarge(cut.regions[n]!));
  const feet = large.filter((n) => cut.regions[n]!.high[2]! - by.floorZ < LAMPS.footM);
  const shades = new Set(large.filter((n) => cut.regions[n]!.low[2]! - by.floorZ > LAMPS.shadeM));
  return feet.flatMap((foot): Whole[] => {
    const apartM = (n: number) => apart(cut.regions[foot]!, cut.regions[n]!);
    const [shade] = [...shades].sort((a, b) => apartM(a) - apartM(b));
    if (shade === undefined || apartM(shade) > LAMPS.aboveEachOtherM) return [];
    shades.delete(shade);
    const pole = called.filter((n) => n !== shade && !feet.includes(n) && apartM(n) < LAMPS.aboveEachOtherM);
    const regions = [shade, foot, ...pole];
    const region = structuredClone(cut.regions[shade]!);
    for (const n of regions.slice(1)) unite(region, cut.regions[n]!);
    const score = Math.max(LAMPS.believed, ...regions.map((n) => thingness(cut, n, by.floorZ)));
    return [{ ...nameable(region, by), region, regions, score }];
  });
}

function isLarge({ members, low, high }: Region): boolean {
  return members.length >= LAMPS.leastVoxels && [0, 1].every((k) => high[k]! - low[k]! < LAMPS.mostWideM);
}

/** Distance between the centres of two regions' ground areas. */
function apart(a: Region, b: Region): number {
  const middle = ({ low, high }: Region, k: number) => (low[k]! + high[k]!) / 2;
  return Math.hypot(middle(a, 0) - middle(b, 0), middle(a, 1) - middle(b, 1));
}
