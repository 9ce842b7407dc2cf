import { attributesOf } from "../../ontology/index.ts";

/** One statement of an answer, in its own words and as a plain sentence. */
export interface Clause {
  /** The answer's own words. */
  readonly said: string;
  /** The same with context from the sentence before it: subjects for pronouns, full forms for short ones. */
  readonly plain: string;
}

/** The most sentences of an answer that are checked, the first ones. */
const MOST_CLAUSES = 12;

const SHORT_FORMS: readonly (readonly [RegExp, string])[] = [
  [/[“”]/g, '"'],
  [/[‘’]/g, "'"],
  // Records in brackets are citations.
  [/\s*[[(](?:[a-z]+-)?[0-9a-f]{6,}(?:,\s*(?:[a-z]+-)?[0-9a-f]{6,})*[\])]/gi, ""],
  [/\b(is|are|was|were|does|do|did|has|have|had|can|could|would)n't\b/gi, "$1 not"],
  [/\bcannot\b/gi, "can not"],
  [/\b(it|there|that|he|she|here)'s\b/gi, "$1 is"],
  [/\bi'm\b/gi, "I am"],
  [/\b(they|we|you)'re\b/gi, "$1 are"],
  [/\b(i|they|we|you)'ve\b/gi, "$1 have"],
];

/** Words about certainty or recency, without factual content. */
const HEDGES =
  /\b(?:probably|likely|apparently|clearly|actually|also|currently|presently|right now|at the moment|as far as i know|according to (?:the|my) (?:records?|memory|captions?)|as (?:seen|shown) in the (?:picture|view|image)s?|approximately|roughly|around(?= \d)|about(?= \d))\b,?\s*/gi;
/** "is located in" means "is in". */
const PLACED =
  /\b(is|are|was|were) (?:located|situated|placed|positioned|standing|sitting|lying|hanging|resting|parked|kept|stored|found)(?= (?:on|in|inside|at|under|below|beneath|above|over|next|beside|by|near|against|between|behind|to|left|right|upstairs|downstairs|with)\b)/gi;
const POSTURES: ReadonlyMap<string, string> = new Map([
  ...["stands", "sits", "lies", "hangs", "rests", "leans"].map((verb) => [verb, "is"] as const),
  ...["stand", "sit", "lie", "hang", "rest", "lean"].map((verb) => [verb, "are"] as const),
  ...["stood", "sat", "lay", "hung", "rested", "leaned"].map((verb) => [verb, "was"] as const),
]);
const PRONOUN = /^(?:it|they|this|that|these|those|he|she|this one|that one)\b/i;
const OBJECT = /\b(on|in|inside|near|beside|by|to|under|above|behind|of|from) (?:it|them|that|this)\b/i;
const IS = /\b(?:is|are|was|were)\b/;
const PLACE_WORD =
  /^(?:on|in|inside|at|under|below|beneath|above|over|next|beside|by|near|against|between|behind|left|right|upstairs|downstairs|made|about|as|not|\d)/i;

/** The statements of an answer, clause by clause; `about` is the meaning of "it" at its beginning. */
export function clausesOf(text: string, about: string | undefined): Clause[] {
  const clauses: Clause[] = [];
  let subject = about;
  for (const said of text.split(/(?<=[.!?;])\s+|\n+/).flatMap(partsOf)) {
    const bare = plainOf(said);
    if (bare === "") continue;
    const plain =
      subject === undefined
        ? bare
        : PRONOUN.test(bare)
          ? bare.replace(PRONOUN, subject)
          : bare.replace(OBJECT, `$1 ${subject}`);
    for (const one of predicatesOf(plain)) clauses.push({ said: said.trim(), plain: one });
    subject = subjectOf(plain) ?? subject;
  }
  return clauses.slice(0, MOST_CLAUSES);
}

/** The same words in normalised form, without end marks. */
export function plainOf(said: string): string {
  let plain = said;
  for (const [short, full] of SHORT_FORMS) plain = plain.replace(short, full);
  return plain
    .replace(HEDGES, "")
    .replace(PLACED, "$1")
    .split(" ")
    .map((word, n) => (n > 0 ? (POSTURES.get(word.toLowerCase()) ?? word) : word))
    .join(" ")
    .replace(/^[\s,;:]+|[\s.,;:!?]+$/g, "")
    .replace(/\s+/g, " ");
}

/** "…, and it is …", "…, which is …", "yes, …": parts with a statement of their own. */
function partsOf(sentence: string): string[] {
  const [, opening, rest] = /^\s*(yes|no|yeah|nope)\b[\s,.:;–—-]*(.*)$/is.exec(sentence) ?? [];
  const body = opening === undefined ? sentence : rest!;
  const pieces = body
    .replace(/\s*\(([^)]*)\)/g, (_all, inside: string) => `; ${inside};`)
    .split(/;\s*|,?\s+(?:but|while|whereas)\s+|,\s+(?:and|so|where)\s+(?=\w+ )|\s+[–—]\s+/)
    .flatMap(relativesOf)
    .filter((piece) => piece.trim() !== "");
  return opening === undefined ? pieces : [opening, ...pieces];
}

/** "on the table, which is in the kitchen" contains two statements. */
function relativesOf(piece: string): string[] {
  const found = /^(.*\b((?:the|a|an) [^,]+?)), (?:which|that|who) ((?:is|are|was|were)\b.*)$/i.exec(piece);
  if (!found) return [piece];
  const noun = found[2]!.split(/\b(?:on|in|at|of|near|by|beside|under|behind) (?=the|a|an)/i).at(-1)!;
  return [found[1]!, `${noun.replace(/^an? /i, "the ")} ${found[3]!}`];
}

/** "it is red and on the table" contains two statements about one thing. */
export function predicatesOf(plain: string): string[] {
  const verb = IS.exec(plain);
  if (!verb || verb.index === 0) return [plain];
  const head = plain.slice(0, verb.index + verb[0].length);
  const looks = plain.slice(head.length + 1).split(" ");
  if (looks.length > 1 && looks.every((word) => attributesOf(word.toLowerCase()).length > 0))
    return looks.map((word) => `${head} ${word}`);
  const [first, ...rest] = plain.slice(head.length + 1).split(/,? and (?:(?:is|are|was|were) )?/);
  if (first === undefined || rest.length === 0) return [plain];
  const apart = rest.every((one) => PLACE_WORD.test(one) || (isLook(one) && (isBare(one) || isLook(first))));
  // "between the bed and the wardrobe" is one place.
  return apart && !/\bbetween\b/.test(first) ? [first, ...rest].map((one) => `${head} ${one}`) : [plain];
}

const isLook = (words: string) => attributesOf(words.split(" ")[0]!.toLowerCase()).length > 0;
const isBare = (words: string) => words.split(" ").length <= 2;

/** The subject of a clause: the words before its verb. */
function subjectOf(plain: string): string | undefined {
  const verb = IS.exec(plain);
  const before = verb && plain.slice(0, verb.index).trim();
  if (!before || !/^(?:the|a|an|my|your|\p{Lu})/u.test(before) || before.split(" ").length > 8)
    return undefined;
  return before.replace(/^an? /i, "the ");
}
