import { settings } from "../../schema/settings.ts";
import { addNames, type Surface } from "./links.ts";
import type { VoxelMap } from "./voxels.ts";

/** Value, unit, minimum, maximum, source. */
const STOREYS = settings("eyes.storeys", {
  /** Least voxels of an upper storey. */
  least: [12, "voxels", 6, 24, "experiment"],
  /**
   * Least rise of each storey, in voxels of 2.5 cm and more: laptops, saucers, knobs and the feet of lamps and screens
   * are lower.
   */
  rise: [2, "voxels", 1, 4, "experiment"],
  /** Tolerance of a level, in voxels. */
  level: [1, "voxels", 0, 2, "experiment"],
  /** Depths at an edge mix a thing with its background: this many voxels beside it count for neither. */
  smear: [1, "voxels", 0, 2, "experiment"],
  /**
   * A thing stands on a top if the top is visible in this share of what surrounds it, within this many voxels: the back
   * of a chair and the tank of a coffee machine end flush with what they stand on.
   */
  ring: [1, "voxels", 0, 2, "experiment"],
  free: [0.55, "share", 0.275, 0.775, "experiment"],
  /** Least share of its footprint that it stands on: the handle of a toolbox spans the top between its ends. */
  standing: [0.5, "share", 0.25, 1, "experiment"],
  /**
   * Least area of the top, and its least ratio to all that stands on it: the shoulders of bottles are smaller, and a
   * lid is as large as its box.
   */
  topM2: [0.03, "m²", 0.015, 0.06, "experiment"],
  larger: [2, "ratio", 1, 4, "experiment"],
  /** Least share of the free area at the top's height: mounds and the insides of boxes have less. */
  even: [0.6, "cosine", 0.3, 0.8, "experiment"],
  /** Storeys with the same name, by this share of the votes of each, belong to one thing. */
  called: [0.35, "share", 0.175, 0.7, "experiment"],
  /** More columns than any map has along one axis, half of them on either side of its origin. */
  columns: [65_536, "count", 32_800, 131_000, "limit"],
});

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
  const columnOf = (n: number) =>
    (Math.floor(at(n, 0)) + STOREYS.columns / 2) * STOREYS.columns + Math.floor(at(n, 1));
  const columns = { members: Map.groupBy(members, columnOf), heightOf: (n: number) => at(n, 2) };
  const feet = feetIn(columns, map.sizeM);
  const lower: number[] = [];
  const uppers = feet.map((): number[] => []);
  for (const [column, own] of columns.members) {
    const foot = feet.findIndex((one) => one.columns.has(column));
    for (const n of own)
      (foot >= 0 && at(n, 2) > feet[foot]!.topAt + STOREYS.level / 2 ? uppers[foot]! : lower).push(n);
  }
  const apart = uppers.filter((upper) => {
    const isOne = upper.length < STOREYS.least || haveOneName(lower, upper, seen, map, categories);
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
  const found = feetOn(tops, level + STOREYS.rise);
  if (level - lowest < STOREYS.rise || found.length === 0 || !isTop(tops, level, found, sizeM)) return [];
  const raised = new Set(found.flat());
  return found.flatMap((foot) => {
    const columns = new Set(foot.flatMap((column) => square(column, STOREYS.smear)));
    const { height, free } = around(columns, tops, raised);
    if (free < STOREYS.free || height - lowest < STOREYS.rise) return [];
    const isStanding = (n: number) => Math.abs(heightOf(n) - height - STOREYS.level) <= STOREYS.level / 2;
    const standing = foot.filter((column) => members.get(column)!.some(isStanding));
    return standing.length >= STOREYS.standing * foot.length ? [{ columns, topAt: height }] : [];
  });
}

/** The height at which most columns end. */
function levelOf(tops: Tops): number {
  const sorted = Float64Array.from(tops.values()).sort();
  let [level, most] = [Number.NaN, 0];
  for (let from = 0, to = 0; from < sorted.length; from++) {
    while (to < sorted.length && sorted[to]! <= sorted[from]! + 2 * STOREYS.level) to++;
    if (to - from > most) [level, most] = [sorted[(from + to) >> 1]!, to - from];
  }
  return level;
}

function isTop(tops: Tops, level: number, feet: readonly (readonly number[])[], sizeM: number): boolean {
  const stood = feet.reduce((sum, foot) => sum + foot.length, 0);
  let even = 0;
  for (const z of tops.values()) if (Math.abs(z - level) <= STOREYS.level) even++;
  const top = even + stood;
  return (
    top * sizeM ** 2 >= STOREYS.topM2 &&
    top >= STOREYS.larger * stood &&
    even >= STOREYS.even * (tops.size - stood)
  );
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
  const ring = new Set([...foot].flatMap((column) => square(column, STOREYS.ring)));
  const besides = [...ring].filter((column) => !foot.has(column) && !raised.has(column));
  const heights = besides.flatMap((column) => tops.get(column) ?? []).sort((a, b) => a - b);
  const height = heights[heights.length >> 1] ?? -Infinity;
  return {
    height,
    free: heights.filter((z) => Math.abs(z - height) <= STOREYS.level).length / besides.length,
  };
}

/** The columns around one, including itself. */
function square(column: number, reach: number): number[] {
  const out: number[] = [];
  for (let dx = -reach; dx <= reach; dx++)
    for (let dy = -reach; dy <= reach; dy++) out.push(column + dx * STOREYS.columns + dy);
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
  return first!.some((share, n) => share >= STOREYS.called && second![n]! >= STOREYS.called);
}
