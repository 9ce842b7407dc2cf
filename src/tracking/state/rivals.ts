import { COMMON } from "../settings/common.ts";
import { MERGE } from "../settings/merge.ts";

interface Tally {
  odds: number;
  together: number;
  /** Of those, the frames in which something lay between the two: no split mask does that. */
  beside: number;
  apart: number;
  /** Looks at one that took in the place of the other. */
  covered: number;
}

const NOTHING: Tally = { odds: 0, together: 0, beside: 0, apart: 0, covered: 0 };

/**
 * Two real things that stand side by side are seen side by side. Two records of one thing (a curtain's two wings,
 * a sofa met from both ends, a place revisited with drift) never are, apart from the odd split mask. So for like
 * things that overlap or nearly touch the odds are kept: a frame that shows one of two that were both in view
 * speaks for one, by how surely the other would have been reported; a frame that shows both speaks against it.
 */
export class Rivals<T> {
  readonly #tallies = new Map<T, Tally>();

  seenTogether(other: T, isBeside = false): void {
    this.#add(other, -COMMON.lookOdds);
    if (isBeside) this.#tallyOf(other).beside++;
  }

  /** A look at this one went over the place of the other, which was not reported. */
  seenOver(other: T): void {
    this.#tallyOf(other).covered++;
  }

  /** What the frames said of the two. */
  tallyOf(other: T): Readonly<Tally> {
    return this.#tallies.get(other) ?? NOTHING;
  }

  /** `missP`: how likely a detector is to overlook the other one. */
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
