import { AREA, type MemoryView, spaceAt } from "../resident/memory-view.ts";
import { type Ranked, rankListed, type VectorRankInput } from "../resident/vector-rank.ts";
import type { Graph } from "./usearch.ts";

/**
 * Meanings asked of the graph for each hit wanted, and at least. In clouds of like vectors four for each find 96 % of
 * the best fifty and eight 99 %, in twice the time.
 */
const OVERFETCH = 8;
const MIN_ASKED = 128;
/** Past this the exact scan is as quick. */
const MAX_ASKED = 4_096;
/** How far bfloat16 may be off: only a meaning this much below a threshold is surely below it. */
const COSINE_SLACK = 0.02;

/**
 * The best k rows among those that share a meaning the graph holds near the query, and all rows after `lastRow`, which
 * the graph does not cover. Filters, scores and ties are the index's own, so only the choice of candidate rows is
 * approximate. Where too few of them pass, more are requested; in the end undefined tells the caller to scan.
 */
export function rankNear(
  input: VectorRankInput,
  graph: Graph,
  vector: Float32Array,
  lastRow: number,
): readonly Ranked[] | undefined {
  const { view, k, min } = input;
  const tailFrom = firstSlotAfter(view, lastRow);
  for (let asked = Math.max(MIN_ASKED, k * OVERFETCH); asked <= MAX_ASKED; asked *= 4) {
    const { keys, distances } = graph.search(vector, asked, 1);
    const ranked = rankListed(input, listRows(input, keys, tailFrom));
    const sawAll = keys.length < asked;
    const sawEnough = 1 - (distances.at(-1) ?? 2) < min - COSINE_SLACK;
    if (ranked.length >= k || sawAll || sawEnough) return ranked;
  }
  return undefined;
}

/** Rows are in the order of their numbers, the removed ones too. */
export function firstSlotAfter(view: MemoryView, row: number): number {
  let low = 0;
  let high = view.rows;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (view.externalOf(middle) <= row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rows of these meanings and the tail, as far as they pass, into the list area; returns how many. */
function listRows(
  { view, encoded, space, k }: VectorRankInput,
  keys: BigUint64Array,
  tailFrom: number,
): number {
  const { kernel } = view;
  const base = spaceAt(space);
  const list = view.area(AREA.list, Math.max(4096, view.rows * 4 + 64));
  const heap = view.area(AREA.heap, Math.max(4096, (k + 2) * 16));
  const slots = new Set<number>();
  for (const key of keys) {
    const ordinal = kernel.findMeaning(base, Number(key));
    if (ordinal < 0) continue;
    // Of equal scores the smallest ids come first: more than k rows of one meaning are never needed.
    const got = kernel.rowsOf(encoded.at, base, ordinal, heap, k) >>> 0;
    for (let i = 0; i < got; i++) slots.add(view.u32[(heap + i * 16 + 8) >>> 2]!);
  }
  let count = 0;
  for (const slot of slots) if (slot < tailFrom) view.u32[(list >>> 2) + count++] = slot;
  for (let slot = tailFrom; slot < view.rows; slot++) view.u32[(list >>> 2) + count++] = slot;
  return kernel.filterList(encoded.at, list, count) >>> 0;
}
