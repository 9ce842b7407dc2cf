import { normalQuantile } from "./normal-quantile.ts";

const HALF_CELL = 2 ** -54;

/**
 * Seeded randomness with the same bits on every machine: sfc32 (Doty-Humphrey, PractRand) seeded through
 * cyrb128, and only integer operations, + − × ÷ and sqrt after that. Not for secrets. The period is at least
 * 2^32 and about 2^127 on average.
 */
export class Random {
  readonly #seed: string;
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number | string) {
    this.#seed = String(seed);
    [this.#a, this.#b, this.#c] = cyrb128(this.#seed);
    for (let i = 0; i < 12; i++) this.#uint32();
  }

  /**
   * A stream of its own, named by this stream's seed and the label, not by how much was drawn: switching one
   * noise model off leaves all others as they were. The same label gives the same stream again.
   */
  fork(label: string): Random {
    return new Random(`${this.#seed.length}:${this.#seed}/${label}`);
  }

  /** Uniform in [0, 1) with 53 random bits; always two steps of the generator. */
  next(): number {
    const high = this.#uint32() >>> 5;
    return (high * 67_108_864 + (this.#uint32() >>> 6)) / 9_007_199_254_740_992;
  }

  /** A whole number from `minInclusive` up to but not including `maxExclusive`; biased by less than span / 2^53. */
  int(minInclusive: number, maxExclusive: number): number {
    const span = maxExclusive - minInclusive;
    if (!Number.isSafeInteger(minInclusive) || !Number.isSafeInteger(span) || span < 1) {
      throw new RangeError(`expected whole numbers min < max, got ${minInclusive} and ${maxExclusive}`);
    }
    return minInclusive + Math.floor(this.next() * span);
  }

  /** Uniform between `a` and `b`. */
  range(a: number, b: number): number {
    return a + (b - a) * this.next();
  }

  /** Gaussian by the inverse distribution function: one draw each, no spare value, tails to 8.2 deviations. */
  normal(mean = 0, standardDeviation = 1): number {
    // The middle of each 2^-53 cell, so that 0 and 1 never come up; mirrored, since 1 − 2^-54 is not a double.
    const u = this.next();
    const z = u < 0.5 ? normalQuantile(u + HALF_CELL) : -normalQuantile(1 - u - HALF_CELL);
    return mean + standardDeviation * z;
  }

  /** True with probability `p`. */
  chance(p: number): boolean {
    return this.next() < p;
  }

  /** One element, all equally likely. Throws a RangeError on an empty array. */
  pick<T>(items: readonly T[]): T {
    return items[this.int(0, items.length)] as T;
  }

  /** A shuffled copy (Fisher–Yates). */
  shuffle<T>(items: readonly T[]): T[] {
    const copy = [...items];
    for (let i = copy.length - 1; i > 0; i--) {
      const j = this.int(0, i + 1);
      const moved = copy[i] as T;
      copy[i] = copy[j] as T;
      copy[j] = moved;
    }
    return copy;
  }

  /** One element with probability proportional to its weight. Throws a RangeError unless some weight is positive. */
  weighted<T>(items: readonly T[], weights: readonly number[]): T {
    const total = weights.reduce((sum, weight) => (weight >= 0 ? sum + weight : Number.NaN), 0);
    if (items.length !== weights.length || !(total > 0 && total < Infinity)) {
      throw new RangeError(
        `expected ${items.length} weights ≥ 0 with a positive sum, got [${weights.join(", ")}]`,
      );
    }
    let left = this.next() * total;
    let chosen = 0;
    for (let i = 0; i < items.length; i++) {
      if (weights[i] === 0) continue;
      chosen = i; // rounding can leave a crumb past the end: it belongs to the last positive weight
      left -= weights[i]!;
      if (left < 0) break;
    }
    return items[chosen] as T;
  }

  /** `count` random bytes, one generator step each. */
  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.#uint32() >>> 24);
  }

  #uint32(): number {
    const t = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + t) | 0;
    return t >>> 0;
  }
}

/** bryc's 128-bit string hash (public domain), of which sfc32 takes three words. Works on UTF-16 code units. */
function cyrb128(text: string): [number, number, number] {
  let h1 = 1779033703;
  let h2 = 3144134277;
  let h3 = 1013904242;
  let h4 = 2773480762;
  for (let i = 0; i < text.length; i++) {
    const k = text.charCodeAt(i);
    h1 = h2 ^ Math.imul(h1 ^ k, 597399067);
    h2 = h3 ^ Math.imul(h2 ^ k, 2869860233);
    h3 = h4 ^ Math.imul(h3 ^ k, 951274213);
    h4 = h1 ^ Math.imul(h4 ^ k, 2716044179);
  }
  h1 = Math.imul(h3 ^ (h1 >>> 18), 597399067);
  h2 = Math.imul(h4 ^ (h2 >>> 22), 2869860233);
  h3 = Math.imul(h1 ^ (h3 >>> 17), 951274213);
  h4 = Math.imul(h2 ^ (h4 >>> 19), 2716044179);
  return [h1 ^ h2 ^ h3 ^ h4, h2 ^ h1, h3 ^ h1];
}
