import { stemmer } from "stemmer";
import { below, type Entry, vocabulary } from "./entry.ts";
import { meaningsOf } from "./names.ts";
import { singularOf } from "./nouns.ts";
import { keyOf, lazily, linesOf } from "./read-data.ts";

interface Thesaurus {
  readonly same: ReadonlyMap<string, ReadonlySet<string>>;
  readonly serves: ReadonlyMap<string, ReadonlySet<string>>;
  readonly phrases: readonly (readonly [string, string])[];
}

const thesaurus = lazily((): Thesaurus => {
  const same = new Map<string, Set<string>>();
  const serves = new Map<string, Set<string>>();
  const phrases: [string, string][] = [];
  const add = (to: Map<string, Set<string>>, head: string, words: readonly string[]): void => {
    const key = stemKey(head);
    const known = to.get(key) ?? new Set();
    for (const word of words) if (word !== head) known.add(word);
    to.set(key, known);
  };
  for (const line of linesOf("thesaurus")) {
    const [head = "", rest = ""] = line.split(" > ");
    if (line.startsWith("= ")) {
      const words = line.slice(2).split(", ");
      for (const word of words) add(same, word, words);
    } else if (line.startsWith("! ")) {
      for (const phrase of head.slice(2).split(", ")) phrases.push([phrase, rest]);
    } else add(serves, head, rest.split(", "));
  }
  return { same, serves, phrases };
});

/** A word as it is looked up here: without its endings (Porter), as the index of words has it. */
function stemKey(word: string): string {
  return keyOf(word).split(" ").map(stemmer).join(" ");
}

/** A description seldom uses rarer kinds; each one more finds less and disturbs more. */
const MAX_KINDS = 8;

/**
 * Words that may stand in a description where a question has this word: those for the same, and those for kinds
 * of it or for what serves it. Unlike `namesFor`, this knows verbs and adjectives too and keeps to single words that
 * add something: "mountain bike" is found by "bike" anyway.
 */
export function expand(word: string): { same: readonly string[]; kinds: readonly string[] } {
  const { same, serves } = thesaurus();
  const [key, stem] = [singularOf(keyOf(word)), stemKey(word)];
  const meanings = meaningsOf(word);
  const isOther = (other: string): boolean => stemKey(other) !== stem;
  const adds = (other: string): boolean => {
    const name = keyOf(other);
    return !name.includes(" ") && !key.split(" ").includes(singularOf(name));
  };
  const synonyms = meanings
    .flatMap((entry) => [...entry.names, ...alikeOf(entry), ...aboveOf(entry)])
    .filter(adds);
  const kinds = () =>
    meanings
      .flatMap(directKinds)
      .map(({ name }) => name)
      .filter(adds)
      .slice(0, MAX_KINDS);
  return {
    same: [...new Set([...(same.get(stem) ?? []), ...synonyms])].filter(isOther),
    kinds: [...new Set(serves.get(stem) ?? kinds())].filter(isOther),
  };
}

/** What it is taken for, whichever of the two lines says so. */
function alikeOf({ name, said }: Entry): readonly string[] {
  return [...said.like, ...(likenesses().get(name) ?? [])];
}

const likenesses = lazily((): ReadonlyMap<string, readonly string[]> => {
  const pairs = [...vocabulary().entries.values()]
    .filter(({ hasLike }) => hasLike)
    .flatMap(({ name, said }) => said.like.map((other) => [other, name] as const));
  return new Map(
    Array.from(
      Map.groupBy(pairs, ([other]) => other),
      ([other, all]) => [other, all.map(([, name]) => name)],
    ),
  );
});

/** Who describes a mug may write "cup"; nobody writes "valuables". */
function aboveOf({ kinds }: Entry): readonly string[] {
  return kinds.filter((kind) => vocabulary().entries.get(kind)?.isKind === false);
}

function directKinds({ name }: Entry): readonly Entry[] {
  return below().get(name) ?? [];
}

/** Words that a phrase of the question stands for: "somewhere to sit" is about sitting. */
export function phrasesIn(text: string): readonly string[] {
  const plain = ` ${keyOf(text)} `;
  return thesaurus().phrases.flatMap(([phrase, word]) => (plain.includes(` ${phrase} `) ? [word] : []));
}
