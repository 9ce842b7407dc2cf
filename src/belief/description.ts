/**
 * A thing as a speaker describes it: "Anna's red mug with the text TEA" is a head with modifiers. `head` is singular
 * and lower-case, and "object" where the kind is not given. Attributes have the memory's names (colour, material,
 * openness, text …); other modifiers stay in `mods`.
 */
export interface Description {
  readonly head: string;
  readonly mods: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  readonly owner?: string | undefined;
  /** "the second bedroom" */
  readonly ordinal?: number | undefined;
  /** Only what is called so, not what has the words within its name. */
  readonly isWhole?: boolean | undefined;
  /** In the words of the question, for semantic search. */
  readonly phrase: string;
}

/** A description that is a name alone. */
export function nameAlone(name: string) {
  return { head: name, mods: [], attributes: {}, plural: false, phrase: name };
}
