import { addNames, type Surface } from "./links.ts";
import type { VoxelMap } from "./voxels.ts";

/** Least voxels of an upper storey. */
const LEAST = 12;
/**
 * Least rise of each storey, in voxels of 2.5 cm and more: laptops, saucers, knobs and the feet of lamps and screens
 * are lower.
 */
const RISE = 2;
/** Tolerance of a level, in voxels. */
const LEVEL = 1;
/** Depths at an edge mix a thing with its background: this many voxels beside it count for neither. */
const SMEAR = 1;
/**
 * A thing stands on a top if the top is visible in this share of what surrounds it, within this many voxels: the back
 * of a chair and the tank of a coffee machine end flush with what they stand on.
 */
const RING = 1;
const FREE = 0.55;
/** Least share of its footprint that it stands on: the handle of a toolbox spans the top between its ends. */
const STANDING = 0.5;
/**
 * Least area of the top, and its least ratio to all that stands on it: the shoulders of bottles are smaller, and a
 * lid is as large as its box.
 */
const TOP_M2 = 0.03;
const LARGER = 2;
/** Least share of the free area at the top's height: mounds and the insides of boxes have less. */
const EVEN = 0.6;
/** Storeys with the same name, by this share of the votes of each, belong to one thing. */
const CALLED = 0.35;
/** More columns than any map has along one axis, half of them on either side of its origin. */
const COLUMNS = 65_536;

/** The greatest height of each column of a region, in voxels. */
type Tops = ReadonlyMap<number, number>;

/** The members of each column of a region, and how high one of them is, in voxels. */
interface Columns {
  readonly members: ReadonlyMap<number, readonly number[]>;
  readonly heightOf: (member: number) => number;
}

/** The columns under a standing thing, and the top's height around them. */
interface Foot {
  readonly columns: ReadonlySet<number>;
  readonly topAt: number;
}

/** The things on a level top, separately, and the body with that top. */
export interface Storeys {
  readonly uppers: readonly number[][];
  readonly lower: readonly number[];
}

/**
 * Splits the members of a region by storeys: a model on a plinth, a figure on a box. The lower body has a level top,
 * on which something narrower stands with the top free around it. Undefined if the region is one thing.
 */
export function byStoreys(
  members: readonly number[],
  seen: Surface,
  map: VoxelMap,
  categories: number,
): Storeys | undefined {
  const at = (n: number, k: number) => seen.point[3 * n + k]! / map.sizeM;
  const columnOf = (n: number) => (Math.floor(at(n, 0)) + COLUMNS / 2) * COLUMNS + Math.floor(at(n, 1));
  const columns = { members: Map.groupBy(members, columnOf), heightOf: (n: number) => at(n, 2) };
  const feet = feetIn(columns, map.sizeM);
  const lower: number[] = [];
  const uppers = feet.map((): number[] => []);
  for (const [column, own] of columns.members) {
    const foot = feet.findIndex((one) => one.columns.has(column));
    for (const n of own)
      (foot >= 0 && at(n, 2) > feet[foot]!.topAt + LEVEL / 2 ? uppers[foot]! : lower).push(n);
  }
  const apart = uppers.filter((upper) => {
    const isOne = upper.length < LEAST || haveOneName(lower, upper, seen, map, categories);
    if (isOne) lower.push(...upper);
    return !isOne;
  });
  return apart.length > 0 ? { uppers: apart, lower } : undefined;
}

/** The footprints on the level top of the body beneath. */
function feetIn({ members, heightOf }: Columns, sizeM: number): Foot[] {
  const tops = new Map<number, number>();
  let lowest = Infinity;
  for (const [column, own] of members) {
    const heights = own.map(heightOf);
    tops.set(column, Math.max(...heights));
    lowest = Math.min(lowest, ...heights);
  }
  const level = levelOf(tops);
  const found = feetOn(tops, level + RISE);
  if (level - lowest < RISE || found.length === 0 || !isTop(tops, level, found, sizeM)) return [];
  const raised = new Set(found.flat());
  return found.flatMap((foot) => {
    const columns = new Set(foot.flatMap((column) => square(column, SMEAR)));
    const { height, free } = around(columns, tops, raised);
    if (free < FREE || height - lowest < RISE) return [];
    const isStanding = (n: number) => Math.abs(heightOf(n) - height - LEVEL) <= LEVEL / 2;
    const standing = foot.filter((column) => members.get(column)!.some(isStanding));
    return standing.length >= STANDING * foot.length ? [{ columns, topAt: height }] : [];
  });
}

/** The height at which most columns end. */
function levelOf(tops: Tops): number {
  const sorted = Float64Array.from(tops.values()).sort();
  let [level, most] = [Number.NaN, 0];
  for (let from = 0, to = 0; from < sorted.length; from++) {
    while (to < sorted.length && sorted[to]! <= sorted[from]! + 2 * LEVEL) to++;
    if (to - from > most) [level, most] = [sorted[(from + to) >> 1]!, to - from];
  }
  return level;
}

function isTop(tops: Tops, level: number, feet: readonly (readonly number[])[], sizeM: number): boolean {
  const stood = feet.reduce((sum, foot) => sum + foot.length, 0);
  let even = 0;
  for (const z of tops.values()) if (Math.abs(z - level) <= LEVEL) even++;
  const top = even + stood;
  return top * sizeM ** 2 >= TOP_M2 && top >= LARGER * stood && even >= EVEN * (tops.size - stood);
}

/** Columns of at least this height, by connected component. */
function feetOn(tops: Tops, from: number): number[][] {
  const left = new Set([...tops.keys()].filter((column) => tops.get(column)! >= from));
  const feet: number[][] = [];
  for (const first of left) {
    left.delete(first);
    const foot = [first];
    for (let at = 0; at < foot.length; at++)
      for (const other of square(foot[at]!, 1)) if (left.delete(other)) foot.push(other);
    feet.push(foot);
  }
  return feet;
}

/** The top's height around a footprint, and the share of its surroundings at that height. */
function around(
  foot: ReadonlySet<number>,
  tops: Tops,
  raised: ReadonlySet<number>,
): { readonly height: number; readonly free: number } {
  const ring = new Set([...foot].flatMap((column) => square(column, RING)));
  const besides = [...ring].filter((column) => !foot.has(column) && !raised.has(column));
  const heights = besides.flatMap((column) => tops.get(column) ?? []).sort((a, b) => a - b);
  const height = heights[heights.length >> 1] ?? -Infinity;
  return { height, free: heights.filter((z) => Math.abs(z - height) <= LEVEL).length / besides.length };
}

/** The columns around one, including itself. */
function square(column: number, reach: number): number[] {
  const out: number[] = [];
  for (let dx = -reach; dx <= reach; dx++)
    for (let dy = -reach; dy <= reach; dy++) out.push(column + dx * COLUMNS + dy);
  return out;
}

function haveOneName(
  a: readonly number[],
  b: readonly number[],
  seen: Surface,
  map: VoxelMap,
  categories: number,
): boolean {
  const [first, second] = [a, b].map((members) => {
    const names = new Float32Array(categories);
    for (const n of members) addNames(map, seen.voxels[n]!, names);
    return names.map((votes) => votes / members.length);
  });
  return first!.some((share, n) => share >= CALLED && second![n]! >= CALLED);
}
