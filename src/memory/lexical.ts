import { stemmer } from "stemmer";

const WORD = /[\p{L}\p{N}]+/gu;
const ASCII = /^[\x20-\x7e]*$/;
const ASCII_WORD = /[a-z0-9]+/g;
const ENGLISH = /^[a-z]+$/;
const CACHE_WORDS = 50_000;
const stems = new Map<string, string>();

/**
 * The words of a text as the lexical index knows them: NFKD without marks, lower case, split at anything that
 * is neither letter nor digit, English suffixes stripped (Porter). The same function reads records and queries.
 */
export function wordsOf(text: string): string[] {
  // Most lines are plain ASCII, where the first two steps change nothing and letters are few.
  const found = ASCII.test(text)
    ? text.toLowerCase().match(ASCII_WORD)
    : text
        .normalize("NFKD")
        .replace(/\p{M}+/gu, "")
        .toLowerCase()
        .match(WORD);
  return found === null ? [] : found.map(stemOf);
}

function stemOf(word: string): string {
  let stem = stems.get(word);
  if (stem === undefined) {
    // Numbers and other scripts have no English suffix, and there are too many of them to remember.
    if (!ENGLISH.test(word)) return word;
    stem = stemmer(word);
    if (stems.size >= CACHE_WORDS) stems.clear();
    stems.set(word, stem);
  }
  return stem;
}

export const BM25_K1 = 1.2;
export const BM25_B = 0.75;

/** Weight of a word found in `df` of `documents` records (the form that never goes negative). */
export function bm25Idf(documents: number, df: number): number {
  return Math.log(1 + (documents - df + 0.5) / (df + 0.5));
}

/** The share of one word in a record's score; a record's words are those of all its lines together. */
export function bm25Term(idf: number, tf: number, length: number, meanLength: number): number {
  return (idf * tf * (BM25_K1 + 1)) / (tf + BM25_K1 * (1 - BM25_B + (BM25_B * length) / meanLength));
}
