import { attributesOf, isPlural, lookup, roomKind } from "../../../ontology/index.ts";
import { isFunctionWord } from "../function-words.ts";
import type { Token, Written } from "../tokens.ts";

/** A word of a question as the trained reader sees it. */
export interface SourceWord {
  readonly word: string;
  /** What the vocabulary knows of it: a sum of `KIND`s. */
  readonly kinds: number;
}

/** What a word may be. The fit has learnt these numbers: they do not change. */
export const KIND = {
  thing: 1,
  room: 2,
  colour: 4,
  material: 8,
  attribute: 16,
  name: 32,
  quoted: 64,
  number: 128,
  function: 256,
  plural: 512,
} as const;
export const KINDS = Object.keys(KIND).length;

/** More words than this are no question; the rest is left out. */
export const MOST_WORDS = 72;

/** A question as words and marks, each with what is known of it. */
export function sourceOf(sentences: readonly Written[], people?: ReadonlySet<string>): SourceWord[] {
  const source: SourceWord[] = [];
  const mark = (word: string) => source.push({ word, kinds: 0 });
  for (const { tokens, end } of sentences) {
    for (const [n, token] of tokens.entries()) {
      if (token.parted && n > 0) mark(",");
      for (const word of token.word.split(/\s+/).filter(Boolean))
        source.push({ word, kinds: kindsOf(word) | kindsOfToken(token, n, people) });
    }
    if (end !== "") mark(end);
  }
  return source.slice(0, MOST_WORDS);
}

function kindsOfToken(token: Token, n: number, people: ReadonlySet<string> | undefined): number {
  const isCapital = n > 0 && /^\p{Lu}\p{Ll}/u.test(token.raw);
  const isName = isCapital || people?.has(token.word);
  return (token.quoted ? KIND.quoted : 0) | (isName ? KIND.name : 0);
}

/** What a word by itself may be. */
export function kindsOf(word: string): number {
  let kinds = 0;
  if (isFunctionWord(word)) kinds |= KIND.function;
  else if (lookup(word)) kinds |= KIND.thing;
  if (roomKind(word)) kinds |= KIND.room;
  if (/^\d/.test(word)) kinds |= KIND.number;
  if (isPlural(word)) kinds |= KIND.plural;
  for (const { attribute } of attributesOf(word))
    kinds |= attribute === "colour" ? KIND.colour : attribute === "material" ? KIND.material : KIND.attribute;
  return kinds;
}
