import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isSurfaceWord, lookup, surfaceWords } from "../../ontology/index.ts";
import { isFunctionWord } from "./function-words.ts";
import { slipsBetween, soundOf } from "./slips.ts";
import type { Token, Written } from "./tokens.ts";

/** A question with its spelling mended, and what was mended. */
export interface Mended {
  readonly sentences: readonly Written[];
  readonly notes: readonly string[];
}

let said: ReadonlyMap<string, number> | undefined;
let english: ReadonlySet<string> | undefined;

function linesOf(file: string): string[] {
  return readFileSync(join(import.meta.dirname, "data", file), "utf8").split("\n");
}

/** How often the questions of our training pairs say a word (`training/reader/count-words.ts`). */
function saidWords(): ReadonlyMap<string, number> {
  said ??= new Map(linesOf("said.txt").map((line) => [line.split(" ")[0]!, Number(line.split(" ")[1])]));
  return said;
}

/** Common English, read where a word is none of ours. */
function englishWords(): ReadonlySet<string> {
  english ??= new Set(linesOf("english.txt"));
  return english;
}

function isKnown(word: string): boolean {
  return saidWords().has(word) || isSurfaceWord(word) || englishWords().has(word);
}

/** Whether a word is one of English as far as we know it. */
export function isKnownWord(word: string): boolean {
  if (word.length < 3 || isFunctionWord(word) || isKnown(word)) return true;
  if (word.startsWith("un") && word.length > 5 && isKnownWord(word.slice(2))) return true;
  // Forms of known words: walks, walked, walking, quickly, windowless.
  return ["s", "es", "ed", "d", "ing", "ly", "less", "'s"].some(
    (ending) =>
      word.endsWith(ending) &&
      word.length - ending.length >= 3 &&
      (ending !== "d" || word.endsWith("ed")) &&
      (isKnown(word.slice(0, -ending.length)) || isKnown(`${word.slice(0, -ending.length)}e`)),
  );
}

function isSpelt({ word, quoted }: Token): boolean {
  return !quoted && /^\p{L}{3,}$/u.test(word);
}

/** A word that English has and nobody asks with: perhaps another was meant ("char", "tow", "dose"). */
function isUnheard(word: string): boolean {
  return !saidWords().has(word) && !isFunctionWord(word) && !isSurfaceWord(word);
}

/** Where more of the words than this are none of English, it is another language or nonsense, not slips. */
const FOREIGN = 0.65;

function shareStrange(sentences: readonly Written[]): number {
  const words = sentences.flatMap(({ tokens }) => tokens.filter(({ word }) => /^\p{L}+$/u.test(word)));
  const strange = words.filter(({ word }) => (word.length < 3 ? !isFunctionWord(word) : !isKnownWord(word)));
  return strange.length / Math.max(1, words.length);
}

/**
 * Words that nobody knows are read as the word that was likeliest meant: near to what was written, and often said or
 * held by this memory as a name. What is near to nothing stays as it is.
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
    // A name that this memory does not hold is somebody it does not know, not a word misspelt.
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

/** Small words that sound alike, between the words beside them: “were are they”, “switched of”, “made off”, “which room an where”. */
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

/** A name that was written in one: "desklamp". */
function apart(word: string): [string, string] | undefined {
  for (let at = 3; at <= word.length - 3; at++) {
    const two: [string, string] = [word.slice(0, at), word.slice(at)];
    if (lookup(two.join(" "))) return two;
  }
  return undefined;
}

/** What one slip weighs against how often a word is said (natural logarithm). */
const SLIP = 9;
/** A name that this memory holds is meant as often as a word that is said so often. */
const HELD = 60;

/** So many slips are believed in a word of this length; a name that is held bears more. */
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

/** Which of the 26 letters a word has, a bit each. */
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

/** Every word that may have been meant, whatever the memory. */
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

/** A real word is taken for another only where two letters are swapped or one is doubled, and that other is said all the time. */
const ALL_THE_TIME = 150;

function swapped(word: string): string | undefined {
  for (let n = 1; n < word.length; n++) {
    const isDouble = word[n] === word[n - 1];
    const other = word.slice(0, n - 1) + (isDouble ? "" : word[n]!) + word[n - 1]! + word.slice(n + 1);
    if ((saidWords().get(other) ?? 0) >= ALL_THE_TIME) return other;
  }
  return undefined;
}

/** A slip changes so many letters at most: two that are swapped by sound for two others. */
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
