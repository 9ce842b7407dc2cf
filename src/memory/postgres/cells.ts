import { type Box, invert, type Transform, transformBox, type Vec3 } from "../../geometry/index.ts";

/**
 * Space and time as ranges of a B-tree. A record's cell is the square column of its submap that its centre lies in,
 * at the coarsest side it needs: a side is at least the longest edge of the box, so a search that widens its bounds by
 * half a side per level (by half its diagonal where the submap is turned) cannot miss one. Height takes no part in the
 * number: floors are few, and are told apart by the row.
 */
const LEVELS = 8;
/** Sides are 2 m, 8 m, 32 m … 32 km. */
const SIDE_M = 2;
const FACTOR = 4;
/** Columns are counted from here, so that numbers are never negative: coordinates end at ±1e7 or so. */
const OFFSET = 2 ** 23;
const LEVEL_SHIFT = 2 ** 48;
const COLUMN_SHIFT = 2 ** 24;
/** More ranges than this and reading all of the submap is as quick. */
const MOST_RANGES = 96;

const sideOf = (level: number): number => SIDE_M * FACTOR ** level;

/** The cell of a place in its submap; null where it is larger or farther than cells reach: those are always looked at. */
export function cellOf(centre: Vec3, extent: Vec3 | undefined): number | null {
  const longest = extent === undefined ? 0 : Math.max(extent.x, extent.y, extent.z);
  let level = 0;
  while (level < LEVELS && sideOf(level) < longest) level++;
  const ix = Math.floor(centre.x / sideOf(level)) + OFFSET;
  const iy = Math.floor(centre.y / sideOf(level)) + OFFSET;
  if (level === LEVELS || ix < 0 || iy < 0 || ix >= COLUMN_SHIFT || iy >= COLUMN_SHIFT) return FAR;
  return level * LEVEL_SHIFT + ix * COLUMN_SHIFT + iy;
}

/** Beyond every cell. */
const FAR = LEVELS * LEVEL_SHIFT;

/**
 * The ranges of cells, first and last, of a submap in which all lie whose boxes in the world meet these bounds;
 * undefined if they are too many to be worth it.
 */
export function cellRanges(bounds: Box, worldFromSubmap: Transform): [number, number][] | undefined {
  const submapFromWorld = invert(worldFromSubmap);
  const reach = Math.abs(worldFromSubmap.q.w) > 1 - 1e-12 ? 0.5 : Math.sqrt(3) / 2;
  const ranges: [number, number][] = [[FAR, FAR]];
  for (let level = 0; level < LEVELS; level++) {
    const side = sideOf(level);
    const { min, max } = transformBox(submapFromWorld, widened(bounds, side * reach));
    const column = (value: number) =>
      Math.min(Math.max(Math.floor(value / side) + OFFSET, 0), COLUMN_SHIFT - 1);
    const [fromX, toX, fromY, toY] = [column(min.x), column(max.x), column(min.y), column(max.y)];
    if (ranges.length + toX - fromX > MOST_RANGES) return undefined;
    for (let ix = fromX; ix <= toX; ix++) {
      const base = level * LEVEL_SHIFT + ix * COLUMN_SHIFT;
      ranges.push([base + fromY, base + toY]);
    }
  }
  return ranges;
}

/** A little wider still, so that rounding never puts a match outside of its own range. */
export function widened({ min, max }: Box, byM: number): Box {
  const by = byM + 1e-6;
  return {
    min: { x: min.x - by, y: min.y - by, z: min.z - by },
    max: { x: max.x + by, y: max.y + by, z: max.z + by },
  };
}

/** How long an interval is, in powers of four of a second; what has no end is of a class of its own. */
export const OPEN_SPAN = 32;

export function spanOf(fromUs: number, toUs: number | null): number {
  if (toUs === null) return OPEN_SPAN;
  let span = 0;
  while (spanUs(span) < toUs - fromUs) span++;
  return span;
}

/** The longest interval of a class. */
export const spanUs = (span: number): number => 1e6 * 4 ** span;
