/**
 * Maximal marginal relevance: repeatedly takes the item with the highest λ·relevance − (1−λ)·similarity to those
 * already taken; `taken` counts from the start. Relevance is scaled to [0, 1] first, as similarity is. Returns the
 * indices it added; ties go to the earlier one.
 */
export function maximalMarginalRelevance(
  relevance: readonly number[],
  likeness: (a: number, b: number) => number,
  options: { readonly lambda: number; readonly k: number; readonly taken?: readonly number[] },
): number[] {
  const { lambda, k } = options;
  const [low, high] = [Math.min(...relevance), Math.max(...relevance)];
  const scaled = relevance.map((value) => (high > low ? (value - low) / (high - low) : 1));
  const nearest = new Float64Array(relevance.length);
  const left = new Set(relevance.keys());
  const take = (best: number) => {
    left.delete(best);
    for (const i of left) nearest[i] = Math.max(nearest[i]!, likeness(i, best));
  };
  for (const i of options.taken ?? []) take(i);
  const taken: number[] = [];
  while (taken.length < k && left.size > 0) {
    let best = -1;
    let bestGain = Number.NEGATIVE_INFINITY;
    for (const i of left) {
      const gain = lambda * scaled[i]! - (1 - lambda) * nearest[i]!;
      if (gain > bestGain) [best, bestGain] = [i, gain];
    }
    taken.push(best);
    take(best);
  }
  return taken;
}

/** Size of the intersection of two sets over their union; 0 for two empty sets. */
export function jaccard<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  let shared = 0;
  for (const value of small) if (large.has(value)) shared++;
  const union = a.size + b.size - shared;
  return union === 0 ? 0 : shared / union;
}
