import { OPERATOR_BIAS, WEIGHTS } from "./confidence-table.ts";

/** Features that distinguish right answers from wrong ones. */
export interface Features {
  /** The operator that decides the question; without an answer, the status. */
  readonly op: string;
  readonly answered: boolean;
  /** The value's own confidence. */
  readonly p: number;
  /** The completeness of the space it covers. */
  readonly share: number;
  /** Other things that fit as well. */
  readonly rivals: number;
  /** The reader's probability of the reading, and its cost including unused words. */
  readonly readP: number;
  readonly cost: number;
  /** Readings of similar cost with another answer, and whether better ones were skipped. */
  readonly others: number;
  readonly passedOver: number;
  /** Words with corrected spelling. */
  readonly mended: number;
  /** Rounds of widening the search. */
  readonly broadened: number;
  readonly parts: number;
  /** Words of the question. */
  readonly words: number;
  /** The number of things or words in the answer: long lists are seldom wanted. */
  readonly listed: number;
  /** Words of the longest name or purpose copied from the question: taken over, not understood. */
  readonly copied: number;
  /** A number that is 0, or an empty set as an answer: nothing was found. */
  readonly isNone: boolean;
  /** Records in the evidence. */
  readonly evidence: number;
  /** The extra cost of the next reading with other words; at most 1. */
  readonly margin: number;
  /**
   * The topic: changes, actions of robots or people, relations, set differences, one of several, or a moving person.
   */
  readonly asks: {
    readonly changes: boolean;
    readonly doings: boolean;
    readonly relations: boolean;
    readonly rest: boolean;
    readonly which: boolean;
    readonly movers: boolean;
  };
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
  "hardly read",
  "close",
  "related list",
  "changes",
  "doings",
  "relations",
  "rest",
  "which",
  "movers",
] as const;

export function vectorOf(features: Features): number[] {
  const p = within(features.p);
  const unlikely = 1 - within(features.readP);
  const refused = features.answered ? 0 : 1;
  const { asks } = features;
  return [
    1,
    p,
    // Near a guess, the quality falls faster than the probability.
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
    within(features.readP) < EVEN ? 1 : 0,
    1 - within(features.margin),
    asks.relations && features.listed > 1 ? 1 : 0,
    asks.changes ? 1 : 0,
    asks.doings ? 1 : 0,
    asks.relations ? 1 : 0,
    asks.rest ? 1 : 0,
    asks.which ? 1 : 0,
    asks.movers ? 1 : 0,
  ];
}

/** Words of a rare compound name: "washing machine" is one, "remote for the telly" was not analysed. */
const LONG_NAME = 3;

const LEAST = 0.03;
const MOST = 0.98;

/**
 * How often an answer like this was right (docs/formulas.md#confidence): logistic, with a table fitted by
 * bench/fit-confidence.ts.
 */
export function confidenceOf(features: Features): number {
  const x = vectorOf(features);
  let z = OPERATOR_BIAS[features.op] ?? 0;
  for (const [n, name] of FEATURE_NAMES.entries()) z += (WEIGHTS[name] ?? 0) * x[n]!;
  const most = features.answered && features.share < MUCH ? Math.max(EVEN, within(features.p)) : MOST;
  return Math.min(MOST, most, Math.max(LEAST, 1 / (1 + Math.exp(-z))));
}

/** Below this completeness, an answer is no surer than its value, and no worse than a coin. */
const MUCH = 0.8;
const EVEN = 0.5;

function within(share: number): number {
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}
