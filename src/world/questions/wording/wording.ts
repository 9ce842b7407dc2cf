/** Ways to ask one kind of question; slots are in braces. No wording stands in both sets. */
export interface Wording {
  readonly dev: readonly string[];
  readonly test: readonly string[];
}

export type WordingTable = Readonly<Record<string, Wording>>;
