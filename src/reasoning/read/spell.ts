import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isSurfaceWord, lookup, surfaceWords } from "../../ontology/index.ts";
import { isFunctionWord } from "./function-words.ts";
import { slipsBetween, soundOf } from "./slips.ts";
import type { Token, Written } from "./tokens.ts";

/** A question with corrected spelling, and the corrections. */
export interface Mended {
  readonly sentences: readonly Written[];
  readonly notes: readonly string[];
}

let said: ReadonlyMap<string, number> | undefined;
let english: ReadonlySet<string> | undefined;

function linesOf(file: string): string[] {
  return readFileSync(join(import.meta.dirname, "data", file), "utf8").split("\n");
}

/** How often the questions of our training pairs contain a word (`training/reader/count-words.ts`). */
function saidWords(): ReadonlyMap<string, number> {
  said ??= new Map(linesOf("said.txt").map((line) => [line.split(" ")[0]!, Number(line.split(" ")[1])]));
  return said;
}

/** Common English, used for words that are not in the vocabulary. */
function englishWords(): ReadonlySet<string> {
  english ??= new Set(linesOf("english.txt"));
  return english;
}

function isKnown(word: string): boolean {
  return saidWords().has(word) || isSurfaceWord(word) || englishWords().has(word);
}

/** Whether a word is known English. */
export function isKnownWord(word: string): boolean {
  if (word.length < 3 || isFunctionWord(word) || isKnown(word)) return true;
  if (word.startsWith("un") && word.length > 5 && isKnownWord(word.slice(2))) return true;
  // Forms of known words: walks, walked, walking, quickly, windowless.
  return ["s", "es", "ed", "d", "ing", "ly", "less", "'s"].some(
    (ending) =>
      word.endsWith(ending) &&
      word.length - ending.length >= 3 &&
      (ending !== "d" || word.endsWith("ed")) &&
      (isStem(word.slice(0, -ending.length), ending) || isKnown(`${word.slice(0, -ending.length)}e`)),
  );
}

/** Whether a known word takes the ending as it stands: a silent e goes before -ing, so "stageing" is no form of "stage". */
function isStem(stem: string, ending: string): boolean {
  return isKnown(stem) && !(ending === "ing" && /[^aeiouy]e$/.test(stem));
}

function isSpelt({ word, quoted }: Token): boolean {
  return !quoted && /^\p{L}{3,}$/u.test(word);
}

/** An English word that does not occur in questions: perhaps another was meant ("char", "tow", "dose"). */
function isUnheard(word: string): boolean {
  return !saidWords().has(word) && !isFunctionWord(word) && !isSurfaceWord(word);
}

/** With a larger share of unknown words it is another language or nonsense. */
const FOREIGN = 0.65;

function shareStrange(sentences: readonly Written[]): number {
  const words = sentences.flatMap(({ tokens }) => tokens.filter(({ word }) => /^\p{L}+$/u.test(word)));
  const strange = words.filter(({ word }) => (word.length < 3 ? !isFunctionWord(word) : !isKnownWord(word)));
  return strange.length / Math.max(1, words.length);
}

/**
 * Replaces unknown words by the likeliest intended word: similar to what was written, and frequent or a name in this
 * memory. A word near to none is unchanged.
 */
export function mended(sentences: readonly Written[], names: readonly string[]): Mended {
  const notes: string[] = [];
  const isForeign = shareStrange(sentences) > FOREIGN;
  const own = new Map(names.flatMap((name) => name.split(/\s+/)).map((name) => [name.toLowerCase(), name]));
  const mend = (token: Token, at: number): Token[] => {
    if (!isSpelt(token)) return [token];
    const isStrange = !isKnownWord(token.word);
    const exact = own.get(token.word);
    if (exact !== undefined) return [isStrange ? { ...token, raw: exact } : token];
    const two = isStrange ? apart(token.word) : undefined;
    if (two) return two.map((word, n) => ({ ...token, word, raw: word, parted: token.parted && n === 0 }));
    // A name that this memory does not have is an unknown person, not a misspelling.
    const isName = at > 0 && /^\p{Lu}\p{Ll}/u.test(token.raw);
    const better = isStrange
      ? likeliest(token.word, own, !isName && !isForeign)
      : isName || !isUnheard(token.word)
        ? undefined
        : swapped(token.word);
    if (better === undefined) return [token];
    notes.push(`“${better}” for “${token.raw}”`);
    return [{ ...token, word: better.toLowerCase(), raw: better }];
  };
  return { sentences: sentences.map((one) => ({ ...one, tokens: heard(one.tokens.flatMap(mend)) })), notes };
}

