/** Written by bench/fit-confidence.ts from 1108 answers. */
export const WEIGHTS: Readonly<Record<string, number>> = {
  one: 0.72,
  p: 2.08,
  doubt: -1.95,
  unseen: -0.1,
  rivals: -0.1,
  "unlikely reading": -0.91,
  cost: -1.36,
  others: -0.83,
  passedOver: -0.1,
  mended: -0.1,
  broadened: -0.1,
  parts: -0.1,
  listed: -1.44,
  long: -0.39,
  refused: -0.65,
  "refused in doubt": -0.78,
  contested: -0.33,
  several: -0.92,
  copied: -1.17,
  none: -2.39,
  unshown: -0.91,
  "hardly read": -0.4,
  close: -0.17,
  "related list": -1.27,
  changes: -1.66,
  doings: 0.36,
  relations: 0.57,
  rest: 0.56,
  which: -0.71,
  movers: -0.94,
};

/**
 * For answers with at least this confidence: their number and how many were wrong. Read questions cross-validated by writer (wrong
 * ones twice), and 441 answers about twelve places asked later.
 */
export const RISK_STEPS: readonly {
  readonly atLeast: number;
  readonly answers: number;
  readonly wrong: number;
}[] = [
  { atLeast: 0.5, answers: 1256, wrong: 159 },
  { atLeast: 0.52, answers: 1235, wrong: 151 },
  { atLeast: 0.54, answers: 1220, wrong: 145 },
  { atLeast: 0.56, answers: 1190, wrong: 125 },
  { atLeast: 0.58, answers: 1166, wrong: 120 },
  { atLeast: 0.6, answers: 1148, wrong: 116 },
  { atLeast: 0.62, answers: 1131, wrong: 112 },
  { atLeast: 0.64, answers: 1102, wrong: 105 },
  { atLeast: 0.66, answers: 1074, wrong: 97 },
  { atLeast: 0.68, answers: 1048, wrong: 87 },
  { atLeast: 0.7, answers: 1012, wrong: 80 },
  { atLeast: 0.72, answers: 983, wrong: 77 },
  { atLeast: 0.74, answers: 959, wrong: 73 },
  { atLeast: 0.76, answers: 912, wrong: 62 },
  { atLeast: 0.78, answers: 877, wrong: 57 },
  { atLeast: 0.8, answers: 811, wrong: 54 },
  { atLeast: 0.82, answers: 742, wrong: 51 },
  { atLeast: 0.84, answers: 668, wrong: 39 },
  { atLeast: 0.86, answers: 610, wrong: 31 },
  { atLeast: 0.88, answers: 536, wrong: 25 },
  { atLeast: 0.9, answers: 464, wrong: 25 },
  { atLeast: 0.92, answers: 350, wrong: 13 },
  { atLeast: 0.94, answers: 172, wrong: 9 },
  { atLeast: 0.96, answers: 30, wrong: 4 },
  { atLeast: 0.98, answers: 2, wrong: 0 },
];

/** Kinds of questions with better or worse results than the rest. */
export const OPERATOR_BIAS: Readonly<Record<string, number>> = {
  attribute: 0.18,
  count: 0.03,
  direction: -0.28,
  distance: -0.23,
  duration: 0.09,
  exists: 0.7,
  "false-premise": -1.21,
  greater: 0.49,
  insufficient: 1.5,
  is: 0.16,
  "looked-absent": -1.15,
  name: -0.18,
  "not-seen": -0.78,
  place: 0.16,
  route: 0.36,
  size: 1.34,
  when: 0.68,
};
