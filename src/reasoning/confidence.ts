import { OPERATOR_BIAS, WEIGHTS } from "./confidence-table.ts";

/** What tells right answers from wrong ones before anybody knows which they are. */
export interface Features {
  /** The operator that decides what is asked; of what is not answered, the status. */
  readonly op: string;
  readonly answered: boolean;
  /** How sure the value is by itself. */
  readonly p: number;
  /** How much of what it speaks of was looked at. */
  readonly share: number;
  /** Other things that fit as well. */
  readonly rivals: number;
  /** How likely the reader finds the reading, and what it cost with what it leaves out. */
  readonly readP: number;
  readonly cost: number;
  /** Readings about as good as the one taken that gave another answer, and whether better ones were passed over. */
  readonly others: number;
  readonly passedOver: number;
  /** Words whose spelling was mended. */
  readonly mended: number;
  /** Steps of looking wider. */
  readonly broadened: number;
  readonly parts: number;
  /** Words of the question. */
  readonly words: number;
  /** How many things or words the answer lists: long lists are seldom what was asked for. */
  readonly listed: number;
  /** Words of the longest name or purpose that stands in the expression as it was said: taken over, not understood. */
  readonly copied: number;
  /** A number that is 0: nothing was found to count or measure. */
  readonly isNone: boolean;
  /** Records that show it. */
  readonly evidence: number;
}

/** The features as numbers about 0 to 1, in this order in every table. */
export const FEATURE_NAMES = [
  "one",
  "p",
  "doubt",
  "unseen",
  "rivals",
  "unlikely reading",
  "cost",
  "others",
  "passedOver",
  "mended",
  "broadened",
  "parts",
  "listed",
  "long",
  "refused",
  "refused in doubt",
  "contested",
  "several",
  "copied",
  "none",
  "unshown",
] as const;

export function vectorOf(features: Features): number[] {
  const p = within(features.p);
  const unlikely = 1 - within(features.readP);
  const refused = features.answered ? 0 : 1;
  return [
    1,
    p,
    // What is nearly a guess is worse than half as good.
    Math.max(0, 0.7 - p) / 0.7,
    1 - within(features.share),
    Math.min(3, features.rivals) / 3,
    unlikely,
    Math.min(2, Math.max(0, features.cost)) / 2,
    Math.min(3, features.others) / 3,
    Math.min(2, features.passedOver) / 2,
    Math.min(2, features.mended) / 2,
    Math.min(2, features.broadened) / 2,
    Math.min(2, Math.max(0, features.parts - 1)) / 2,
    Math.min(20, Math.max(0, features.listed - 1)) / 20,
    Math.min(40, Math.max(0, features.words - 6)) / 40,
    refused,
    refused * unlikely,
    features.others > 0 ? 1 : 0,
    features.listed > 1 ? 1 : 0,
    features.copied >= LONG_NAME ? 1 : 0,
    features.isNone ? 1 : 0,
    features.evidence === 0 ? 1 : 0,
  ];
}

/** Words of a name that few things have: "washing machine" is one, "remote for the telly" was not taken apart. */
const LONG_NAME = 3;

const LEAST = 0.03;
const MOST = 0.98;

/** How often an answer like this was right (docs/formulas.md#confidence): logistic, by a table that bench/fit-confidence.ts fits. */
export function confidenceOf(features: Features): number {
  const x = vectorOf(features);
  let z = OPERATOR_BIAS[features.op] ?? 0;
  for (const [n, name] of FEATURE_NAMES.entries()) z += (WEIGHTS[name] ?? 0) * x[n]!;
  const most = features.answered && features.share < MUCH ? Math.max(EVEN, within(features.p)) : MOST;
  return Math.min(MOST, most, Math.max(LEAST, 1 / (1 + Math.exp(-z))));
}

/** Where less than this was looked at, an answer is no surer than what it is made of, and no worse than a coin. */
const MUCH = 0.8;
const EVEN = 0.5;

function within(share: number): number {
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}
