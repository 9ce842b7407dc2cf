import { COMMON } from "../settings/common.ts";
import { MERGE } from "../settings/merge.ts";

interface Tally {
  odds: number;
  together: number;
  /** Of those, the frames in which something lay between the two: no split mask does that. */
  beside: number;
  apart: number;
  /** Observations of one that covered the place of the other. */
  covered: number;
}

const NOTHING: Tally = { odds: 0, together: 0, beside: 0, apart: 0, covered: 0 };

/**
 * Odds that two like things which overlap or nearly touch are one. Two real neighbours are seen side by side. Two
 * records of one thing (a curtain's two wings, a sofa seen from both ends, a place revisited with drift) never are,
 * apart from the odd split mask. A frame that shows one of two that were both in view is evidence for one, by the
 * certainty that the other would have been reported; a frame that shows both is evidence against it.
 */
export class Rivals<T> {
  readonly #tallies = new Map<T, Tally>();

  seenTogether(other: T, isBeside = false): void {
    this.#add(other, -COMMON.lookOdds);
    if (isBeside) this.#tallyOf(other).beside++;
  }

  /** An observation of this one covered the place of the other, which was not reported. */
  seenOver(other: T): void {
    this.#tallyOf(other).covered++;
  }

  /** The counts of frames for the two. */
  tallyOf(other: T): Readonly<Tally> {
    return this.#tallies.get(other) ?? NOTHING;
  }

  /** `missP`: the probability that a detector misses the other one. */
  seenWithout(other: T, missP: number): void {
    this.#add(other, Math.min(COMMON.lookOdds, -Math.log(Math.max(1e-3, missP))));
  }

  oddsWith(other: T): number {
    return this.#tallies.get(other)?.odds ?? 0;
  }

  areTwins(other: T): boolean {
    const { together, beside, apart } = this.tallyOf(other);
    return (
      beside >= COMMON.twice ||
      (together >= COMMON.fewLooks && together >= COMMON.someShare * (together + apart))
    );
  }

  /** The number of frames that showed both. */
  timesWith(other: T): number {
    return this.#tallies.get(other)?.together ?? 0;
  }

  /** Takes over the rivals of a record that was merged into this one. */
  absorb(lost: Rivals<T>, self: T): void {
    for (const [other, tally] of lost.#tallies) if (other !== self) this.#join(other, tally);
  }

  /** Moves the counts for a merged record to the one that took it over. */
  takeFor(lost: T, kept: T): void {
    const tally = this.#tallies.get(lost);
    if (!tally) return;
    this.#tallies.delete(lost);
    this.#join(kept, tally);
  }

  forget(other: T): void {
    this.#tallies.delete(other);
  }

  #join(other: T, { odds, together, beside, apart, covered }: Tally): void {
    const tally = this.#tallyOf(other);
    tally.beside += beside;
    tally.covered += covered;
    tally.odds += odds;
    tally.together += together;
    tally.apart += apart;
  }

  #tallyOf(other: T): Tally {
    let tally = this.#tallies.get(other);
    if (!tally) {
      if (this.#tallies.size >= MERGE.maxRivals) {
        const [oldest] = this.#tallies.keys();
        this.#tallies.delete(oldest!);
      }
      tally = { ...NOTHING };
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
