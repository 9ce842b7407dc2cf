import { attributesOf, longestName, lookup, roomKind, singularOf as singular } from "../../ontology/index.ts";
import { isFunctionWord } from "./function-words.ts";
import type { Sentence } from "./sentence.ts";
import { written } from "./tokens.ts";

export function singularOf(word: string): string {
  return singular(word);
}

/** A word that looks as if it described something. */
export function isAdjectiveLike(word: string): boolean {
  return attributesOf(word).length > 0 || /(?:ed|en|ish|ful|less|ous|ic|ive|able|ed|ing)$/.test(word);
}

/** Words that are names as well, but seldom meant so where grammar reads them. */
const SELDOM = new Set(
  "kind sort type place room floor level area left right front top back side end one ones thing things object objects item items house home person people way time times colour color size shape text light".split(
    " ",
  ),
);

export interface NounFound {
  readonly name: string;
  readonly length: number;
  readonly plural: boolean;
  readonly sure: boolean;
}

/** The longest name of a thing from a word on. */
export function nounAt(s: Sentence, at: number): NounFound | undefined {
  return s.memo("noun", at, () => {
    const first = s.words[at];
    if (first === undefined || s.tokens[at]!.quoted) return undefined;
    let words = s.words.slice(at, at + 4);
    const parted = s.tokens.slice(at + 1, at + 4).findIndex((token) => token.parted || token.quoted);
    if (parted >= 0) words = words.slice(0, parted + 1);
    const held = heldName(s, words);
    if (held) return held;
    for (;;) {
      const found = longestName(words, 0);
      if (!found) return undefined;
      const own = words.slice(0, found.length);
      // "Left" or "floor" by themselves are no things, and "mug next" is none either.
      if (found.length > 1 || !(isFunctionWord(own[0]!) || SELDOM.has(own[0]!)))
        return {
          name: nameAsSaid(own, found.entry.name),
          length: found.length,
          plural: found.plural,
          sure: true,
        };
      if (found.length === 1) return undefined;
      words = words.slice(0, found.length - 1);
    }
  });
}

/** A name of several words that this memory holds and the vocabulary does not. */
function heldName(s: Sentence, words: readonly string[]): NounFound | undefined {
  for (let length = Math.min(3, words.length); length > 1; length--) {
    const said = words.slice(0, length).join(" ");
    const one = singular(said);
    // "Downstairs hallway" is what a room is called.
    const isRoom = roomKind(one.replace(/^(?:upstairs|downstairs) /, "")) !== undefined;
    if (s.context.names?.has(one) && lookup(one) === undefined && !isRoom)
      return { name: one, length, plural: one !== said, sure: true };
  }
  return undefined;
}

/** The singular of what was said; things are looked for under the name that people use. */
function nameAsSaid(words: readonly string[], canonical: string): string {
  const said = words.join(" ");
  const one = singular(said);
  return lookup(one)?.name === canonical || lookup(one) !== undefined ? one : canonical;
}

/** The longest name of a kind of room from a word on. */
export function roomAt(
  s: Sentence,
  at: number,
): { name: string; length: number; plural: boolean } | undefined {
  return s.memo("room", at, () => {
    for (const length of [4, 3, 2, 1]) {
      const words = s.words.slice(at, at + length);
      if (
        words.length < length ||
        s.tokens.slice(at + 1, at + length).some(({ parted, quoted }) => parted || quoted)
      )
        continue;
      if (s.tokens[at]!.quoted) return undefined;
      const said = written(words);
      const kind = roomKind(said);
      if (!kind || (kind.isWhole && !/^rooms?$/.test(said))) continue;
      const one = singular(said);
      return { name: one, length, plural: one !== said };
    }
    return undefined;
  });
}

export interface AdjectiveFound {
  readonly attribute: string;
  readonly value: string;
  readonly length: number;
}

/** What an adjective from a word on says of a thing: colour, material, state, pattern, shape. */
export function adjectiveAt(s: Sentence, at: number): AdjectiveFound | undefined {
  return s.memo("adjective", at, () => {
    const word = s.words[at];
    if (word === undefined || s.tokens[at]!.quoted) return undefined;
    const next = s.words[at + 1] ?? "";
    const two = `${word} ${next}`;
    if (/^(?:light|dark|pale|bright|deep|navy|sky)$/.test(word)) {
      const colour = attributesOf(next).find(({ attribute }) => attribute === "colour");
      if (colour) return { ...colour, length: 2 };
    }
    for (const [said, length] of [
      [two, 2],
      [word, 1],
    ] as const) {
      const [first] = attributesOf(said).filter(({ attribute }) => !GRADED.has(attribute));
      if (first && !(length === 1 && isFunctionWord(word) && !/^(?:on|off|up|down)$/.test(word)))
        return { ...first, length };
    }
    return undefined;
  });
}

/** Attributes that are measured rather than looked up. */
const GRADED = new Set([
  "size",
  "height",
  "width",
  "length",
  "depth",
  "thickness",
  "age",
  "weight",
  "distance",
]);
