import { AbsenceEvidence } from "./absence-evidence.ts";

/**
 * The evidence against a thing in its place from frames without a detection, and the look of the place while it is
 * there.
 */
export class Doubts {
  readonly absence = new AbsenceEvidence();
  /** Missed opportunities before it was seen again, and since. */
  misses = 0;
  missesSince = 0;
  /** For a tentative thing: since when it has been in view unreported, and for how long in all. */
  missedSinceUs: number | undefined;
  opportunityUs = 0;
  /** The recent mean share of its support and background that is visible while it is there. */
  emptiness: { readonly mean: number; readonly looks: number } | undefined;
  /** The last time its place was seen without it, before its first sighting there. */
  cameAfterUs: number | undefined;

  /** A sighting of the thing: earlier evidence against it was wrong. */
  clear(): void {
    this.absence.clear();
    this.misses += this.missesSince;
    this.missesSince = 0;
  }
}
