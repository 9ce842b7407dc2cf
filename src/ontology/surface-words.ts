import { appearanceWords } from "./appearance.ts";
import { vocabulary } from "./entry.ts";
import { pluralWord, singularOf } from "./nouns.ts";
import { lazily } from "./read-data.ts";
import { roomNames } from "./rooms.ts";
import { unitWords } from "./units.ts";

/**
 * Every single word in a name, a room, an adjective or a unit, with the plurals of last words, sorted, for spelling
 * correction.
 */
export const surfaceWords = lazily((): readonly string[] => {
  const [words, last] = [new Set<string>(), new Set<string>()];
  const add = (phrase: string): string[] => {
    const all = phrase.toLowerCase().split(" ");
    for (const word of all) words.add(word);
    return all;
  };
  for (const { names, isKind } of vocabulary().entries.values())
    for (const name of names) {
      const head = add(name).at(-1)!;
      if (!isKind) last.add(head);
    }
  for (const name of roomNames()) last.add(add(name).at(-1)!);
  for (const word of [...appearanceWords(), ...unitWords()]) add(word);
  for (const word of last) words.add(pluralWord(word));
  return [...words].sort();
});

/** The same words without plurals, which take longest to compute. */
const singulars = lazily((): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const { names } of vocabulary().entries.values()) addAll(found, names);
  for (const names of [roomNames(), appearanceWords(), unitWords()]) addAll(found, names);
  return found;
});

/** Whether a word is one of `surfaceWords`, without computing them all. */
export function isSurfaceWord(word: string): boolean {
  return singulars().has(word) || singulars().has(singularOf(word));
}

function addAll(found: Set<string>, phrases: readonly string[]): void {
  for (const phrase of phrases) for (const word of phrase.toLowerCase().split(" ")) found.add(word);
}
