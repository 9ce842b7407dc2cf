/** Whether records bear a claim out. */
export type ClaimVerdict = "supported" | "contradicted" | "cannot-tell";

/** What kind of evidence decided: fields of records, a text, a picture, or nothing. */
export type Support = "fields" | "text" | "picture" | "none";

/** One claim of an answer, held against the records. */
export interface Judged {
  /** The claim in the answer's own words. */
  readonly claim: string;
  readonly verdict: ClaimVerdict;
  readonly support: Support;
  /** What the records say instead, where they say it. */
  readonly instead?: string | undefined;
  /** Records, and tracks of them, that decided. */
  readonly refs: readonly string[];
}
