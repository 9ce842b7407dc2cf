import { settings } from "../../schema/settings.ts";
import type { Links, Surface } from "./links.ts";
import type { Region } from "./pieces.ts";
import { spanOf } from "./spans.ts";

/** Value, unit, minimum, maximum, source. */
const MIDDLES = settings("eyes.middles", {
  /**
   * Only regions that are small things by this share are split here: the centre of furniture is too often out of view.
   */
  small: [0.6, "share", 0.3, 0.8, "experiment"],
  /** Least voxels of both parts of a split, and their least share of all. */
  least: [15, "voxels", 7, 30, "experiment"],
  leastShare: [0.15, "share", 0.075, 0.3, "experiment"],
  /** Predicted centres are collected in cells of this size and smoothed with this spread. */
  cellM: [0.025, "m", 0.0125, 0.05, "experiment"],
  spreadM: [0.035, "m", 0.0175, 0.07, "experiment"],
  /** Cut-off in half squared spreads; search radius in cells; weight of a rim's vote. */
  far: [6, "half sd²", 3, 12, "experiment"],
  nearCells: [2.5, "cells", 1.25, 5, "experiment"],
  leastWeight: [0.05, "weight", 0.025, 0.1, "experiment"],
  /** Two clusters of centres are separate if the density between them falls below this share of the lower one. */
  valley: [0.5, "share", 0.25, 1, "experiment"],
  /**
   * A flatter and longer region is seldom one thing: magazines and sheets on each other. For it a shallower valley is
   * enough.
   */
  flatM: [0.06, "m", 0.03, 0.12, "experiment"],
  pileM: [0.5, "m", 0.25, 1, "experiment"],
  pileValley: [0.85, "share", 0.7, 0.925, "experiment"],
  /** Least distance between the centres of two things, also as a share of the distance between the things. */
  apartM: [0.1, "m", 0.05, 0.2, "experiment"],
  apartShare: [0.5, "share", 0.25, 1, "experiment"],
  /** Rims say little about the centre: what is an edge by more than this joins what it lies beside. */
  rim: [0.8, "share", 0.6, 0.9, "experiment"],
  /** More voxels would take too long; a small thing has fewer. */
  most: [6_000, "count", 3_000, 12_000, "limit"],
});

/** Whether a region can contain several things: it consists of small things and is large enough for two. */
export function maybeSeveral({ members, surface }: Region): boolean {
  const { length } = members;
  return length >= 2 * MIDDLES.least && length <= MIDDLES.most && surface[2]! >= MIDDLES.small * length;
}

/**
 * Splits the members of a region by predicted centres, if there are several (Jiang et al. 2020, PointGroup: points
 * are grouped by the centres that they vote for). Magazines on a table and leaflets on a wall lie in one plane, and
 * nothing else separates them. Undefined if the region is one thing.
 */
export function byMiddles(
  members: readonly number[],
  seen: Surface,
  neighbours: (member: number) => readonly number[],
): number[][] | undefined {
  const cells = cellsOf(members, seen);
  const heaps = heapsOf(cells, isPile(members, seen) ? MIDDLES.pileValley : MIDDLES.valley);
  const least = Math.max(MIDDLES.least, MIDDLES.leastShare * members.length);
  const inner = members.filter((n) => seen.boundary[n]! <= MIDDLES.rim);
  const parts = [...Map.groupBy(inner, (n) => heaps.get(keyOf(seen, n))!).values()];
  const apart = mergedParts(parts, seen).filter((part) => part.length >= least);
  return apart.length > 1 ? grown(apart, members, neighbours) : undefined;
}

function isPile(members: readonly number[], { point }: Surface): boolean {
  const span = (k: number) => spanOf(Float64Array.from(members, (n) => point[3 * n + k]!));
  return span(2) < MIDDLES.flatM && Math.hypot(span(0), span(1)) > MIDDLES.pileM;
}

/** A cell of predicted centres. */
interface Cell {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly key: number;
  /** Density in it, with smoothing. */
  weight: number;
  density: number;
  readonly near: Cell[];
  /** The densest cell of its cluster, or the next one towards it. */
  above: Cell | undefined;
}

function keyOf({ centre }: Surface, n: number): number {
  const at = (k: number) => Math.floor(centre[3 * n + k]! / MIDDLES.cellM) + 32_768;
  return (at(0) * 65_536 + at(1)) * 65_536 + at(2);
}

