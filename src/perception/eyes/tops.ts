import { settings } from "../../schema/settings.ts";
import { meanLooks, measured } from "./measured.ts";
import type { Region } from "./pieces.ts";
import type { Partition } from "./regions.ts";

/** Name of the small table beside a sofa or a bed. */
export const SIDE_TABLE = "side table";
/** Value, unit, minimum, maximum, source. */
const TOPS = settings("eyes.tops", {
  /**
   * Limits of its top: length and width, thickness (including a voxel of noise on both sides), and height above the
   * floor.
   */
  longLeastM: [0.3, "m", 0.15, 0.6, "experiment"],
  longMostM: [0.7, "m", 0.35, 1.4, "experiment"],
  wideM: [0.25, "m", 0.125, 0.5, "experiment"],
  thickM: [0.1, "m", 0.05, 0.2, "experiment"],
  highLeastM: [0.35, "m", 0.175, 0.7, "experiment"],
  highMostM: [0.68, "m", 0.34, 1.36, "experiment"],
  /** Least levelness and furniture vote, greatest share of voxels beside a wall, and least connectivity. */
  level: [0.9, "cosine", 0.8, 0.95, "experiment"],
  furniture: [0.75, "share", 0.375, 0.875, "experiment"],
  atWall: [0.15, "share", 0.075, 0.3, "experiment"],
  close: [6, "neighbours", 3, 12, "experiment"],
  /** Least mean number of observations of its voxels. */
  looks: [2, "looks", 1, 4, "experiment"],
  /** No other name has more than this share of the votes. */
  otherwise: [0.3, "share", 0.15, 0.6, "experiment"],
  /** Furniture that contains more than this share of it owns it: chests have their tops. */
  within: [0.2, "share", 0.1, 0.4, "experiment"],
  belowM: [0.1, "m", 0.05, 0.2, "experiment"],
  mostly: [0.5, "share", 0.25, 1, "experiment"],
});

/**
 * Regions below the reporting threshold that are tops of side tables: level plates of furniture at seat height that
 * belong to no other furniture. A table behind the arm of a sofa shows its top alone, and the network has no name for
 * it.
 */
export function topsIn(
  cut: Partition,
  shown: ReadonlySet<number>,
  categories: readonly string[],
  sizeM: number,
  floorZ: number,
): number[] {
  if (!Number.isFinite(floorZ)) return [];
  const furniture = [...shown]
    .map((number) => cut.regions[number]!)
    .filter(({ surface, members }) => surface[1]! >= TOPS.mostly * members.length);
  return [...cut.regions.keys()].filter((number) => {
    const region = cut.regions[number]!;
    if (shown.has(number) || !isPlate(region, floorZ) || cut.closeness[number]! < TOPS.close) return false;
    if (isCalledOtherwise(region, categories)) return false;
    const { longM, wideM } = measured(cut.seen, region.members, sizeM);
    if (longM < TOPS.longLeastM || longM > TOPS.longMostM || wideM < TOPS.wideM) return false;
    return meanLooks(cut.seen, region) >= TOPS.looks && !furniture.some((other) => isTopOf(region, other));
  });
}

function isPlate({ members, normal, surface, edges, low, high }: Region, floorZ: number): boolean {
  const count = members.length;
  const aboveM = high[2]! - floorZ;
  return (
    high[2]! - low[2]! <= TOPS.thickM &&
    aboveM >= TOPS.highLeastM &&
    aboveM <= TOPS.highMostM &&
    normal[2]! >= TOPS.level * count &&
    surface[1]! >= TOPS.furniture * count &&
    edges[1]! <= TOPS.atWall * count
  );
}

function isCalledOtherwise({ names, members }: Region, categories: readonly string[]): boolean {
  return names.some((sum, n) => categories[n] !== "table" && sum > TOPS.otherwise * members.length);
}

/** Whether it lies within the bounds of furniture that reaches up to it. */
function isTopOf(top: Region, { low, high }: Region): boolean {
  if (high[2]! < top.low[2]! - TOPS.belowM || low[2]! > top.high[2]!) return false;
  const [x = 0, y = 0] = [0, 1].map(
    (k) => (Math.min(high[k]!, top.high[k]!) - Math.max(low[k]!, top.low[k]!)) / (top.high[k]! - top.low[k]!),
  );
  return x > 0 && y > 0 && x * y > TOPS.within;
}
