import { settings } from "../../schema/settings.ts";
import type { Surface } from "./links.ts";

/** Value, unit, minimum, maximum, source. */
const OUTLINES = settings("eyes.outlines", {
  /** Least voxels and least area on both sides of an outline: less is a handle or a speck. */
  least: [15, "voxels", 7, 30, "experiment"],
  leastM2: [0.015, "m²", 0.0075, 0.03, "experiment"],
  /** Voxels that are edges by more than this say nothing about the colour and centre of their thing. */
  inner: [0.4, "share", 0.2, 0.8, "experiment"],
  innerLeast: [5, "voxels", 2, 10, "experiment"],
  /**
   * Sides that meet in fewer links than this, relative to the root of the smaller side's voxels, were separated by
   * unseen space.
   */
  border: [2.5, "ratio", 1.25, 5, "experiment"],
  /** An outline needs at least this strength along half of a border, and this much more than on either side of it. */
  outline: [0.3, "share", 0.15, 0.6, "experiment"],
  outstanding: [1.5, "ratio", 0.75, 3, "experiment"],
  /** It is strong if it has that strength along all but this share of the border. */
  strong: [0.65, "share", 0.325, 0.825, "experiment"],
  gap: [0.25, "share", 0.125, 0.5, "experiment"],
  /** Least distance between the predicted centres of two sides, relative to the distance between the sides. */
  otherMiddle: [0.5, "share", 0.25, 1, "experiment"],
  /** At a weaker outline the centres must be farther apart, and the colours differ by this, of 255 per channel. */
  farther: [0.65, "share", 0.325, 0.825, "experiment"],
  otherColour: [50, "level", 25, 100, "experiment"],
  /**
   * A side is even if its mean normal has this length; an even side is a top if the normal rises by the second share,
   * and a front if by no more than the third.
   */
  even: [0.75, "cosine", 0.375, 0.875, "experiment"],
  topRise: [0.85, "cosine", 0.7, 0.925, "experiment"],
  frontRise: [0.5, "cosine", 0.25, 1, "experiment"],
});

/** Voxels within outlines, with means over those that are not part of an outline. */
interface Basin {
  readonly members: number[];
  readonly colour: readonly number[];
  readonly middle: readonly number[];
  readonly place: readonly number[];
  readonly slope: readonly number[];
  readonly boundary: number;
  /** Outline strengths at the links to each other basin. */
  readonly meets: Map<number, number[]>;
}

/**
 * Splits the members of a region along the outlines that the network predicts inside it (Arbeláez et al. 2011: basins
 * between outlines are merged over the weakest first): magazines on each other, a leaflet in front of another, two
 * plinths. The network also predicts outlines within things; those separate neither colours nor centres, or are the
 * edge between the top of a body and its front. Undefined if the region is one thing.
 */
export function byOutlines(
  members: readonly number[],
  seen: Surface,
  colourOf: (member: number) => readonly number[],
  neighbours: (member: number) => readonly number[],
  sizeM: number,
): number[][] | undefined {
  const least = Math.max(OUTLINES.least, OUTLINES.leastM2 / sizeM ** 2);
  if (members.length < 2 * least) return undefined;
  const basins = basinsOf(members, seen, colourOf, neighbours, least);
  for (let pair = weakest(basins); pair; pair = weakest(basins))
    unite(basins, pair[0], pair[1], seen, colourOf);
  const parts = [...basins.values()].map((basin) => basin.members).sort((a, b) => b.length - a.length);
  const large = parts.filter((part) => part.length >= least);
  if (large.length < 2) return undefined;
  // Unconnected crumbs stay with the largest part.
  for (const part of parts) if (part.length < least) large[0]!.push(...part);
  return large;
}

/** Watershed from where there is no outline; basins that meet stay separate if both are large enough. */
function basinsOf(
  members: readonly number[],
  seen: Surface,
  colourOf: (member: number) => readonly number[],
  neighbours: (member: number) => readonly number[],
  least: number,
): Map<number, Basin> {
  const { boundary } = seen;
  const links = members.flatMap((a) =>
    neighbours(a).flatMap((b) => (a < b ? [{ a, b, height: Math.max(boundary[a]!, boundary[b]!) }] : [])),
  );
  links.sort((x, y) => x.height - y.height || x.a - y.a || x.b - y.b);
  const own = new Map(members.map((n) => [n, [n]]));
  for (const { a, b } of links) {
    const [x, y] = [own.get(a)!, own.get(b)!];
    if (x === y || Math.min(x.length, y.length) >= least) continue;
    const [more, fewer] = x.length >= y.length ? [x, y] : [y, x];
    for (const n of fewer) {
      more.push(n);
      own.set(n, more);
    }
  }
  const numbers = new Map([...new Set(own.values())].map((basin, n) => [basin, n]));
  const basins = new Map([...numbers].map(([basin, n]) => [n, basinOf(basin, seen, colourOf, new Map())]));
  for (const { a, b, height } of links) {
    const [x, y] = [numbers.get(own.get(a)!)!, numbers.get(own.get(b)!)!];
    if (x === y) continue;
    const heights = basins.get(x)!.meets.get(y) ?? [];
    heights.push(height);
    basins.get(x)!.meets.set(y, heights);
    basins.get(y)!.meets.set(x, heights);
  }
  return basins;
}

