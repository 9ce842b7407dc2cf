import { cosineOf } from "../vectors.ts";
import type { EncodedQuery } from "./encode-query.ts";
import { S_COUNT, S_DIM } from "./layout.ts";
import { AREA, type MemoryView, type Space, spaceAt } from "./memory-view.ts";
import type { SearchHooks, VectorQuery } from "./query.ts";

export interface Ranked {
  readonly slot: number;
  readonly score: number;
}

/** The exact score of vectors against one query vector, each computed once. */
export class ExactScores {
  readonly #view: MemoryView;
  readonly #space: Space;
  readonly #base: number;
  readonly #at: number;
  readonly #vector: Float32Array;
  readonly #exact: SearchHooks["exact"];
  /** Made when first needed: most searches score their rows many at a time, past this. */
  #known: Map<number, number> | undefined;

  constructor(
    view: MemoryView,
    encoded: EncodedQuery,
    space: Space,
    key: VectorQuery,
    exact: SearchHooks["exact"],
  ) {
    this.#view = view;
    this.#space = space;
    this.#base = spaceAt(space);
    this.#at = encoded.vectors[space];
    this.#vector = key.vector;
    this.#exact = exact;
  }

  ofMeaning(ordinal: number): number {
    this.#known ??= new Map();
    let score = this.#known.get(ordinal);
    if (score === undefined) {
      const cached = this.#view.kernel.cacheGet(this.#base, ordinal);
      score =
        cached === 0 ? this.#fetch(ordinal) : this.#view.kernel.exactScore(this.#at, this.#base, cached);
      this.#known.set(ordinal, score);
    }
    return score;
  }

  /** The best of a row's vectors, or undefined where it has none. */
  ofRow(slot: number): number | undefined {
    const only = this.#view.singleOrdinalOf(slot, this.#space);
    if (only !== undefined) return this.ofMeaning(only);
    let best: number | undefined;
    for (const ordinal of this.#view.ordinalsOf(slot, this.#space)) {
      const score = this.ofMeaning(ordinal);
      if (best === undefined || score > best) best = score;
    }
    return best;
  }

