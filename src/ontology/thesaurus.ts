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

/** The lookup key of a word: its Porter stem, as in the text index. */
function stemKey(word: string): string {
  return keyOf(word).split(" ").map(stemmer).join(" ");
}

/** Descriptions seldom use rarer subcategories; each further one finds less and adds noise. */
const MAX_KINDS = 8;

/**
 * Words in descriptions that may match this word of a question: synonyms, subcategories, and what serves it. Unlike
 * `namesFor`, this includes verbs and adjectives, and only single words that add something: "bike" already finds
 * "mountain bike".
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

/** Its confusions, listed in either line. */
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

/** A description of a mug may say "cup"; it never says "valuables". */
function aboveOf({ kinds }: Entry): readonly string[] {
  return kinds.filter((kind) => vocabulary().entries.get(kind)?.isKind === false);
}

function directKinds({ name }: Entry): readonly Entry[] {
  return below().get(name) ?? [];
}

/** Words that a phrase of the question implies: "somewhere to sit" is about sitting. */
export function phrasesIn(text: string): readonly string[] {
  const plain = ` ${keyOf(text)} `;
  return thesaurus().phrases.flatMap(([phrase, word]) => (plain.includes(` ${phrase} `) ? [word] : []));
}
