import { C_LENGTH, H_LABEL_SETS, Q_FLAGS, Q_KINDS, Q_LABELS, QF_KIND, QF_LABELS } from "../layout";
import { passes, visible } from "./filter";
import { getU } from "./rows";
import { termAt } from "./tables";
import { labelCounters } from "./write";

// BM25, term by term over sorted postings, with one double a slot as the sum: terms are added in the order of
// the query, operation by operation as words.ts has it, so the result is the same to the last bit.

const K1 = 1.2;
const B = 0.75;

/** {rows with words, sum of lengths} of what a reader sees of the kinds asked for, at `out`. */
export function corpusOf(q: usize, out: usize): void {
  const flags = load<u32>(q, Q_FLAGS);
  const sets = load<u32>(H_LABEL_SETS);
  let documents = 0.0;
  let length = 0.0;
  for (let set: u32 = 0; set < sets; set++) {
    if (flags & QF_LABELS && !((load<u8>(usize(load<u32>(q, Q_LABELS)) + (set >> 3)) >> (set & 7)) & 1))
      continue;
    const counters = labelCounters(set, false);
    if (counters === 0) continue;
    for (let kind: u32 = 0; kind < 32; kind++) {
      if (flags & QF_KIND && !((load<u32>(q, Q_KINDS) >> kind) & 1)) continue;
      documents += f64(load<u32>(counters + (kind << 4)));
      length += load<f64>(counters + (kind << 4), 8);
    }
  }
  store<f64>(out, documents);
  store<f64>(out, length, 8);
}

/** All live rows of the kinds and label sets asked for. */
export function visibleCount(q: usize): f64 {
  const flags = load<u32>(q, Q_FLAGS);
  const sets = load<u32>(H_LABEL_SETS);
  let rows = 0.0;
  for (let set: u32 = 0; set < sets; set++) {
    if (flags & QF_LABELS && !((load<u8>(usize(load<u32>(q, Q_LABELS)) + (set >> 3)) >> (set & 7)) & 1))
      continue;
    const counters = labelCounters(set, false);
    if (counters === 0) continue;
    for (let kind: u32 = 0; kind < 32; kind++) {
      if (flags & QF_KIND && !((load<u32>(q, Q_KINDS) >> kind) & 1)) continue;
      rows += f64(load<u32>(counters + (kind << 4), 4));
    }
  }
  return rows;
}

/** How many visible rows have the term. */
export function documentFrequency(q: usize, term: u32): u32 {
  const flags = load<u32>(q, Q_FLAGS);
  let chunk: usize = load<u32>(termAt(term), 8);
  let count: u32 = 0;
  let last: u32 = 0xffffffff;
  while (chunk !== 0) {
    const n = load<u32>(chunk, 4);
    for (let i: u32 = 0; i < n; i++) {
      const slot = load<u32>(chunk + 16 + (i << 2));
      if (slot !== last && visible(q, flags, slot)) count++;
      last = slot;
    }
    chunk = load<u32>(chunk);
  }
  return count;
}

/**
 * Adds one term to the scores of all rows that pass. A row's first score puts it on the list; `scores` holds
 * zeros beforehand, and no term adds zero. Returns the list's new length.
 */
export function addTerm(
  q: usize,
  term: u32,
  idf: f64,
  meanLength: f64,
  scores: usize,
  list: usize,
  count: u32,
): u32 {
  let chunk: usize = load<u32>(termAt(term), 8);
  let i: u32 = 0;
  while (chunk !== 0) {
    if (i >= load<u32>(chunk, 4)) {
      chunk = load<u32>(chunk);
      i = 0;
      continue;
    }
    const slot = slotAt(chunk, i);
    let part = frequencyAt(chunk, i++);
    let tf = f64(part);
    // A frequency of 255 may go on in the next entries of the same slot, perhaps in the next chunk.
    while (part === 255) {
      if (i >= load<u32>(chunk, 4)) {
        if (load<u32>(chunk) === 0) break;
        chunk = load<u32>(chunk);
        i = 0;
      }
      if (slotAt(chunk, i) !== slot) break;
      part = frequencyAt(chunk, i++);
      tf += f64(part);
    }
    if (!passes(q, slot)) continue;
    const at = scores + (usize(slot) << 3);
    const had = load<f64>(at);
    if (had === 0) store<u32>(list + (count++ << 2), slot);
    const length = f64(getU(slot, C_LENGTH));
    store<f64>(at, had + (idf * tf * (K1 + 1.0)) / (tf + K1 * (1.0 - B + (B * length) / meanLength)));
  }
  return count;
}

function slotAt(chunk: usize, i: u32): u32 {
  return load<u32>(chunk + 16 + (i << 2));
}

function frequencyAt(chunk: usize, i: u32): u32 {
  return load<u8>(chunk + 16 + (load<u32>(chunk, 8) << 2) + i);
}

/** Zeroes the scores of a list. */
export function clearScores(scores: usize, list: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) store<f64>(scores + (usize(load<u32>(list + (i << 2))) << 3), 0);
}

/** Postings of a term, the dead among them: an upper bound of its frequency. */
export function postingsOf(term: u32): u32 {
  return load<u32>(termAt(term), 16);
}