  /** Requests all missing vectors of these rows at once. The scores at `out` are `exactRows`'. */
  fetch(slots: number, step: number, count: number, out: number): void {
    const view = this.#view;
    let missing: Set<number> | undefined;
    for (let i = 0; i < count; i++) {
      if (scoreAt(view, out, i) !== undefined) continue;
      const ordinal = view.singleOrdinalOf(view.u32[(slots + i * step) >>> 2]!, this.#space);
      if (ordinal === undefined || this.#known?.has(ordinal)) continue;
      missing ??= new Set();
      missing.add(ordinal);
    }
    if (missing === undefined || missing.size < 2) return;
    const ordinals = [...missing];
    const vectors = this.#exact(
      this.#space,
      ordinals.map((ordinal) => view.keyOf(this.#space, ordinal)),
    );
    this.#known ??= new Map();
    for (const [i, ordinal] of ordinals.entries()) this.#known.set(ordinal, this.#take(ordinal, vectors[i]!));
  }

  get fetched(): number {
    return this.#known?.size ?? 0;
  }

  #fetch(ordinal: number): number {
    const view = this.#view;
    const [vector] = this.#exact(this.#space, [view.keyOf(this.#space, ordinal)]);
    return this.#take(ordinal, vector!);
  }

  /** Keeps a requested vector and scores it. */
  #take(ordinal: number, vector: Float32Array): number {
    const view = this.#view;
    const at = view.area(AREA.heap, 4096 + view.u32[(this.#base + S_DIM) >>> 2]! * 4);
    view.f32.set(vector, at >>> 2);
    view.kernel.cachePut(this.#base, ordinal, at);
    return cosineOf(this.#vector, vector);
  }
}

/** The best k rows seen so far, by score downwards and then by id. A row seen again keeps its better score. */
class BestRows {
  readonly #view: MemoryView;
  readonly #k: number;
  readonly #rows: { slot: number; score: number }[] = [];
  readonly #held = new Map<number, number>();

  constructor(view: MemoryView, k: number) {
    this.#view = view;
    this.#k = k;
  }

  get rows(): readonly Ranked[] {
    return this.#rows;
  }

  /** Nothing below this score can enter; equal ones may, by their id. */
  get floor(): number {
    return this.#rows.length < this.#k ? Number.NEGATIVE_INFINITY : this.#rows[this.#k - 1]!.score;
  }

  /** Whether this row would enter; called before any expensive check of it. */
  takes(slot: number, score: number): boolean {
    const held = this.#held.get(slot);
    if (held !== undefined) return score > held;
    if (this.#rows.length < this.#k) return true;
    const last = this.#rows[this.#k - 1]!;
    return score > last.score || (score === last.score && this.#view.kernel.compareIds(slot, last.slot) < 0);
  }

  add(slot: number, score: number): void {
    const held = this.#held.get(slot);
    const last = this.#rows.at(-1);
    // Bounds come in falling order, so most scores do too.
    if (held === undefined && this.#rows.length < this.#k && (last === undefined || score < last.score)) {
      this.#rows.push({ slot, score });
      this.#held.set(slot, score);
      return;
    }
    if (held !== undefined) this.#rows.splice(this.#placeOf(slot, held), 1);
    this.#rows.splice(this.#placeOf(slot, score), 0, { slot, score });
    this.#held.set(slot, score);
    if (this.#rows.length > this.#k) this.#held.delete(this.#rows.pop()!.slot);
  }

  /** The position of a row with this score. */
  #placeOf(slot: number, score: number): number {
    let low = 0;
    let high = this.#rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#rows[middle]!;
      const before =
        other.score > score || (other.score === score && this.#view.kernel.compareIds(other.slot, slot) < 0);
      if (before) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export interface VectorRankInput {
  readonly view: MemoryView;
  readonly encoded: EncodedQuery;
  readonly space: Space;
  readonly min: number;
  readonly k: number;
  readonly exact: ExactScores;
  /** True for rows that pass the conditions without a column. */
  readonly accepts: ((slot: number) => boolean) | undefined;
}

/** Ranks by a vector key without looking at every meaning, so not exactly; undefined if it cannot this time. */
export type ApproximateRank = (input: VectorRankInput) => readonly Ranked[] | undefined;

/** The hooks of a search that may be answered approximately. */
export interface RankHooks extends SearchHooks {
  readonly approximate?: ApproximateRank;
}

/** Rows scored together where not all of them must be. */
const GROUP = 4;
const MAX_GROUP = 64;
/** So few rows are sorted sooner in place than by the general sort. */
const FEW = 16;

/**
 * The best k rows of the list. Exact because rows are reranked in the order of their upper bounds, until the
 * next bound is below the k-th exact score (or below the threshold).
 */
export function rankListed(input: VectorRankInput, count: number): Ranked[] {
  const { view, encoded, space, min, k, exact, accepts } = input;
  const vector = encoded.vectors[space];
  const base = spaceAt(space);
  const list = view.area(AREA.list, 4096);
  const pairs = view.area(AREA.pairs, count * 8 + 64);
  let left = view.kernel.boundRows(vector, base, list, count, pairs, min) >>> 0;
  if (left <= k && accepts === undefined) return rankEvery(input, pairs, left);
  view.kernel.pairsHeap(pairs, left);
  const best = new BestRows(view, k);
  const at = pairs >>> 2;
  const out = view.area(AREA.bounds, MAX_GROUP * 16);
  const slots = out + MAX_GROUP * 8;
  while (left > 0) {
    // Until there are k rows none can be left out.
    const want = Math.min(MAX_GROUP, Math.max(GROUP, k - best.rows.length));
    let group = 0;
    for (; group < want && left > 0 && -view.f32[at]! >= best.floor; group++) {
      view.u32[(slots >>> 2) + group] = view.u32[at + 1]!;
      view.kernel.pairsPop(pairs, left--);
    }
    if (group === 0) break;
    view.kernel.exactRows(vector, base, slots, 4, group, out);
    exact.fetch(slots, 4, group, out);
    for (let i = 0; i < group; i++) {
      const slot = view.u32[(slots >>> 2) + i]!;
      const score = scoreAt(view, out, i) ?? exact.ofRow(slot)!;
      if (score >= min && best.takes(slot, score) && (accepts === undefined || accepts(slot)))
        best.add(slot, score);
    }
  }
  return best.rows as Ranked[];
}

/** If all rows that reach the threshold are wanted anyway, bounds need no order and every score is computed at once. */
function rankEvery({ view, encoded, space, min, exact }: VectorRankInput, pairs: number, count: number) {
  const out = view.area(AREA.bounds, count * 8 + 64);
  view.kernel.exactRows(encoded.vectors[space], spaceAt(space), pairs + 4, 8, count, out);
  exact.fetch(pairs + 4, 8, count, out);
  const rows: Ranked[] = [];
  for (let i = 0; i < count; i++) {
    const slot = view.u32[(pairs >>> 2) + i * 2 + 1]!;
    const score = scoreAt(view, out, i) ?? exact.ofRow(slot)!;
    if (score >= min) rows.push({ slot, score });
  }
  const { kernel } = view;
  const order = (a: Ranked, b: Ranked) => b.score - a.score || kernel.compareIds(a.slot, b.slot);
  if (rows.length > FEW) return rows.sort(order);
  for (let i = 1; i < rows.length; i++) {
    const row = rows[i]!;
    let to = i;
    for (; to > 0 && order(rows[to - 1]!, row) > 0; to--) rows[to] = rows[to - 1]!;
    rows[to] = row;
  }
  return rows;
}

/** Undefined where the row has several vectors, or one that is not resident. */
function scoreAt(view: MemoryView, out: number, i: number): number | undefined {
  const score = view.f64[(out >>> 3) + i]!;
  return Number.isNaN(score) ? undefined : score;
}

/**
 * The best k rows of all, by scanning every meaning once. Meanings come in the order of their bounds; each brings the
 * rows that share it and pass, smallest ids first, so ten thousand equal captions cost one score. Where few rows pass,
 * many meanings bring none: after `tries` of them it gives up and returns undefined.
 */
export function rankAll(input: VectorRankInput, tries = Number.POSITIVE_INFINITY): Ranked[] | undefined {
  const { view, encoded, space, min, k, exact } = input;
  const base = spaceAt(space);
  const count = view.u32[(base + S_COUNT) >>> 2]!;
  const bounds = view.area(AREA.bounds, count * 4 + 64);
  view.kernel.scanMeanings(encoded.vectors[space], base, bounds);
  const best = new BestRows(view, k);
  let below = Number.POSITIVE_INFINITY;
  let after = 0xffffffff;
  let tried = 0;
  for (let want = Math.max(64, k); ; want *= 4) {
    const heap = view.area(AREA.pairs, want * 8 + 64);
    const got = view.kernel.selectBounds(bounds, count, heap, want, below, after) >>> 0;
    for (let i = 0; i < got; i++) {
      const at = (heap >>> 2) + i * 2;
      below = -view.f32[at]!;
      after = view.u32[at + 1]!;
      if (below < best.floor || below < min) return best.rows as Ranked[];
      if (++tried > tries) return undefined;
      const score = exact.ofMeaning(after);
      if (score >= min && score >= best.floor) addRowsOf(input, best, after, score);
    }
    if (got < want) return best.rows as Ranked[];
  }
}

/** Offers the rows of one meaning, smallest ids first, until k of them passed. */
function addRowsOf(
  { view, encoded, space, k, accepts }: VectorRankInput,
  best: BestRows,
  ordinal: number,
  score: number,
): void {
  for (let want = accepts === undefined ? k : Math.max(64, 2 * k), done = 0, passed = 0; ; want *= 4) {
    const heap = view.area(AREA.heap, (want + 2) * 16);
    const got = view.kernel.rowsOf(encoded.at, spaceAt(space), ordinal, heap, want) >>> 0;
    for (let i = done; i < got; i++) {
      const slot = view.u32[(heap + i * 16 + 8) >>> 2]!;
      if (!best.takes(slot, score) || (accepts !== undefined && !accepts(slot))) continue;
      best.add(slot, score);
      if (++passed >= k) return;
    }
    if (got < want || accepts === undefined) return;
    done = got;
  }
}
