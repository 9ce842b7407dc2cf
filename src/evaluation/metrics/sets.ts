/** Precision, recall and F1 of a set of answers; of empty against empty all three are 1. */
export interface SetScores {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/**
 * Compares two sets of names, each name counted once. `same` decides equality; each truth is matched by at most one
 * answer, in order.
 */
export function setScores(
  answered: readonly string[],
  truth: readonly string[],
  same: (answered: string, truth: string) => boolean = (a, b) => a === b,
): SetScores {
  const left = [...new Set(truth)];
  const given = [...new Set(answered)];
  const [wanted, offered] = [left.length, given.length];
  if (wanted === 0 && offered === 0) return { precision: 1, recall: 1, f1: 1 };
  let met = 0;
  for (const name of given) {
    const index = left.findIndex((item) => same(name, item));
    if (index < 0) continue;
    left.splice(index, 1);
    met++;
  }
  const precision = offered === 0 ? 0 : met / offered;
  const recall = wanted === 0 ? 0 : met / wanted;
  return {
    precision,
    recall,
    f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall),
  };
}
