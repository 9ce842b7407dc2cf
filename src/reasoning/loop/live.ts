import type { EncodedImage } from "../../models/index.ts";

/** The current view, or the pictures that came with the question. */
export interface LiveView {
  /** In order; "this" refers to their content. At most 16. */
  readonly images?: readonly EncodedImage[] | undefined;
  /** The things known to be in view, in words. */
  readonly text?: string | undefined;
  /** The stored views that the pictures are, in their order: an answer from the pictures cites them. */
  readonly recordIds?: readonly string[] | undefined;
}

/** A clock time in UTC: models reckon badly with epochs. */
export function clock(timeUs: number): string {
  return `${new Date(Math.floor(timeUs / 1_000)).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
