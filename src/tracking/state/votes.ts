import { OBSERVE } from "../settings/observe.ts";

/** The answers to one question (which category, which colour), each with its weight. */
export class Votes<V extends string | number | boolean = string> {
  readonly #weights = new Map<V, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  add(value: V, weight = 1): void {
    this.#total += weight;
    this.#weights.set(value, (this.#weights.get(value) ?? 0) + weight);
    if (this.#weights.size <= OBSERVE.maxValues) return;
    let weakest: V = value;
    for (const [other, w] of this.#weights) {
      if (other !== value && (weakest === value || w < this.#weights.get(weakest)!)) weakest = other;
    }
    this.#weights.delete(weakest);
  }

  /** Adds the votes of another, as when two tracks are merged. */
  absorb(other: Votes<V>): void {
    for (const [value, weight] of other.#weights) this.add(value, weight);
  }

  weightOf(value: V): number {
    return this.#weights.get(value) ?? 0;
  }

  /** Share of all votes; the first half vote is doubt, so that one observation is no certainty. */
  shareOf(value: V): number {
    return this.weightOf(value) / (this.#total + 0.5);
  }

  /** The strongest answer; of equals the first one given. */
  best(accept: (value: V) => boolean = () => true): V | undefined {
    let best: V | undefined;
    let most = 0;
    for (const [value, weight] of this.#weights) {
      if (weight > most && accept(value)) {
        best = value;
        most = weight;
      }
    }
    return best;
  }

  /** Strongest first. */
  ranked(): (readonly [V, number])[] {
    return [...this.#weights].sort((a, b) => b[1] - a[1]);
  }
}
