import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isSurfaceWord, lookup, surfaceWords } from "../../ontology/index.ts";
import { isFunctionWord } from "./function-words.ts";
import type { Token, Written } from "./tokens.ts";

/** A question with its spelling mended, and what was mended. */
export interface Mended {
  readonly sentences: readonly Written[];
  readonly notes: readonly string[];
}

let asking: ReadonlySet<string> | undefined;
let english: ReadonlySet<string> | undefined;

function wordsIn(file: string): ReadonlySet<string> {
  return new Set(readFileSync(join(import.meta.dirname, "data", file), "utf8").split("\n"));
}

/** Words that questions are made of: of grammar, place, size, time and doing. */
function askingWords(): ReadonlySet<string> {
  asking ??= wordsIn("asking.txt");
  return asking;
}

/** Common English, read where a word is none of ours. */
function englishWords(): ReadonlySet<string> {
  english ??= wordsIn("english.txt");
  return english;
}

function isKnown(word: string): boolean {
  return askingWords().has(word) || isSurfaceWord(word) || englishWords().has(word);
}

/** Whether a word is one of English as far as we know it. */
export function isKnownWord(word: string): boolean {
  if (word.length < 3 || isFunctionWord(word) || isKnown(word)) return true;
  // Forms of known words: walks, walked, walking, quickly.
  return ["s", "es", "ed", "d", "ing", "ly", "'s"].some(
    (ending) =>
      word.endsWith(ending) &&
      word.length - ending.length >= 3 &&
      (ending !== "d" || word.endsWith("ed")) &&
      (isKnown(word.slice(0, -ending.length)) || isKnown(`${word.slice(0, -ending.length)}e`)),
  );
}

function isStrange({ word, quoted }: Token): boolean {
  return !quoted && /^\p{L}{3,}$/u.test(word) && !isKnownWord(word);
}

/**
 * Words that nobody knows are read as the nearest word that is known: of the names that this memory holds before those
 * of the vocabulary, and of grammar. What is near to nothing stays as it is.
 */
export function mended(sentences: readonly Written[], names: readonly string[]): Mended {
  const notes: string[] = [];
  const own = new Map(names.flatMap((name) => name.split(/\s+/)).map((name) => [name.toLowerCase(), name]));
  const mend = (token: Token, at: number): Token[] => {
    if (!isStrange(token)) return [token];
    const exact = own.get(token.word);
    if (exact !== undefined) return [{ ...token, raw: exact }];
    const two = apart(token.word);
    if (two) return two.map((word, n) => ({ ...token, word, raw: word, parted: token.parted && n === 0 }));
    // A name that this memory does not hold is somebody it does not know, not a word misspelt.
    const isName = at > 0 && /^\p{Lu}\p{Ll}/u.test(token.raw);
    const better = nearest(token.word, own) ?? (isName ? undefined : nearestKnown(token.word));
    if (better === undefined) return [token];
    notes.push(`“${better}” for “${token.raw}”`);
    return [{ ...token, word: better.toLowerCase(), raw: better }];
  };
  return { sentences: sentences.map((one) => ({ ...one, tokens: heard(one.tokens.flatMap(mend)) })), notes };
}

/** Small words that sound alike and that people mix up, by their neighbours: “were are they”, “switched of”, “made off”. */
function heard(tokens: readonly Token[]): Token[] {
  const said = (token: Token, word: string): Token => ({ ...token, word, raw: word });
  return tokens.map((token, n) => {
    const [before, after] = [tokens[n - 1]?.word ?? "", tokens[n + 1]?.word];
    switch (token.word) {
      case "were":
      case "wear":
        return n === 0 && /^(?:is|are|did|was|do|does|can|could|has|have)$/.test(after ?? "")
          ? said(token, "where")
          : token;
      case "of":
        return after === undefined && /^(?:switched|turned|is|are|was|lamp|light|tv|oven|stove)$/.test(before)
          ? said(token, "off")
          : token;
      case "off":
        return before === "made" && /^(?:out|\?)?$/.test(after ?? "") ? said(token, "of") : token;
      case "too":
        return /^(?:the|a|an|my|get|go)$/.test(after ?? "") ? said(token, "to") : token;
      case "hu":
        return said(token, "who");
      default:
        return token;
    }
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

function nearest(word: string, names: ReadonlyMap<string, string>): string | undefined {
  const best = closest(word, names.keys());
  return best && names.get(best);
}

function nearestKnown(word: string): string | undefined {
  return closest(word, [...askingWords(), ...surfaceWords()]);
}

const DOUBLED = 0.5;

function single(word: string): string {
  return word.replace(/(.)\1+/g, "$1");
}

/** The word with the fewest slips of the pen away; of several the one that begins and ends alike. */
function closest(word: string, candidates: Iterable<string>): string | undefined {
  const most = word.length < 6 ? 1 : 2;
  let best: { readonly word: string; readonly cost: number } | undefined;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > most || candidate.length < 3 || candidate.includes(" "))
      continue;
    // A letter doubled or not is the smallest slip.
    const slips = single(word) === single(candidate) ? DOUBLED : slipsBetween(word, candidate, most);
    if (slips > most) continue;
    const cost =
      slips +
      (candidate[0] === word[0] ? 0 : 0.6) +
      (candidate.at(-1) === word.at(-1) ? 0 : 0.1) +
      // Words of grammar are the commonest.
      (askingWords().has(candidate) ? 0 : 0.02) +
      (candidate.length < word.length ? 0.05 : 0);
    if (cost <= most + 0.2 && (!best || cost < best.cost || (cost === best.cost && candidate < best.word)))
      best = { word: candidate, cost };
  }
  return best?.word;
}

/** Letters left out, put in, mistaken or swapped between two words; more than `most` is not counted. */
export function slipsBetween(a: string, b: string, most: number): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let slips = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        slips = Math.min(slips, before[j - 2]! + 1);
      next.push(slips);
    }
    if (Math.min(...next) > most) return most + 1;
    [before, row] = [row, next];
  }
  return row[b.length]!;
}
