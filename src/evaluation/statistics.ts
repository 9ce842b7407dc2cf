import { Random } from "../geometry/index.ts";

const DRAWS = 1_000;

/** Ranks from 1; equal values share the mean of their ranks. */
export function ranksOf(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Array<number>(values.length);
  for (let start = 0; start < order.length; ) {
    let end = start + 1;
    while (end < order.length && values[order[end]!] === values[order[start]!]) end++;
    for (let i = start; i < end; i++) ranks[order[i]!] = (start + end + 1) / 2;
    start = end;
  }
  return ranks;
}

/** Spearman's correlation: Pearson's of the ranks. Zero where one side does not vary. */
export function spearman(a: readonly number[], b: readonly number[]): number {
  return pearson(ranksOf(a), ranksOf(b));
}

function pearson(a: readonly number[], b: readonly number[]): number {
  const mean = (list: readonly number[]) => list.reduce((sum, v) => sum + v, 0) / list.length;
  const [ma, mb] = [mean(a), mean(b)];
  let cross = 0;
  let aa = 0;
  let bb = 0;
  for (let i = 0; i < a.length; i++) {
    cross += (a[i]! - ma) * (b[i]! - mb);
    aa += (a[i]! - ma) ** 2;
    bb += (b[i]! - mb) ** 2;
  }
  return aa === 0 || bb === 0 ? 0 : cross / Math.sqrt(aa * bb);
}

/** A figure with its 95 % bootstrap interval over the items it was made from. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
}

/** Draws items with replacement, 1,000 times, from a fixed seed. */
export function bootstrap<T>(items: readonly T[], statistic: (items: readonly T[]) => number): Estimate {
  return { ...intervalOf(drawsOf(items, statistic), statistic(items)), n: items.length };
}

/** The statistic of each draw, sorted. */
function drawsOf<T>(items: readonly T[], statistic: (items: readonly T[]) => number): number[] {
  const random = new Random("bootstrap");
  const draws = Array.from({ length: DRAWS }, () =>
    statistic(items.map(() => items[random.int(0, items.length)]!)),
  );
  return draws.sort((a, b) => a - b);
}

function intervalOf(sortedDraws: readonly number[], value: number): Omit<Estimate, "n"> {
  return {
    value,
    low: sortedDraws[Math.floor(DRAWS * 0.025)]!,
    high: sortedDraws[Math.ceil(DRAWS * 0.975) - 1]!,
  };
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The difference between two methods on the same items, with its 95 % interval. */
export interface PairedEstimate extends Estimate {
  /** Share of the draws in which the first was not better: small means that the difference is hardly chance. */
  readonly notBetter: number;
}

/**
 * The paired bootstrap: draws items, not answers, so that an item's difficulty affects both sides alike. `groups` are
 * items that belong together (the questions of one house): they are drawn as a whole, because twenty questions about
 * one house are not twenty houses. With one item per group it is the plain paired bootstrap.
 */
export function pairedBootstrap(
  groups: readonly (readonly { readonly a: number; readonly b: number }[])[],
): PairedEstimate {
  const difference = (drawn: readonly (readonly { readonly a: number; readonly b: number }[])[]) =>
    meanOf(drawn.flat().map(({ a, b }) => a - b));
  const draws = drawsOf(groups, difference);
  const notBetter = draws.filter((draw) => draw <= 0).length / draws.length;
  return { ...intervalOf(draws, difference(groups)), n: groups.flat().length, notBetter };
}

/** The mean of grouped values with an interval that draws whole groups. */
export function groupedBootstrap(groups: readonly (readonly number[])[]): Estimate {
  const mean = (drawn: readonly (readonly number[])[]) => meanOf(drawn.flat());
  return { ...intervalOf(drawsOf(groups, mean), mean(groups)), n: groups.flat().length };
}
