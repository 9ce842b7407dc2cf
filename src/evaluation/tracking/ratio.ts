/** A share as its two counts, so that shares of several recordings add up to one (micro average). */
export interface Ratio {
  readonly hits: number;
  readonly total: number;
}

/** Precision and recall may count different things: links that were made, and moves that happened. */
export interface Scores {
  readonly precision: Ratio;
  readonly recall: Ratio;
}

export const NO_RATIO: Ratio = { hits: 0, total: 0 };

/** NaN where nothing was counted: then there is no share to speak of. */
export function shareOf({ hits, total }: Ratio): number {
  return total === 0 ? Number.NaN : hits / total;
}

export function f1Of({ precision, recall }: Scores): number {
  const [p, r] = [shareOf(precision), shareOf(recall)];
  return p + r === 0 ? 0 : (2 * p * r) / (p + r);
}

export function addRatios(ratios: readonly Ratio[]): Ratio {
  return ratios.reduce(
    (sum, { hits, total }) => ({ hits: sum.hits + hits, total: sum.total + total }),
    NO_RATIO,
  );
}

/** The value below which a share of the values lies, by the nearest rank; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
