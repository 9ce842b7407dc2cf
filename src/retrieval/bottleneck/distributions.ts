import { LociError } from "../../schema/core.ts";

/** A smaller probability counts as zero: the floor of the reference code, so that logs stay finite. */
const FLOOR = 1e-12;

/** How scores against cues become a distribution over {null, cue 1, …, cue m}. */
export interface RelevanceOptions {
  /** The score of the null: lower scores count as irrelevant. */
  readonly alpha: number;
  /**
   * `soft` (docs/formulas.md#bottleneck): softmax of null and scores, so that weak matches keep some null. `clio`: the best `topK` rows,
   * or all of it null where no cue beats alpha; it forgets how strong a match was.
   */
  readonly nullMode: "soft" | "clio";
  /** Softmax temperature in units of score; used by `soft`. */
  readonly temperature?: number;
  /** How many of the best rows count; used by `clio`. */
  readonly topK?: number;
  /** The l-th round adds the l best rows, so the best row counts most (eq. 7); used by `clio`. */
  readonly cumulative?: boolean;
}

/**
 * p(y|x) for n things and m cues: rows of m + 1 numbers that sum to one, the null first. `scores` holds m cosines
 * for each thing, one thing after the other; negative ones count as zero.
 */
export function relevanceOf(scores: Float64Array, cues: number, options: RelevanceOptions): Float64Array {
  if (cues < 1 || scores.length % cues !== 0) {
    throw new LociError("invalid-input", `relevance: ${scores.length} scores do not divide by ${cues} cues`);
  }
  const width = cues + 1;
  const things = scores.length / cues;
  const out = new Float64Array(things * width);
  const row = new Float64Array(width);
  for (let i = 0; i < things; i++) {
    row[0] = options.alpha;
    for (let j = 0; j < cues; j++) row[j + 1] = Math.max(0, scores[i * cues + j]!);
    const target = out.subarray(i * width, (i + 1) * width);
    if (options.nullMode === "soft") softRow(row, options.temperature ?? 0.03, target);
    else clioRow(row, options.topK ?? 2, options.cumulative ?? true, target);
  }
  return out;
}

function softRow(row: Float64Array, temperature: number, target: Float64Array): void {
  let most = row[0]!;
  for (const value of row) most = Math.max(most, value);
  for (let j = 0; j < row.length; j++) target[j] = Math.exp((row[j]! - most) / temperature);
  normalise(target);
}

function clioRow(row: Float64Array, topK: number, cumulative: boolean, target: Float64Array): void {
  // A tie goes to null, and equal cues keep their order.
  const order = Array.from(row.keys()).sort((a, b) => row[b]! - row[a]! || a - b);
  target.fill(FLOOR);
  if (order[0] === 0) target[0] = 1;
  else {
    const k = Math.min(row.length, topK);
    for (let l = 0; l < k; l++) target[order[l]!]! += row[order[l]!]! * (cumulative ? k - l : 1);
  }
  normalise(target);
}

function normalise(target: Float64Array): void {
  let sum = 0;
  for (let j = 0; j < target.length; j++) {
    target[j] = Math.max(FLOOR, target[j]!);
    sum += target[j]!;
  }
  for (let j = 0; j < target.length; j++) target[j]! /= sum;
}

/** Jensen–Shannon divergence in bits; `weightP` is the share of p in the mixture. Zero iff equal, one for disjoint halves. */
export function jsDivergence(p: ArrayLike<number>, q: ArrayLike<number>, weightP = 0.5): number {
  return jsDivergenceAt(p, 0, q, 0, p.length, weightP);
}

/** The same on `width` numbers from two offsets: the inner loop of the bottleneck, free of allocations. */
export function jsDivergenceAt(
  p: ArrayLike<number>,
  pAt: number,
  q: ArrayLike<number>,
  qAt: number,
  width: number,
  weightP: number,
): number {
  const weightQ = 1 - weightP;
  let bits = 0;
  for (let j = 0; j < width; j++) {
    const a = p[pAt + j]!;
    const b = q[qAt + j]!;
    if (a === b) continue;
    const mixture = weightP * a + weightQ * b;
    if (a > 0) bits += weightP * a * Math.log2(a / mixture);
    if (b > 0) bits += weightQ * b * Math.log2(b / mixture);
  }
  return Math.max(0, bits);
}

/** I(X;Y) in bits with p(x) = 1/n and a uniform p(y) (docs/formulas.md#bottleneck). */
export function informationOf(relevance: Float64Array, width: number): number {
  let bits = 0;
  for (const p of relevance) if (p > 0) bits += p * Math.log2(p * width);
  return bits / (relevance.length / width);
}