function basinOf(
  members: number[],
  { boundary, centre, point, normal }: Surface,
  colourOf: (member: number) => readonly number[],
  meets: Map<number, number[]>,
): Basin {
  const inner = members.filter((n) => boundary[n]! < OUTLINES.inner);
  const told = inner.length >= OUTLINES.innerLeast ? inner : members;
  const mean = (from: readonly number[], of: (n: number, k: number) => number) =>
    [0, 1, 2].map((k) => from.reduce((sum, n) => sum + of(n, k), 0) / from.length);
  return {
    members,
    colour: mean(told, (n, k) => colourOf(n)[k]!),
    middle: mean(told, (n, k) => centre[3 * n + k]!),
    place: mean(members, (n, k) => point[3 * n + k]!),
    slope: mean(members, (n, k) => normal[3 * n + k]!),
    boundary: told.reduce((sum, n) => sum + boundary[n]!, 0) / told.length,
    meets,
  };
}

/** Among the pairs without an outline between them, the one with the weakest border. */
function weakest(basins: ReadonlyMap<number, Basin>): readonly [number, number] | undefined {
  let [least, found] = [Infinity, undefined as readonly [number, number] | undefined];
  for (const [x, a] of basins)
    for (const [y, heights] of a.meets) {
      if (y < x) continue;
      const sorted = heights.toSorted((p, q) => p - q);
      const strength = shareOf(sorted, OUTLINES.gap);
      if (strength >= least || areApart(a, basins.get(y)!, sorted)) continue;
      [least, found] = [strength, [x, y]];
    }
  return found;
}

/** The value that all but a share of sorted values reach. */
function shareOf(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(share * (sorted.length - 1))]!;
}

function areApart(a: Basin, b: Basin, sorted: readonly number[]): boolean {
  if (sorted.length < OUTLINES.border * Math.sqrt(Math.min(a.members.length, b.members.length))) return false;
  const line = Math.max(OUTLINES.outline, OUTLINES.outstanding * Math.max(a.boundary, b.boundary));
  if (shareOf(sorted, 0.5) < line || isFrontOf(a, b) || isFrontOf(b, a)) return false;
  const apart = between(a.middle, b.middle) / between(a.place, b.place);
  if (shareOf(sorted, OUTLINES.gap) >= OUTLINES.strong) return apart >= OUTLINES.otherMiddle;
  return apart >= OUTLINES.farther && between(a.colour, b.colour) >= OUTLINES.otherColour;
}

/**
 * Whether one side is upright below a level one that lies behind it: both belong to one body, however the light
 * colours them.
 */
function isFrontOf({ slope: front, place: p }: Basin, { slope: top, place: q }: Basin): boolean {
  const [frontM, topM] = [Math.hypot(...front), Math.hypot(...top)];
  if (Math.min(frontM, topM) < OUTLINES.even) return false;
  if (top[2]! < OUTLINES.topRise * topM || Math.abs(front[2]!) > OUTLINES.frontRise * frontM) return false;
  return q[2]! > p[2]! && front[0]! * (p[0]! - q[0]!) + front[1]! * (p[1]! - q[1]!) > 0;
}

function unite(
  basins: Map<number, Basin>,
  x: number,
  y: number,
  seen: Surface,
  colourOf: (member: number) => readonly number[],
): void {
  const [a, b] = [basins.get(x)!, basins.get(y)!];
  const meets = new Map(a.meets);
  for (const [z, heights] of b.meets) meets.set(z, [...(meets.get(z) ?? []), ...heights]);
  meets.delete(x);
  meets.delete(y);
  basins.delete(y);
  basins.set(x, basinOf([...a.members, ...b.members], seen, colourOf, meets));
  for (const [z, heights] of meets) {
    const other = basins.get(z)!.meets;
    other.delete(y);
    other.set(x, heights);
  }
}

function between(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
}
