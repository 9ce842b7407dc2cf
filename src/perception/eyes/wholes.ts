import { isKindOf } from "../../ontology/index.ts";
import { settings } from "../../schema/settings.ts";
import { FITTED, isRoomForOne } from "./known-kinds.ts";
import { type Measuring, nameable } from "./measured.ts";
import type { Nameable } from "./named.ts";
import { namesOf } from "./naming.ts";
import { areSideBySide } from "./oneness.ts";
import { type Region, unite } from "./pieces.ts";
import { isFaceOnly, isSideOf } from "./sides.ts";
import { laidOut, type Measured, pointsOf, reachOf } from "./spans.ts";

/** A thing of the map, of one region or of several unconnected ones. */
export interface Whole extends Nameable {
  readonly region: Region;
  readonly regions: readonly number[];
  readonly score: number;
  /** The name of one of its pieces, for a piece without one. */
  readonly called?: string | undefined;
}

/** Value, unit, minimum, maximum, source. */
const WHOLES = settings("eyes.wholes", {
  /** A thing of this length or more stands alone: none of its category stands in, above or below it. */
  largeM: [0.4, "m", 0.2, 0.8, "experiment"],
  /** How much a piece may enlarge the ground area of its thing, and its greatest vertical offset. */
  hardly: [1.1, "ratio", 0.55, 2.2, "experiment"],
  gapM: [0.15, "m", 0.075, 0.3, "experiment"],
  /** Probability from which an unnamed piece may belong to a named thing. */
  likely: [0.6, "probability", 0.3, 0.8, "experiment"],
  /** Adjacent pieces of fitted furniture with tops at equal height are one; chairs hide what is below. */
  equallyHighM: [0.15, "m", 0.075, 0.3, "experiment"],
  overlap: [0.5, "share", 0.25, 1, "experiment"],
  /** Pieces are adjacent if voxels of both are within this distance. */
  meetVoxels: [2, "voxels", 1, 4, "experiment"],
  /** More cells than any thing has along one axis. */
  cells: [100_000, "count", 50_000, 200_000, "limit"],
});

/**
 * Merges unconnected pieces of one thing: the back of a chair and its seat with a table in front. Two things of a
 * category cannot be where there is room for only one, nor one inside the other.
 */
export function wholesOf(
  pieces: readonly Whole[],
  categories: readonly string[],
  by: Measuring,
): readonly Whole[] {
  const names = namesOf(pieces, categories, by.isApart);
  const nameOf = new Map(pieces.map((piece, n) => [piece, names[n]!]));
  const out = new Map<Whole, string>();
  const nameless: Whole[] = [];
  const join = (piece: Whole, label: string, isCalled: boolean): boolean => {
    const rest = [...out].find(([one, own]) => isOne(one, piece, moreSpecial(own, label), by));
    if (!rest) return false;
    out.delete(rest[0]);
    const whole = both(rest[0], piece, by);
    out.set(isCalled ? whole : { ...whole, called: rest[1] }, moreSpecial(rest[1], label)!);
    return true;
  };
  const largestFirst = pieces.toSorted((a, b) => b.region.members.length - a.region.members.length);
  for (const piece of largestFirst) {
    const { label } = nameOf.get(piece)!;
    if (label === undefined) nameless.push(piece);
    else if (!join(piece, label, true)) out.set(piece, label);
  }
  for (const [face, label] of [...out]) {
    // It may have received another face, which is then no longer separate.
    if (!out.has(face) || !isFaceOnly(label, face)) continue;
    const whole = [...out].find(([one]) => one !== face && isSide(face, one, by));
    if (!whole) continue;
    out.delete(face);
    out.delete(whole[0]);
    out.set(both(whole[0], face, by), whole[1]);
  }
  // Fitted furniture without a certain name joins what it touches, and is dropped under that name otherwise.
  const others = nameless.filter((piece) => {
    const [likeliest] = nameOf.get(piece)!.maybe;
    if (!likeliest || likeliest.p < WHOLES.likely || !FITTED.includes(likeliest.category)) return true;
    return !join(piece, likeliest.category, false);
  });
  return [...out.keys(), ...others];
}

