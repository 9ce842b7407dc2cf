const MOST_RIVALS = 12;
/** One look says no more than this. */
const MOST_PER_LOOK = 1.5;
const TOGETHER = 1.2;
/** Seen together this often, and in this share of the looks, two are two. */
const TWINS = 3;
const TWINS_SHARE = 0.15;

interface Tally {
  odds: number;
  together: number;
  apart: number;
}

/**
 * Two real things that stand side by side are seen side by side. Two records of one thing (a curtain's two wings,
 * a sofa met from both ends, a place revisited with drift) never are, apart from the odd split mask. So for like
 * things that overlap or nearly touch the odds are kept: a frame that shows one of two that were both in view
 * speaks for one, by how surely the other would have been reported; a frame that shows both speaks against it.
 */
export class Rivals<T> {
  readonly #tallies = new Map<T, Tally>();

  seenTogether(other: T): void {
    this.#add(other, -TOGETHER);
  }

  /** `missP`: how likely a detector is to overlook the other one. */
  seenWithout(other: T, missP: number): void {
    this.#add(other, Math.min(MOST_PER_LOOK, -Math.log(Math.max(1e-3, missP))));
  }

  oddsWith(other: T): number {
    return this.#tallies.get(other)?.odds ?? 0;
  }

  areTwins(other: T): boolean {
    const { together, apart } = this.#tallies.get(other) ?? { together: 0, apart: 0 };
    return together >= TWINS && together >= TWINS_SHARE * (together + apart);
  }

  /** How many frames showed both. */
  timesWith(other: T): number {
    return this.#tallies.get(other)?.together ?? 0;
  }

  /** Takes over what a record that turned out to be of the same thing knew about its rivals. */
  absorb(lost: Rivals<T>, self: T): void {
    for (const [other, tally] of lost.#tallies) if (other !== self) this.#join(other, tally);
  }

  /** What was noted about one that has been merged is now about the one that took it over. */
  takeFor(lost: T, kept: T): void {
    const tally = this.#tallies.get(lost);
    if (!tally) return;
    this.#tallies.delete(lost);
    this.#join(kept, tally);
  }

  forget(other: T): void {
    this.#tallies.delete(other);
  }

  #join(other: T, { odds, together, apart }: Tally): void {
    const tally = this.#tallyOf(other);
    tally.odds += odds;
    tally.together += together;
    tally.apart += apart;
  }

  #tallyOf(other: T): Tally {
    let tally = this.#tallies.get(other);
    if (!tally) {
      if (this.#tallies.size >= MOST_RIVALS) {
        const [oldest] = this.#tallies.keys();
        this.#tallies.delete(oldest!);
      }
      tally = { odds: 0, together: 0, apart: 0 };
      this.#tallies.set(other, tally);
    }
    return tally;
  }

  #add(other: T, odds: number): void {
    const tally = this.#tallyOf(other);
    tally.odds += odds;
    if (odds < 0) tally.together++;
    else tally.apart++;
  }
}
