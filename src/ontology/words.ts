import { vocabulary } from "./entry.ts";
import { lookWords } from "./looks.ts";
import { pluralOf, singularOf } from "./nouns.ts";
import { lazily } from "./read-data.ts";
import { roomNames } from "./rooms.ts";
import { unitWords } from "./units.ts";

/** Every single word that occurs in a name, a room, an adjective or a unit, with its plural, sorted: what spelling is mended by. */
export const surfaceWords = lazily((): readonly string[] => {
  const found = new Set<string>();
  for (const { names } of vocabulary().entries.values())
    for (const name of names) addAll(found, name, pluralOf(name));
  for (const name of roomNames()) addAll(found, name, pluralOf(name));
  for (const word of [...lookWords(), ...unitWords()]) addAll(found, word);
  return [...found].sort();
});

/** The same words without their plurals, which take longest to make. */
const singulars = lazily((): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const { names } of vocabulary().entries.values()) addAll(found, ...names);
  addAll(found, ...roomNames(), ...lookWords(), ...unitWords());
  return found;
});

/** Whether a word is one of `surfaceWords`, without making them all. */
export function isSurfaceWord(word: string): boolean {
  return singulars().has(word) || singulars().has(singularOf(word));
}

function addAll(found: Set<string>, ...phrases: readonly string[]): void {
  for (const phrase of phrases)
    for (const word of phrase.toLowerCase().split(/[^a-z0-9'-]+/)) if (word !== "") found.add(word);
}
