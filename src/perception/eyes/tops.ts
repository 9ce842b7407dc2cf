import { meanLooks, measured } from "./measured.ts";
import type { Region } from "./pieces.ts";
import type { Partition } from "./regions.ts";

/** Name of the small table beside a sofa or a bed. */
export const SIDE_TABLE = "side table";
/**
 * Limits of its top: length and width, thickness (including a voxel of noise on both sides), and height above the
 * floor.
 */
const LONG_M = { least: 0.3, most: 0.7 };
const WIDE_M = 0.25;
const THICK_M = 0.1;
const HIGH_M = { least: 0.35, most: 0.68 };
/** Least levelness and furniture vote, greatest share of voxels beside a wall, and least connectivity. */
const LEVEL = 0.9;
const FURNITURE = 0.75;
const AT_WALL = 0.15;
const CLOSE = 6;
/** Least mean number of observations of its voxels. */
const LOOKS = 2;
/** No other name has more than this share of the votes. */
const OTHERWISE = 0.3;
/** Furniture that contains more than this share of it owns it: chests have their tops. */
const WITHIN = 0.2;
const BELOW_M = 0.1;
const MOSTLY = 0.5;

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
    .filter(({ surface, members }) => surface[1]! >= MOSTLY * members.length);
  return [...cut.regions.keys()].filter((number) => {
    const region = cut.regions[number]!;
    if (shown.has(number) || !isPlate(region, floorZ) || cut.closeness[number]! < CLOSE) return false;
    if (isCalledOtherwise(region, categories)) return false;
    const { longM, wideM } = measured(cut.seen, region.members, sizeM);
    if (longM < LONG_M.least || longM > LONG_M.most || wideM < WIDE_M) return false;
    return meanLooks(cut.seen, region) >= LOOKS && !furniture.some((other) => isTopOf(region, other));
  });
}

function isPlate({ members, normal, surface, edges, low, high }: Region, floorZ: number): boolean {
  const count = members.length;
  const aboveM = high[2]! - floorZ;
  return (
    high[2]! - low[2]! <= THICK_M &&
    aboveM >= HIGH_M.least &&
    aboveM <= HIGH_M.most &&
    normal[2]! >= LEVEL * count &&
    surface[1]! >= FURNITURE * count &&
    edges[1]! <= AT_WALL * count
  );
}

function isCalledOtherwise({ names, members }: Region, categories: readonly string[]): boolean {
  return names.some((sum, n) => categories[n] !== "table" && sum > OTHERWISE * members.length);
}

/** Whether it lies within the bounds of furniture that reaches up to it. */
function isTopOf(top: Region, { low, high }: Region): boolean {
  if (high[2]! < top.low[2]! - BELOW_M || low[2]! > top.high[2]!) return false;
  const [x = 0, y = 0] = [0, 1].map(
    (k) => (Math.min(high[k]!, top.high[k]!) - Math.max(low[k]!, top.low[k]!)) / (top.high[k]! - top.low[k]!),
  );
  return x > 0 && y > 0 && x * y > WITHIN;
}
