import { attributesOf, isPlural, lookup, roomKind } from "../../../ontology/index.ts";
import { isFunctionWord } from "../function-words.ts";
import type { Token, Written } from "../tokens.ts";

/** A word of a question as the trained reader sees it. */
export interface SourceWord {
  readonly word: string;
  /** Its kinds by the vocabulary: a sum of `KIND`s. */
  readonly kinds: number;
}

/** The kinds of words. The network was trained with these numbers: they must not change. */
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

/** The most words of a question; the rest is left out. */
export const MOST_WORDS = 72;

/** Marks for the context of a question: an earlier one in the conversation, options to choose from, a picture. */
export const MARKS = { before: ">>", options: "[options]", shown: "[shown]" } as const;

/** The most earlier questions used. */
const MOST_EARLIER = 2;

/** The context of a question. */
export interface CameWith {
  /** Names of people and pets, in lower case. */
  readonly people?: ReadonlySet<string> | undefined;
  /** The earlier questions, the latest last. */
  readonly earlier?: readonly (readonly Written[])[] | undefined;
  readonly hasOptions?: boolean | undefined;
  readonly isShown?: boolean | undefined;
}

/** A question as words and marks, each with its kinds; if it is too long, the earliest question is cut first. */
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

/** The kinds of a single word. */
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
