import { attributesOf, lookup, singularOf } from "../ontology/index.ts";
import type { Expression } from "../schema/index.ts";
import { type UnknownValue, unknownValue } from "./algebra/value.ts";
import { looksEnglish } from "./english.ts";
import { nodesCalled } from "./rival-values.ts";

/** The most characters of a question; longer texts are not read. */
const MOST_CHARS = 2_000;
/** A longer string is no word. */
const MOST_WORD_CHARS = 200;

/** A question in normalised form: control characters are blanks, blanks single. */
export function plainQuestion(question: string): string {
  return question
    .slice(0, MOST_CHARS * 4)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The reason why a text is not read: too long, or without known words. Undefined for a possible question. */
export function unreadable(question: string, text: string): UnknownValue | undefined {
  if (question.length > MOST_CHARS)
    return unknownValue(
      "not-understood",
      `A question has at most ${MOST_CHARS} characters; this has ${question.length}.`,
    );
  if (!/[a-z]/i.test(text) || text.split(" ").some((word) => word.length > MOST_WORD_CHARS))
    return NOT_ENGLISH;
  return undefined;
}

export const NOT_ENGLISH = unknownValue(
  "not-understood",
  "I do not understand the question: I read English.",
);

/** A question about what one would find is about the present contents. */
const SUPPOSED = /\b(?:if|when|once|were|should) (?:i|we)\b/i;
const FUTURE = /\b(?:will|shall|tomorrow|next (?:week|month|year)|going to)\b/i;
/** Phrases about the future, about possibilities, or about what a person “will find” there. */
const AHEAD = [
  "described",
  "likely",
  "usual",
  "refuse",
  "capacity",
  "fits",
  "serves",
  "action",
  "route",
  "reachable",
];

/** Statements about oneself or others before a question. */
const TOLD =
  /^\s*(?:(?:so|and|but|because|since|as) )*(?:i|i'm|i've|i'll|we|we're|my|our|he|she|they|there|it)\b/i;

/**
 * Whether a question is about something that a memory cannot contain, and the reading missed that; remarks around it do
 * not count.
 */
export function isAhead(text: string, parts: readonly Expression[]): boolean {
  const isHere = parts.every((part) => nodesCalled("self", part).length > 0);
  if (isHere && SUPPOSED.test(text)) return false;
  const said = new Set(parts.flatMap(wordsOf));
  const clauses = text.split(/[,:;.!?]/);
  const asked = clauses.filter((clause) => clause.trim() !== "" && !TOLD.test(clause));
  const naming = clauses.filter((clause) => clause.split(/\s+/).some((word) => said.has(word.toLowerCase())));
  const both = naming.filter((clause) => asked.includes(clause));
  const asking = [both, asked, naming].find(({ length }) => length > 0) ?? clauses;
  return (
    asking.some((clause) => FUTURE.test(clause)) &&
    !parts.some((part) => AHEAD.some((op) => nodesCalled(op, part).length > 0))
  );
}

/** The words of the question in a reading. */
function wordsOf({ of, with: options }: Expression): string[] {
  const own = Object.values(options).flatMap((one) =>
    typeof one === "string" ? one.toLowerCase().split(" ") : [],
  );
  return [...own, ...of.flatMap(wordsOf)];
}

/**
 * Nothing was found, and the words are hardly English: neither those of any question nor names and attributes of
 * things.
 */
export function isForeign(text: string): boolean {
  // Codes belong to no language.
  const plain = text.replace(/\S*\d\S*/g, " ");
  const words = plain.toLowerCase().match(/\p{L}+/gu) ?? [];
  const known = words.filter((word) => lookup(singularOf(word)) ?? attributesOf(word)[0]);
  return !looksEnglish(plain) && known.length * 2 < words.length;
}
