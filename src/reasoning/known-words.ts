import { surfaceWords } from "../ontology/index.ts";

let known: ReadonlySet<string> | undefined;

/** Whether a word is one of the vocabulary: of a name of a thing, a room, a look or a unit. */
export function isKnownWord(word: string): boolean {
  known ??= new Set(surfaceWords());
  return known.has(word.toLowerCase());
}
