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

/** Marks for what came with a question: one before it in a conversation, options to choose from, a picture. */
export const MARKS = { before: ">>", options: "[options]", shown: "[shown]" } as const;

/** So many questions before this one are looked at. */
const MOST_EARLIER = 2;

/** What a question came with. */
export interface CameWith {
  /** Names of people and pets, in small letters. */
  readonly people?: ReadonlySet<string> | undefined;
  /** The questions before it, the latest last. */
  readonly earlier?: readonly (readonly Written[])[] | undefined;
  readonly hasOptions?: boolean | undefined;
  readonly isShown?: boolean | undefined;
}

/** A question as words and marks, each with what is known of it; where it is too much, what was asked first is cut first. */
export function sourceOf(
  sentences: readonly Written[],
  { people, earlier = [], hasOptions, isShown }: CameWith = {},
): SourceWord[] {
  const own = [
    ...(hasOptions ? [mark(MARKS.options)] : []),
    ...(isShown ? [mark(MARKS.shown)] : []),
    ...wordsOf(sentences, people),
  ].slice(0, MOST_WORDS);
  const before = earlier.slice(-MOST_EARLIER).flatMap((one) => [...wordsOf(one, people), mark(MARKS.before)]);
  const most = MOST_WORDS - own.length;
  return [...before.slice(Math.max(0, before.length - most)), ...own];
}

function mark(word: string): SourceWord {
  return { word, kinds: 0 };
}

function wordsOf(sentences: readonly Written[], people?: ReadonlySet<string>): SourceWord[] {
  return sentences.flatMap(({ tokens, end }) => [
    ...tokens.flatMap((token, n) => [
      ...(token.parted && n > 0 ? [mark(",")] : []),
      ...(token.isRoom
        ? [{ word: token.word, kinds: KIND.room }]
        : token.word
            .split(/\s+/)
            .filter(Boolean)
            .map((word) => ({ word, kinds: kindsOf(word) | kindsOfToken(token, n, people) }))),
    ]),
    ...(end === "" ? [] : [mark(end)]),
  ]);
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