/** The more specific of two names, if both can belong to one thing. */
function moreSpecial(a: string, b: string): string | undefined {
  if (isKindOf(a, b)) return a;
  return isKindOf(b, a) ? b : undefined;
}

function isOne(large: Whole, small: Whole, label: string | undefined, { seen, sizeM }: Measuring): boolean {
  if (label === undefined) return false;
  const [a, b] = [large.region, small.region];
  if (areSideBySide(a, b) || areParted(a, b)) return false;
  const size = sizeOfBoth(a, b, seen, sizeM);
  if (isRoomForOne(label, size)) return true;
  if (FITTED.includes(label) && isLevel(a, b) && isBeside(a, b, seen, sizeM)) return true;
  const gapM = Math.max(a.low[2]!, b.low[2]!) - Math.min(a.high[2]!, b.high[2]!);
  const isInside = size.longM < WHOLES.hardly * large.longM && size.wideM < WHOLES.hardly * large.wideM;
  return isInside && large.longM >= WHOLES.largeM && gapM < WHOLES.gapM;
}

function isSide({ region: face }: Whole, whole: Whole, { seen, sizeM }: Measuring): boolean {
  const { region } = whole;
  return !areParted(face, region) && isSideOf(face, region, whole, sizeOfBoth(region, face, seen, sizeM));
}

/** The joint size of both, each without its own outliers: a small piece could be among the outliers of both. */
function sizeOfBoth(a: Region, b: Region, { point }: Measuring["seen"], sizeM: number): Measured {
  const own = pointsOf(point, [...a.members, ...b.members]);
  const { along, across } = laidOut(own);
  const up = Float64Array.from(along, (_, n) => own[3 * n + 2]!);
  const [first = 0, second = 0, highM = 0] = [along, across, up].map((values) => {
    const reaches = [
      reachOf(values.subarray(0, a.members.length)),
      reachOf(values.subarray(a.members.length)),
    ];
    const [from, to] = [0, 1].map((end) => reaches.map((reach) => reach[end]!));
    return Math.max(...to!) - Math.min(...from!) + sizeM / 2;
  });
  return { longM: Math.max(first, second), wideM: Math.min(first, second), highM };
}

/** Whether an outline separates them. */
function areParted({ side: a }: Region, { side: b }: Region): boolean {
  return a !== undefined && a.of === b?.of && a.number !== b.number;
}

function isLevel(a: Region, b: Region): boolean {
  const overlapM = Math.min(a.high[2]!, b.high[2]!) - Math.max(a.low[2]!, b.low[2]!);
  const lowerM = Math.min(a.high[2]! - a.low[2]!, b.high[2]! - b.low[2]!);
  return Math.abs(a.high[2]! - b.high[2]!) < WHOLES.equallyHighM && overlapM > WHOLES.overlap * lowerM;
}

function isBeside(a: Region, b: Region, { point }: Measuring["seen"], sizeM: number): boolean {
  const stepM = WHOLES.meetVoxels * sizeM;
  if ([0, 1, 2].some((k) => a.low[k]! > b.high[k]! + stepM || b.low[k]! > a.high[k]! + stepM)) return false;
  const cellOf = (n: number, k: number) => Math.floor((point[3 * n + k]! - a.low[k]!) / stepM);
  const keyOf = (x: number, y: number, z: number) => (x * WHOLES.cells + y) * WHOLES.cells + z;
  const taken = new Set(a.members.map((n) => keyOf(cellOf(n, 0), cellOf(n, 1), cellOf(n, 2))));
  const steps = [-1, 0, 1];
  return b.members.some((n) => {
    const [x, y, z] = [cellOf(n, 0), cellOf(n, 1), cellOf(n, 2)];
    return steps.some((dx) =>
      steps.some((dy) => steps.some((dz) => taken.has(keyOf(x + dx, y + dy, z + dz)))),
    );
  });
}

function both(a: Whole, b: Whole, by: Measuring): Whole {
  const region = structuredClone(a.region);
  unite(region, b.region);
  const score = Math.max(a.score, b.score);
  return { ...nameable(region, by), region, regions: [...a.regions, ...b.regions], score };
}