/**
 * Small words with the same sound, corrected by their neighbours: “were are they”, “switched of”, “made off”, “which
 * room an where”.
 */
const HEARD: readonly (readonly [RegExp, string])[] = [
  [/^ (?:were|wear) (?:is|are|did|was|do|does|can|could|has|have)$/, "where"],
  [/^(?:switched|turned|is|are|was|lamp|light|tv|oven|stove) of $/, "off"],
  [/^made off (?:out)?$/, "of"],
  [/ too (?:the|a|an|my|get|go)$/, "to"],
  [/ an (?:what|where|which|who|when|why|how)$/, "and"],
];

function heard(tokens: readonly Token[]): Token[] {
  return tokens.map((token, n) => {
    const said = `${tokens[n - 1]?.word ?? ""} ${token.word} ${tokens[n + 1]?.word ?? ""}`;
    const word = HEARD.find(([form]) => form.test(said))?.[1];
    return word === undefined ? token : { ...token, word, raw: word };
  });
}

/** A compound name written as one word: "desklamp". */
function apart(word: string): [string, string] | undefined {
  for (let at = 3; at <= word.length - 3; at++) {
    const two: [string, string] = [word.slice(0, at), word.slice(at)];
    if (lookup(two.join(" "))) return two;
  }
  return undefined;
}

/** The weight of one error against word frequency (natural logarithm). */
const SLIP = 9;
/** A name in this memory counts like a word of this frequency. */
const HELD = 60;

/** The most errors assumed in a word of this length; more for a known name. */
function mostSlips({ length }: string): number {
  if (length < 4) return 0.6;
  if (length < 6) return 1;
  return length < 8 ? 1.5 : 2;
}
const HELD_BEARS = 0.5;

interface Candidate {
  readonly word: string;
  readonly sound: string;
  readonly letters: number;
  readonly said: number;
}

function candidate(word: string, count: number): Candidate {
  return { word, sound: soundOf(word), letters: lettersOf(word), said: count };
}

/** Bit set of the letters in a word. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let n = 0; n < word.length; n++) letters |= 1 << (word.charCodeAt(n) - 97);
  return letters;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

let vocabulary: readonly Candidate[] | undefined;

/** Every possible intended word, for any memory. */
function candidates(): readonly Candidate[] {
  vocabulary ??= [...new Set([...saidWords().keys(), ...surfaceWords()])]
    .filter((word) => /^\p{L}{3,}$/u.test(word))
    .map((word) => candidate(word, saidWords().get(word) ?? 1));
  return vocabulary;
}

function likeliest(word: string, own: ReadonlyMap<string, string>, known: boolean): string | undefined {
  const most = mostSlips(word);
  const held = nearest(
    word,
    [...own.keys()].map((name) => candidate(name, HELD)),
    most + HELD_BEARS,
  );
  const other = known ? nearest(word, candidates(), most) : undefined;
  const best = held && other ? (held.cost <= other.cost ? held : other) : (held ?? other);
  return best && (own.get(best.word) ?? best.word);
}

/**
 * A real word is replaced only where two letters are swapped or one is doubled, and the other word is at least this
 * frequent.
 */
const ALL_THE_TIME = 150;

function swapped(word: string): string | undefined {
  for (let n = 1; n < word.length; n++) {
    const isDouble = word[n] === word[n - 1];
    const other = word.slice(0, n - 1) + (isDouble ? "" : word[n]!) + word[n - 1]! + word.slice(n + 1);
    if ((saidWords().get(other) ?? 0) >= ALL_THE_TIME) return other;
  }
  return undefined;
}

/** The most letters that one error changes: two swapped by sound for two others. */
const LETTERS_A_SLIP = 4;

function nearest(
  word: string,
  among: readonly Candidate[],
  most: number,
): { readonly word: string; readonly cost: number } | undefined {
  const [sound, letters] = [soundOf(word), lettersOf(word)];
  let best: { readonly word: string; readonly cost: number } | undefined;
  for (const one of among) {
    if (Math.abs(one.word.length - word.length) > 3) continue;
    if (countBits(one.letters ^ letters) > LETTERS_A_SLIP * most) continue;
    const cost = SLIP * slipsBetween(word, one.word, most, [sound, one.sound]) - Math.log(one.said);
    if (cost < (best?.cost ?? Number.POSITIVE_INFINITY)) best = { word: one.word, cost };
  }
  return best;
}
