/** One list of scored ids, best first, as a source gave it. */
export type ScoredList = readonly { readonly id: string; readonly score: number }[];

export type Normalise = "zscore" | "minmax" | "none";

export const RRF_CONSTANT = 60;

/** Reciprocal-rank fusion: the sum of w/(constant + place) over the lists; needs no comparable scores. */
export function reciprocalRank(
  lists: readonly ScoredList[],
  options: { readonly constant?: number; readonly weights?: readonly number[] } = {},
): { id: string; score: number }[] {
  const constant = options.constant ?? RRF_CONSTANT;
  const sums = new Map<string, number>();
  lists.forEach((list, l) => {
    const weight = options.weights?.[l] ?? 1;
    list.forEach(({ id }, place) => {
      sums.set(id, (sums.get(id) ?? 0) + weight / (constant + place + 1));
    });
  });
  return ordered(sums);
}

/**
 * The weighted sum of each list's scores on a common scale. An id that a list does not have gets that list's
 * least score, not zero: lists are usually cut, and the least score is the most it can have had there.
 */
export function weightedSum(
  lists: readonly ScoredList[],
  weights: readonly number[],
  normalise: Normalise = "zscore",
): { id: string; score: number }[] {
  const ids = new Set(lists.flatMap((list) => list.map(({ id }) => id)));
  const sums = new Map<string, number>([...ids].map((id) => [id, 0]));
  lists.forEach((list, l) => {
    const weight = weights[l] ?? 1;
    if (list.length === 0 || weight === 0) return;
    const least = Math.min(...list.map(({ score }) => score));
    const known = new Map(list.map(({ id, score }) => [id, score]));
    const values = [...ids].map((id) => known.get(id) ?? least);
    const scale = scaleOf(values, normalise);
    let i = 0;
    for (const id of ids) sums.set(id, sums.get(id)! + weight * scale(values[i++]!));
  });
  return ordered(sums);
}

function scaleOf(values: readonly number[], normalise: Normalise): (value: number) => number {
  if (normalise === "none") return (value) => value;
  if (normalise === "minmax") {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return (value) => (high > low ? (value - low) / (high - low) : 0);
  }
  const mean = values.reduce((sum, v) => sum + v, 0) / values.length;
  const sd = Math.sqrt(values.reduce((sum, v) => sum + (v - mean) ** 2, 0) / values.length);
  // Equal scores carry no information; a deviation of rounding errors must not be scaled up to one.
  return (value) => (sd > 1e-9 ? (value - mean) / sd : 0);
}

function ordered(sums: ReadonlyMap<string, number>): { id: string; score: number }[] {
  return [...sums]
    .map(([id, score]) => ({ id, score }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
