/** Whether records support a claim. */
export type ClaimVerdict = "supported" | "contradicted" | "cannot-tell";

/** The kind of evidence that decided: fields of records, a text, a picture, or none. */
export type Support = "fields" | "text" | "picture" | "none";

/** One claim of an answer, checked against the records. */
export interface Judged {
  /** The claim in the answer's own words. */
  readonly claim: string;
  readonly verdict: ClaimVerdict;
  readonly support: Support;
  /** The records' own value, where there is one. */
  readonly instead?: string | undefined;
  /** The deciding records, and their tracks. */
  readonly refs: readonly string[];
}
