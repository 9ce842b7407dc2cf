/** Written by bench/fit-confidence.ts from 460 answers. */
export const WEIGHTS: Readonly<Record<string, number>> = {
  one: 1.321,
  p: 0.566,
  doubt: -0.301,
  unseen: -0.1,
  rivals: -0.835,
  cost: -2.768,
  unexplained: -0.991,
  others: -0.708,
  passedOver: -0.751,
  mended: -0.497,
  broadened: -0.852,
  parts: -0.1,
  listed: -2.493,
  refused: 0.486,
  "refused unexplained": 0.531,
};

/** Kinds of question that come out better or worse than the rest by themselves. */
export const OPERATOR_BIAS: Readonly<Record<string, number>> = {
  attribute: 0.283,
  count: 0.034,
  exists: -0.277,
  insufficient: 0.178,
  is: 0.026,
  name: -0.425,
  "not-seen": 0.117,
  place: 0.144,
};