/** The cells with predicted centres, with the density around each. */
function cellsOf(members: readonly number[], seen: Surface): Cell[] {
  const cells = new Map<number, Cell>();
  for (const n of members) {
    const key = keyOf(seen, n);
    let cell = cells.get(key);
    if (!cell) {
      const at = (k: number) => Math.floor(seen.centre[3 * n + k]! / MIDDLES.cellM);
      cell = { x: at(0), y: at(1), z: at(2), key, weight: 0, density: 0, near: [], above: undefined };
      cells.set(key, cell);
    }
    cell.weight += Math.max(MIDDLES.leastWeight, 1 - seen.boundary[n]!);
  }
  const all = [...cells.values()].sort((a, b) => a.x - b.x || a.key - b.key);
  const scale = MIDDLES.cellM ** 2 / (2 * MIDDLES.spreadM ** 2);
  all.forEach((one, n) => {
    one.density += one.weight;
    for (let m = n + 1; m < all.length && (all[m]!.x - one.x) ** 2 * scale < MIDDLES.far; m++) {
      const other = all[m]!;
      const square = (one.x - other.x) ** 2 + (one.y - other.y) ** 2 + (one.z - other.z) ** 2;
      if (square * scale >= MIDDLES.far) continue;
      const share = Math.exp(-square * scale);
      one.density += share * other.weight;
      other.density += share * one.weight;
      if (square > MIDDLES.nearCells ** 2) continue;
      one.near.push(other);
      other.near.push(one);
    }
  });
  return all;
}

/**
 * The cluster of each cell (Chazal et al. 2013, ToMATo: descending from density peaks, clusters that meet below a
 * valley stay separate).
 */
function heapsOf(cells: readonly Cell[], valley: number): Map<number, Cell> {
  const sorted = cells.toSorted((a, b) => b.density - a.density || a.key - b.key);
  const rank = new Map(sorted.map((cell, n) => [cell, n]));
  for (const cell of sorted) {
    const denser = cell.near.filter((other) => rank.get(other)! < rank.get(cell)!);
    for (const other of denser.sort((a, b) => rank.get(a)! - rank.get(b)!)) {
      const [a, b] = [topOf(other), topOf(cell)];
      if (a === b) continue;
      const [high, low] = rank.get(a)! < rank.get(b)! ? [a, b] : [b, a];
      if (low === cell || cell.density >= valley * low.density) low.above = high;
    }
  }
  return new Map(sorted.map((cell) => [cell.key, topOf(cell)]));
}

function topOf(cell: Cell): Cell {
  let top = cell;
  while (top.above) top = top.above;
  return top;
}

/** Merges parts whose centres are too close for two things, nearest first. */
function mergedParts(parts: readonly (readonly number[])[], seen: Surface): number[][] {
  const out = parts.map((members) => partOf(members, seen));
  for (;;) {
    let [nearestM, first, second] = [Infinity, -1, -1];
    for (let a = 0; a < out.length; a++)
      for (let b = a + 1; b < out.length; b++) {
        const middlesM = between(out[a]!.middle, out[b]!.middle);
        const leastM = Math.max(MIDDLES.apartM, MIDDLES.apartShare * between(out[a]!.place, out[b]!.place));
        if (middlesM < leastM && middlesM < nearestM) [nearestM, first, second] = [middlesM, a, b];
      }
    if (first < 0) return out.map(({ members }) => members);
    const members = [...out[first]!.members, ...out[second]!.members];
    out.splice(second, 1);
    out[first] = partOf(members, seen);
  }
}

/** Members with the means of their positions and of their predicted centres. */
function partOf(members: readonly number[], { centre, point }: Surface) {
  const mean = (values: Float32Array) =>
    [0, 1, 2].map((k) => members.reduce((sum, n) => sum + values[3 * n + k]!, 0) / members.length);
  return { members: [...members], middle: mean(centre), place: mean(point) };
}

function between(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
}

/** Assigns every member to the adjacent part; a fragment cut off from its part joins the part that it touches. */
function grown(
  parts: readonly (readonly number[])[],
  members: readonly number[],
  neighbours: (member: number) => readonly number[],
): number[][] {
  const numberOf = new Map<number, number>();
  parts.forEach((part, number) => {
    for (const n of largestOf(part, neighbours)) numberOf.set(n, number);
  });
  let front = [...numberOf.keys()];
  while (front.length > 0) {
    const next: number[] = [];
    for (const n of front)
      for (const other of neighbours(n)) {
        if (numberOf.has(other)) continue;
        numberOf.set(other, numberOf.get(n)!);
        next.push(other);
      }
    front = next;
  }
  const out = parts.map((): number[] => []);
  for (const n of members) out[numberOf.get(n) ?? 0]!.push(n);
  return out;
}

function largestOf(part: readonly number[], neighbours: (member: number) => readonly number[]): number[] {
  const left = new Set(part);
  let largest: number[] = [];
  for (const first of part) {
    if (!left.delete(first)) continue;
    const own = [first];
    for (let at = 0; at < own.length; at++)
      for (const other of neighbours(own[at]!)) if (left.delete(other)) own.push(other);
    if (own.length > largest.length) largest = own;
  }
  return largest;
}

/** For each member of these regions, the adjacent members of the same region. */
export function neighboursIn(regionOf: Int32Array, wanted: ReadonlySet<number>, { count, a, b }: Links) {
  const out = new Map<number, number[]>();
  const add = (from: number, to: number) => {
    const own = out.get(from);
    if (own) own.push(to);
    else out.set(from, [to]);
  };
  for (let n = 0; n < count; n++) {
    const region = regionOf[a[n]!]!;
    if (region !== regionOf[b[n]!] || !wanted.has(region)) continue;
    add(a[n]!, b[n]!);
    add(b[n]!, a[n]!);
  }
  return (member: number): readonly number[] => out.get(member) ?? [];
}
