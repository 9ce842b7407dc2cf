/** Wordings of one kind of question; slots are in braces. No wording is in both sets. */
export interface Wording {
  readonly dev: readonly string[];
  readonly test: readonly string[];
}

export type WordingTable = Readonly<Record<string, Wording>>;
