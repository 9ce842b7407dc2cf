import { bm25Idf } from "../lexical.ts";
import { setFlags } from "./candidates.ts";
import type { EncodedQuery } from "./encode-query.ts";
import { IO } from "./encode-query.ts";
import { H_LIVE, Q_BITMAP, QF_BITMAP } from "./layout.ts";
import { AREA, type MemoryView } from "./memory-view.ts";

const utf8 = new TextEncoder();

/** The numbers of the words that any row has, in the query's order. */
export function termsOf(view: MemoryView, words: readonly string[]): number[] {
  const terms: number[] = [];
  for (const word of words) {
    const bytes = utf8.encode(word);
    const at = view.area(AREA.heap, bytes.length);
    view.u8.set(bytes, at);
    const term = view.kernel.findTerm(at, bytes.length);
    if (term >= 0) terms.push(term);
  }
  return terms;
}

/**
 * BM25 of every row that passes the query's columns, or of the `listed` rows only. Statistics cover the rows with words
 * of the requested kinds and label sets. The scores lie in the scores area and the rows in the words area; `clear` puts
 * the zeros back.
 */
export class WordScores {
  readonly count: number;
  readonly list: number;
  readonly #view: MemoryView;
  readonly #scores: number;

  constructor(view: MemoryView, encoded: EncodedQuery, terms: readonly number[], listed: number | undefined) {
    const { kernel } = view;
    this.#view = view;
    this.#scores = view.area(AREA.scores, view.rows * 8 + 64);
    this.list = view.area(AREA.words, view.rows * 4 + 64);
    const out = (encoded.at + IO.out) >>> 3;
    kernel.corpusOf(encoded.at, encoded.at + IO.out);
    const documents = view.f64[out]!;
    const meanLength = view.f64[out + 1]! / documents;
    const frequencies = terms.map((term) => frequencyOf(view, encoded, term));
    const unmark = listed === undefined ? undefined : this.#mark(encoded, listed);
    let count = 0;
    for (const [i, term] of terms.entries()) {
      if (frequencies[i] === 0) continue;
      const idf = bm25Idf(documents, frequencies[i]!);
      count = kernel.addTerm(encoded.at, term, idf, meanLength, this.#scores, this.list, count) >>> 0;
    }
    unmark?.();
    this.count = count;
  }

  get scores(): number {
    return this.#scores;
  }

  of(slot: number): number | undefined {
    const score = this.#view.f64[(this.#scores >>> 3) + slot]!;
    return score === 0 ? undefined : score;
  }

  clear(): void {
    this.#view.kernel.clearScores(this.#scores, this.list, this.count);
  }

  /** Lets only listed rows pass: one bit is cheaper than every condition again. */
  #mark(encoded: EncodedQuery, listed: number): () => void {
    const view = this.#view;
    const list = view.area(AREA.list, 4096);
    const bitmap = view.area(AREA.bitmap, (view.rows >>> 3) + 64);
    view.kernel.markBits(bitmap, list, listed, 1);
    view.u32[(encoded.at + Q_BITMAP) >>> 2] = bitmap;
    setFlags(view, encoded, QF_BITMAP);
    return () => {
      view.kernel.markBits(bitmap, list, listed, 0);
      setFlags(view, encoded, encoded.flags);
    };
  }
}

/**
 * The number of rows that contain a term, counted since the rows last changed; the number of cached counts is limited.
 */
interface Frequencies {
  rows: number;
  live: number;
  readonly known: Map<string, number>;
}
const MAX_FREQUENCIES = 10_000;
const frequencies = new WeakMap<MemoryView, Frequencies>();

/**
 * The number of rows of the requested kinds and label sets that contain a term. Counting walks the whole posting list,
 * and one question uses the same words again and again, so counts are kept until a row comes or goes: rows only ever
 * grow in number and live rows only ever leave, so the two numbers together name a state of the index.
 */
function frequencyOf(view: MemoryView, encoded: EncodedQuery, term: number): number {
  const count = () => view.kernel.documentFrequency(encoded.at, term) >>> 0;
  if (encoded.visible === undefined) return count();
  const [rows, live] = [view.rows, liveRows(view)];
  let kept = frequencies.get(view);
  if (kept === undefined || kept.rows !== rows || kept.live !== live || kept.known.size >= MAX_FREQUENCIES) {
    kept = { rows, live, known: new Map() };
    frequencies.set(view, kept);
  }
  const key = `${term} ${encoded.visible}`;
  let frequency = kept.known.get(key);
  if (frequency === undefined) {
    frequency = count();
    kept.known.set(key, frequency);
  }
  return frequency;
}

/** The number of live rows. */
export function liveRows(view: MemoryView): number {
  return view.u32[H_LIVE >>> 2]!;
}
