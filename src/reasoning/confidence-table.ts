/** Written by bench/fit-confidence.ts from 765 answers. */
export const WEIGHTS: Readonly<Record<string, number>> = {
  one: 0.9,
  p: 2.829,
  doubt: -0.29,
  unseen: -0.1,
  rivals: -0.413,
  "unlikely reading": -1.886,
  cost: -0.1,
  others: -0.795,
  passedOver: -0.123,
  mended: -0.638,
  broadened: -0.232,
  parts: -0.868,
  listed: -2.585,
  long: -2.256,
  refused: -0.706,
  "refused in doubt": -0.914,
  contested: -0.832,
  several: -0.332,
  copied: -0.927,
  none: -0.825,
  unshown: -0.653,
};

/** Of answers at least so sure, how many there were and how many were wrong. */
export const RISK_STEPS: readonly {
  readonly atLeast: number;
  readonly answers: number;
  readonly wrong: number;
}[] = [];

/** Kinds of question that come out better or worse than the rest by themselves. */
export const OPERATOR_BIAS: Readonly<Record<string, number>> = {
  attribute: 0.573,
  count: 0.329,
  direction: -0.059,
  distance: -0.027,
  exists: 0.318,
  insufficient: 0.482,
  is: 0.242,
  "looked-absent": -0.258,
  name: -0.907,
  "not-seen": -0.007,
  place: -0.096,
  route: -0.144,
  size: 0.198,
  when: -0.129,
};
