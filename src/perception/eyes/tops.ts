import { meanLooks, measured } from "./measured.ts";
import type { Region } from "./pieces.ts";
import type { Partition } from "./regions.ts";

/** What stands beside a sofa or a bed with a lamp on it. */
export const SIDE_TABLE = "side table";
/** The top of one is as long and as wide as this, no thicker (a voxel of noise on both sides included), and this high above the floor. */
const LONG_M = { least: 0.3, most: 0.7 };
const WIDE_M = 0.25;
const THICK_M = 0.1;
const HIGH_M = { least: 0.35, most: 0.68 };
/** It is level by this share, furniture by that, beside a wall in less than this share of its places, and whole: so many places lie around each. */
const LEVEL = 0.9;
const FURNITURE = 0.75;
const AT_WALL = 0.15;
const CLOSE = 6;
/** How often its places were looked at, in the mean. */
const LOOKS = 2;
/** No other name has more than this share of the votes. */
const OTHERWISE = 0.3;
/** Furniture that has more than this share of it within its bounds has it for a part: chests have their tops. */
const WITHIN = 0.2;
const BELOW_M = 0.1;
const MOSTLY = 0.5;

/**
 * Regions that nobody takes for a thing, and are the tops of side tables: level plates of furniture at the height of a seat that no
 * other furniture has. Eyes that see a table behind the arm of a sofa see its top alone, and no name for it.
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
