/** Written by bench/fit-confidence.ts from 361 answers. */
export const WEIGHTS: Readonly<Record<string, number>> = {
  one: 0.4,
  p: 2.952,
  doubt: -0.227,
  unseen: -0.241,
  rivals: -0.316,
  "unlikely reading": -2.128,
  cost: -0.1,
  others: -0.658,
  passedOver: -0.1,
  mended: -0.558,
  broadened: -0.72,
  parts: -0.851,
  listed: -2.608,
  long: -2.483,
  refused: -0.866,
  "refused in doubt": -0.941,
  contested: -0.1,
  several: -0.53,
  copied: -1.082,
  none: -0.1,
  unshown: -0.418,
};

/** Of answers at least so sure, how many there were and how many were wrong: cross-validated, each by a table that did not know it. */
export const RISK_STEPS: readonly {
  readonly atLeast: number;
  readonly answers: number;
  readonly wrong: number;
}[] = [
  { atLeast: 0.5, answers: 285, wrong: 21 },
  { atLeast: 0.52, answers: 285, wrong: 21 },
  { atLeast: 0.54, answers: 282, wrong: 21 },
  { atLeast: 0.56, answers: 281, wrong: 21 },
  { atLeast: 0.58, answers: 278, wrong: 21 },
  { atLeast: 0.6, answers: 276, wrong: 21 },
  { atLeast: 0.62, answers: 273, wrong: 21 },
  { atLeast: 0.64, answers: 268, wrong: 20 },
  { atLeast: 0.66, answers: 265, wrong: 20 },
  { atLeast: 0.68, answers: 256, wrong: 18 },
  { atLeast: 0.7, answers: 253, wrong: 17 },
  { atLeast: 0.72, answers: 243, wrong: 17 },
  { atLeast: 0.74, answers: 233, wrong: 17 },
  { atLeast: 0.76, answers: 228, wrong: 17 },
  { atLeast: 0.78, answers: 218, wrong: 16 },
  { atLeast: 0.8, answers: 198, wrong: 14 },
  { atLeast: 0.82, answers: 191, wrong: 13 },
  { atLeast: 0.84, answers: 176, wrong: 10 },
  { atLeast: 0.86, answers: 160, wrong: 8 },
  { atLeast: 0.88, answers: 144, wrong: 7 },
  { atLeast: 0.9, answers: 112, wrong: 6 },
  { atLeast: 0.92, answers: 85, wrong: 4 },
  { atLeast: 0.94, answers: 43, wrong: 2 },
  { atLeast: 0.96, answers: 14, wrong: 1 },
];

/** Kinds of question that come out better or worse than the rest by themselves. */
export const OPERATOR_BIAS: Readonly<Record<string, number>> = {
  attribute: 0.145,
  count: 0.105,
  direction: 0.3,
  distance: 0.086,
  exists: -0.101,
  insufficient: 0.515,
  is: 0.019,
  "looked-absent": -0.033,
  name: -0.405,
  "not-seen": -0.127,
  place: 0.059,
  route: -0.134,
  size: 0.269,
  when: 0.03,
};
