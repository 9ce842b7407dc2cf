const MOST_RIVALS = 8;
/** One look says no more than this. */
const MOST_PER_LOOK = 1.5;
const TOGETHER = 1.2;

/**
 * Two real things that stand side by side are seen side by side. Two records of one thing (a curtain's two wings,
 * a sofa met from both ends, a place revisited with drift) never are, apart from the odd split mask. So for like
 * things that overlap or nearly touch the odds are kept: a frame that shows one of two that were both in view
 * speaks for one, by how surely the other would have been reported; a frame that shows both speaks against it.
 */
export class Rivals<T> {
  readonly #odds = new Map<T, number>();

  seenTogether(other: T): void {
    this.#add(other, -TOGETHER);
  }

  /** `missP`: how likely a detector is to overlook the other one. */
  seenWithout(other: T, missP: number): void {
    this.#add(other, Math.min(MOST_PER_LOOK, -Math.log(Math.max(1e-3, missP))));
  }

  oddsWith(other: T): number {
    return this.#odds.get(other) ?? 0;
  }

  forget(other: T): void {
    this.#odds.delete(other);
  }

  #add(other: T, odds: number): void {
    if (!this.#odds.has(other) && this.#odds.size >= MOST_RIVALS) {
      const [oldest] = this.#odds.keys();
      this.#odds.delete(oldest!);
    }
    this.#odds.set(other, (this.#odds.get(other) ?? 0) + odds);
  }
}
