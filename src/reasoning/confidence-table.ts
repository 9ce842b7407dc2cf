/** Written by bench/fit-confidence.ts from 540 answers. */
export const WEIGHTS: Readonly<Record<string, number>> = {
  one: 1.613,
  p: 2.139,
  doubt: -0.275,
  unseen: -0.1,
  rivals: -0.1,
  "unlikely reading": -1.754,
  cost: -0.1,
  others: -1.019,
  passedOver: -0.1,
  mended: -0.749,
  broadened: -0.811,
  parts: -0.246,
  listed: -1.934,
  long: -1.981,
  size: -1.779,
  past: -0.891,
  refused: -0.462,
  "refused in doubt": -0.766,
};

/** Kinds of question that come out better or worse than the rest by themselves. */
export const OPERATOR_BIAS: Readonly<Record<string, number>> = {
  attribute: 0.261,
  count: 0.121,
  is: 0.077,
  name: -0.495,
  "not-seen": -0.08,
  place: 0.013,
};
