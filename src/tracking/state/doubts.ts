import { AbsenceEvidence } from "./absence-evidence.ts";

/** What looks at a thing's place said without reporting it, and what the place looks like while it is there. */
export class Doubts {
  readonly absence = new AbsenceEvidence();
  /** Looks that should have reported it before it was seen again, and since. */
  misses = 0;
  missesSince = 0;
  /** When it was in view without being reported, while still tentative: since when, and for how long in all. */
  missedSinceUs: number | undefined;
  opportunityUs = 0;
  /** Share of what is under and behind it that is seen in its place while it is there, on average of late. */
  emptiness: { readonly mean: number; readonly looks: number } | undefined;
  /** When its place was last seen without it, before it was first seen there. */
  cameAfterUs: number | undefined;

  /** A look at the thing: whatever spoke against it was wrong. */
  clear(): void {
    this.absence.clear();
    this.misses += this.missesSince;
    this.missesSince = 0;
  }
}
