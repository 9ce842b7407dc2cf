import { type Box, invert, type Transform, transformBox, type Vec3 } from "../../geometry/index.ts";

/**
 * Space and time as ranges of a B-tree. A record's cell is the square column of its submap that its centre lies in, at
 * the coarsest side it needs: a side is at least the longest edge of the box, so a search that widens its bounds by
 * half a side per level (by half its diagonal where the submap is turned) cannot miss one. Within a level cells are
 * numbered along a Z-curve (Morton 1966): an aligned block of them is one range. Height is not part of the number:
 * floors are few, and the row distinguishes them.
 */
const LEVELS = 8;
/** Sides are 2 m, 8 m, 32 m … 32 km. */
const SIDE_M = 2;
const FACTOR = 4;
/** Columns are counted from here, so that numbers are never negative: coordinates end at ±1e7 or so. */
const OFFSET = 2 ** 23;
const LEVEL_SHIFT = 2 ** 48;
const COLUMNS = 2 ** 24;
/**
 * A bound is covered by about this many blocks across: finer blocks read fewer rows outside it but need more descents.
 */
const BLOCKS_ACROSS = 8;

const sideOf = (level: number): number => SIDE_M * FACTOR ** level;

/**
 * The cell of a place in its submap; the last one where it is larger or farther than cells reach: that cell is always
 * searched.
 */
export function cellOf(centre: Vec3, extent: Vec3 | undefined): number {
  const longest = extent === undefined ? 0 : Math.max(extent.x, extent.y, extent.z);
  let level = 0;
  while (level < LEVELS && sideOf(level) < longest) level++;
  const ix = Math.floor(centre.x / sideOf(level)) + OFFSET;
  const iy = Math.floor(centre.y / sideOf(level)) + OFFSET;
  if (level === LEVELS || ix < 0 || iy < 0 || ix >= COLUMNS || iy >= COLUMNS) return FAR;
  return level * LEVEL_SHIFT + alongCurve(ix, iy);
}

/** Beyond every cell. */
const FAR = LEVELS * LEVEL_SHIFT;

/** Every level, as `levelsOf` counts them. */
export const ALL_LEVELS = 2 ** (LEVELS + 1) - 1;

/** The levels of these cells, a bit for each: a search leaves out levels that a scene does not use. */
export function levelsOf(cells: Iterable<number>): number {
  let levels = 0;
  for (const cell of cells) levels |= 1 << Math.floor(cell / LEVEL_SHIFT);
  return levels;
}

/** The ranges of cells of a submap, first and last, that hold every box that meets these bounds in the world. */
export function cellRanges(bounds: Box, worldFromSubmap: Transform, levels = ALL_LEVELS): [number, number][] {
  const submapFromWorld = invert(worldFromSubmap);
  const reach = Math.abs(worldFromSubmap.q.w) > 1 - 1e-12 ? 0.5 : Math.sqrt(3) / 2;
  const ranges: [number, number][] = levels & (1 << LEVELS) ? [[FAR, FAR]] : [];
  for (let level = 0; level < LEVELS; level++) {
    if ((levels & (1 << level)) === 0) continue;
    const side = sideOf(level);
    const { min, max } = transformBox(submapFromWorld, widened(bounds, side * reach));
    const column = (value: number) => Math.min(Math.max(Math.floor(value / side) + OFFSET, 0), COLUMNS - 1);
    const covered = blocksOver(column(min.x), column(max.x), column(min.y), column(max.y));
    for (const [first, last] of covered)
      ranges.push([level * LEVEL_SHIFT + first, level * LEVEL_SHIFT + last]);
  }
  return ranges;
}

/** The ranges of aligned blocks that cover a rectangle of columns; adjacent ones are merged. */
function blocksOver(fromX: number, toX: number, fromY: number, toY: number): [number, number][] {
  const across = Math.max(toX - fromX, toY - fromY) + 1;
  const side = 2 ** Math.max(0, Math.ceil(Math.log2(across / BLOCKS_ACROSS)));
  const firsts: number[] = [];
  for (let x = Math.floor(fromX / side) * side; x <= toX; x += side)
    for (let y = Math.floor(fromY / side) * side; y <= toY; y += side) firsts.push(alongCurve(x, y));
  firsts.sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const first of firsts) {
    const before = ranges.at(-1);
    if (before?.[1] === first - 1) before[1] += side * side;
    else ranges.push([first, first + side * side - 1]);
  }
  return ranges;
}

/** The bits of two numbers of 24 bits in turn. */
function alongCurve(x: number, y: number): number {
  const low = (spread(x & 0xfff) << 1) | spread(y & 0xfff);
  const high = (spread(x >>> 12) << 1) | spread(y >>> 12);
  return high * COLUMNS + low;
}

/** Twelve bits with a gap between any two. */
function spread(bits: number): number {
  let spaced = (bits | (bits << 8)) & 0x00ff00ff;
  spaced = (spaced | (spaced << 4)) & 0x0f0f0f0f;
  spaced = (spaced | (spaced << 2)) & 0x33333333;
  return (spaced | (spaced << 1)) & 0x55555555;
}

/** A little wider still, so that rounding never puts a match outside of its own range. */
export function widened({ min, max }: Box, byM: number): Box {
  const by = byM + 1e-6;
  return {
    min: { x: min.x - by, y: min.y - by, z: min.z - by },
    max: { x: max.x + by, y: max.y + by, z: max.z + by },
  };
}

/** How far a box reaches from its centre in any direction, however its submap is turned. */
export function reachOf(extent: Vec3 | undefined): number {
  return extent === undefined ? 0 : extent.x + extent.y + extent.z;
}

/** The length of an interval, in powers of four of a second; open intervals have a class of their own. */
export const OPEN_SPAN = 32;

export function spanOf(fromUs: number, toUs: number | null): number {
  if (toUs === null) return OPEN_SPAN;
  let span = 0;
  while (spanUs(span) < toUs - fromUs) span++;
  return span;
}

/** The longest interval of a class. */
const spanUs = (span: number): number => 1e6 * 4 ** span;

/** For each class of lengths, after when an interval must have begun to reach past a time. */
export function beginnings(fromUs: number): { readonly spans: number[]; readonly afters: number[] } {
  const spans: number[] = [];
  const afters: number[] = [];
  for (let span = 0; span <= OPEN_SPAN; span++) {
    spans.push(span);
    afters.push(
      span === OPEN_SPAN
        ? -Number.MAX_SAFE_INTEGER
        : Math.max(fromUs - spanUs(span), -Number.MAX_SAFE_INTEGER),
    );
  }
  return { spans, afters };
}
