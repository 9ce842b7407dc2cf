import { type MeaningName, standardScores } from "../fusion.ts";
import type { RankBy } from "../request.ts";
import { applyShape, cheapestWay, listCandidates, type Way } from "./candidates.ts";
import { type EncodedQuery, encodeQuery, IO, openTime } from "./encode-query.ts";
import { HitScorer } from "./hit-scorer.ts";
import { QF_LABELS, S_COUNT } from "./layout.ts";
import { AREA, type MemoryView, spaceAt } from "./memory-view.ts";
import type { IndexResult, NumericQuery, SearchHooks } from "./query.ts";
import {
  type ApproximateRank,
  ExactScores,
  type Ranked,
  type RankHooks,
  rankAll,
  rankListed,
  type VectorRankInput,
} from "./vector-rank.ts";
import { liveRows, termsOf, WordScores } from "./word-scores.ts";

/** Orders of kernels/select.ts. */
const ORDER = { distanceBox: 0, distanceCentre: 1, earliest: 2, latest: 3, id: 4, score: 5 } as const;

/**
 * Nanoseconds: the bound of a meaning by scanning, those of a row by gathering its meanings, the exact score of a
 * meaning with the rows that share it, a step of a walk.
 */
const COST = { scan: 12, gather: 150, exact: 1_500, walk: 30 } as const;
const WALK_BUDGET = 60_000;
/** Entries of a coarse cell are read quickly; only where it holds more than this are fine cells nearer the mark. */
const FINE_FROM = 1_024;

/** One search over one view. Runs inside the read lock; holds scratch areas until it returns. */
export class Search {
  readonly #view: MemoryView;
  readonly #query: NumericQuery;
  readonly #encoded: EncodedQuery;
  readonly #given: MeaningName[] = [];
  readonly #exact: { text?: ExactScores; image?: ExactScores } = {};
  readonly #terms: number[] | undefined;
  readonly #steps: { step: string; left: number }[] = [];
  readonly #accepts: ((slot: number) => boolean) | undefined;
  readonly #approximate: ApproximateRank | undefined;
  #words: WordScores | undefined;
  #cheapest: Way | undefined;
  #driver = "none";
  /** Rows in the list area, or undefined while the candidates are all rows that pass. */
  #listed: number | undefined;

  constructor(view: MemoryView, query: NumericQuery, hooks: RankHooks, free = query.rank === "fused") {
    this.#view = view;
    this.#query = query;
    this.#encoded = encodeQuery(view, query, free);
    if (query.text) this.#given.push("meaning");
    if (query.image) this.#given.push("image");
    if (query.words) this.#given.push("words");
    for (const space of ["text", "image"] as const) {
      const key = query[space];
      if (key) this.#exact[space] = new ExactScores(view, this.#encoded, space, key, hooks.exact);
    }
    this.#terms = query.words && termsOf(view, query.words);
    this.#accepts = residualOf(view, hooks);
    this.#approximate = hooks.approximate;
  }

  run(): IndexResult {
    const { query, view } = { query: this.#query, view: this.#view };
    let ranked: readonly Ranked[] = [];
    if (!this.#encoded.empty && view.rows > 0)
      ranked = query.rank === "fused" ? this.#fused() : this.#ranked();
    this.#note(`rank ${query.rank}`, ranked.length);
    const hits = this.#scorer().hits(ranked);
    this.#words?.clear();
    return { hits, plan: { driver: this.#driver, steps: this.#steps } };
  }

  /** How many rows pass; with several meaning keys any of them will do. */
  count(): number {
    const view = this.#view;
    if (this.#encoded.empty || view.rows === 0) return 0;
    this.#list(this.#way());
    const list = view.area(AREA.list, 4096) >>> 2;
    if (this.#given.length === 0 && this.#accepts === undefined) return this.#listed!;
    if (this.#terms) this.#words = new WordScores(view, this.#encoded, this.#terms, this.#listed);
    let count = 0;
    const scorer = this.#scorer();
    for (let i = 0; i < this.#listed!; i++) {
      const slot = view.u32[list + i]!;
      const scores = this.#given.length === 0 ? undefined : scorer.meaning(slot);
      const eligible = scores === undefined || Object.keys(scores).length > 0;
      if (eligible && (this.#accepts === undefined || this.#accepts(slot))) count++;
    }
    this.#words?.clear();
    return count;
  }

  /** Any rank but fused: a hit is eligible for all meaning keys given. */
  #ranked(): readonly Ranked[] {
    const { rank, limit } = this.#query;
    if (this.#terms !== undefined) return this.#rankedByWords();
    if (rank === "meaning" || rank === "image") return this.#vectorRank(rank, limit);
    const walked = this.#walk();
    if (walked !== undefined) return walked;
    this.#list(this.#way());
    this.#thresholds(undefined);
    return this.#select(orderOf(this.#query), limit);
  }

  /** With words, the rows that have one become the list, whatever orders it. */
  #rankedByWords(): readonly Ranked[] {
    const { rank, limit } = this.#query;
    this.#scoreWords();
    const { list, count } = this.#words!;
    const view = this.#view;
    const to = view.area(AREA.list, Math.max(4096, view.rows * 4 + 64));
    view.u8.copyWithin(to, list, list + count * 4);
    this.#listed = count;
    this.#thresholds(rank);
    if (rank === "meaning" || rank === "image")
      return rankListed(this.#vectorInput(rank, limit), this.#listed);
    return this.#select(rank === "words" ? ORDER.score : orderOf(this.#query), limit);
  }

  #fused(): readonly Ranked[] {
    const { limit, pool = Math.max(100, limit) } = this.#query;
    const way = this.#way();
    // One list serves all keys; only a lone vector key over nearly everything is better off without.
    if (this.#query.place || this.#query.time || way.driver !== "columns" || this.#isRestricted())
      this.#list(way);
    const members = new Set<number>();
    for (const name of this.#given) for (const { slot } of this.#poolOf(name, pool)) members.add(slot);
    const { kernel } = this.#view;
    const slots = [...members].sort((a, b) => kernel.compareIds(a, b));
    const scorer = this.#scorer();
    const scores = standardScores(
      slots.map((slot) => scorer.meaning(slot)),
      this.#given,
    );
    // The places in the list are the order of the ids: an equal score keeps it.
    return slots
      .map((slot, i) => ({ slot, score: scores[i]! }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  #poolOf(name: MeaningName, pool: number): readonly Ranked[] {
    if (name === "words") {
      this.#scoreWords();
      const { list, count } = this.#words!;
      return this.#select(ORDER.score, pool, list, count);
    }
    const input = this.#vectorInput(name, pool);
    // Without a limit on its tries the scan always finds its rows.
    const found = this.#listed === undefined ? rankAll(input)! : rankListed(input, this.#listed);
    this.#note(`pool ${name}`, found.length);
    return found;
  }

  #vectorRank(rank: "meaning" | "image", limit: number): readonly Ranked[] {
    const near = this.#approximate?.(this.#vectorInput(rank, limit));
    if (near !== undefined) {
      this.#driver = "approximate, hnsw";
      return near;
    }
    const other = rank === "meaning" ? this.#query.image : this.#query.text;
    const way = this.#way();
    const space = spaceAt(rank === "meaning" ? "text" : "image");
    const scanNs = this.#view.u32[(space + S_COUNT) >>> 2]! * COST.scan;
    const restricted =
      this.#query.place !== undefined || this.#query.time !== undefined || this.#isRestricted();
    const listNs = restricted ? way.costNs + way.rows * COST.gather : Number.POSITIVE_INFINITY;
    // Conditions without a column need a list: ids, shapes, the other vector's threshold.
    const listed =
      this.#query.ids !== undefined || this.#query.place?.type === "shape" || other?.min !== undefined;
    const share = Math.max(1e-6, way.rows / Math.max(1, liveRows(this.#view)));
    if (!listed && scanNs + (limit / share) * COST.exact < listNs) {
      const found = rankAll(this.#vectorInput(rank, limit), listNs / COST.exact);
      if (found !== undefined) {
        this.#driver = "vectors";
        this.#note(`vectors ${rank}`, liveRows(this.#view));
        return found;
      }
    }
    this.#list(way);
    this.#thresholds(rank);
    return rankListed(this.#vectorInput(rank, limit), this.#listed!);
  }

  #isRestricted(): boolean {
    const q = this.#query;
    return (
      q.kinds !== undefined ||
      (this.#encoded.flags & QF_LABELS) !== 0 ||
      q.scenes !== undefined ||
      q.authors !== undefined ||
      q.categories !== undefined ||
      q.owners !== undefined ||
      q.ids !== undefined
    );
  }

  #way(): Way {
    const terms = this.#query.rank === "fused" ? undefined : this.#terms;
    this.#cheapest ??= cheapestWay(this.#view, this.#query, this.#encoded, terms);
    return this.#cheapest;
  }

  #list(way: Way): void {
    const { place } = this.#query;
    this.#driver = way.driver;
    let count = listCandidates(this.#view, this.#query, this.#encoded, way);
    this.#note(way.driver, count);
    if (place?.type === "shape") {
      count = applyShape(this.#view, count, place.accepts);
      this.#note("shape", count);
    }
    this.#listed = count;
  }

  #scoreWords(): void {
    const way = this.#listed === undefined ? this.#way() : undefined;
    // A shape is no column: with it the postings cannot decide alone.
    if (way !== undefined && (way.driver !== "words" || this.#query.place?.type === "shape")) {
      if (way.driver !== "columns" || this.#query.place?.type === "shape") {
        this.#list(way.driver === "words" ? { ...way, driver: "columns" } : way);
      }
    }
    if (this.#listed === undefined) this.#driver = "words";
    this.#words = new WordScores(this.#view, this.#encoded, this.#terms!, this.#listed);
    this.#note("words", this.#words.count);
  }

  /** Drops listed rows that miss a threshold of a vector key other than the one that ranks (which tests itself). */
  #thresholds(rank: RankBy | undefined): void {
    for (const [name, space] of [
      ["meaning", "text"],
      ["image", "image"],
    ] as const) {
      const min = this.#query[space]?.min;
      if (min === undefined || name === rank) continue;
      const view = this.#view;
      const list = view.area(AREA.list, 4096);
      const pairs = view.area(AREA.pairs, this.#listed! * 8 + 64);
      const input = this.#vectorInput(name, 1);
      const at = this.#encoded.vectors[space];
      const kept = view.kernel.boundRows(at, spaceAt(space), list, this.#listed!, pairs, min) >>> 0;
      let count = 0;
      for (let i = 0; i < kept; i++) {
        const slot = view.u32[((pairs + i * 8) >>> 2) + 1]!;
        if (input.exact.ofRow(slot)! >= min) view.u32[(list >>> 2) + count++] = slot;
      }
      this.#listed = count;
      this.#note(`${name} ≥ ${min}`, count);
    }
  }

  #vectorInput(name: "meaning" | "image", k: number): VectorRankInput {
    const space = name === "meaning" ? "text" : "image";
    const min = this.#query[space]!.min ?? Number.NEGATIVE_INFINITY;
    const exact = this.#exact[space]!;
    return { view: this.#view, encoded: this.#encoded, space, min, k, exact, accepts: this.#accepts };
  }

  /** Nearest-first and newest-first walks, where they are cheaper than listing everything. */
  #walk(): readonly Ranked[] | undefined {
    const { rank, limit, place, text, image } = this.#query;
    if (text?.min !== undefined || image?.min !== undefined || place?.type === "shape") return undefined;
    const way = this.#way();
    if (way.driver === "ids" || way.driver === "owner") return undefined;
    const share = Math.max(1e-6, way.rows / Math.max(1, liveRows(this.#view)));
    const want = this.#accepts === undefined ? limit : Math.max(64, limit * 4);
    if (rank === "distance" && place?.type === "within") {
      if (this.#encoded.hasBounds && way.costNs < want * COST.walk * 8) return undefined;
      return this.#nearest(want, limit);
    }
    if (rank !== "latest" && rank !== "earliest") return undefined;
    const timeShare =
      this.#query.time === undefined
        ? 1
        : this.#view.kernel.timeEstimate(this.#encoded.at) / liveRows(this.#view);
    const steps = want / Math.min(1, share / Math.max(timeShare, share));
    if (steps * COST.walk > way.costNs + way.rows * 10) return undefined;
    return this.#timeWalk(want, limit, Math.ceil(steps * 8) + 512);
  }

  #nearest(want: number, limit: number): readonly Ranked[] | undefined {
    const view = this.#view;
    const { place } = this.#query;
    if (place?.type !== "within") return undefined;
    for (let k = want; ; k *= 4) {
      const heap = view.area(AREA.heap, (k + 2) * 16);
      const fine = view.kernel.coarseCount(this.#encoded.at) > 2 * k + FINE_FROM ? 1 : 0;
      const byBox = place.metric === "box" ? 1 : 0;
      const found = view.kernel.nearestWalk(this.#encoded.at, heap, k, byBox, fine, WALK_BUDGET);
      if (found < 0) return undefined;
      view.kernel.heapSort(heap, found);
      const ranked = this.#fromHeap(heap, found, limit, 1);
      if (ranked.length >= limit || found < k) {
        this.#driver = "nearest";
        this.#note("nearest", found);
        return ranked;
      }
    }
  }

  #timeWalk(want: number, limit: number, budget: number): readonly Ranked[] | undefined {
    const view = this.#view;
    const { at } = this.#encoded;
    if (this.#query.time === undefined) openTime(view, at);
    const list = view.area(AREA.list, Math.max(4096, view.rows * 4 + 64));
    const newest = this.#query.rank === "latest";
    for (let k = want; ; k *= 4, budget *= 4) {
      const found = view.kernel.timeWalk(
        at,
        list,
        k,
        newest ? 1 : 0,
        Math.min(budget, 2 ** 31),
        at + IO.cursors,
      );
      if (found < 0) return undefined;
      const ranked = this.#selectOnce(newest ? ORDER.latest : ORDER.earliest, k, limit, list, found);
      if (ranked.length >= limit || found < k) {
        this.#driver = "time";
        this.#note("time", found);
        return ranked;
      }
    }
  }

  /** The best of the list, asking the residual in rank order and deepening until enough pass. */
  #select(
    by: number,
    limit: number,
    list = this.#view.area(AREA.list, 4096),
    count = this.#listed!,
  ): readonly Ranked[] {
    for (let k = this.#accepts === undefined ? limit : Math.max(64, limit * 4); ; k *= 4) {
      const ranked = this.#selectOnce(by, k, limit, list, count);
      if (ranked.length >= limit || k >= count) return ranked;
    }
  }

  #selectOnce(by: number, k: number, limit: number, list: number, count: number): readonly Ranked[] {
    const view = this.#view;
    const heap = view.area(AREA.heap, (Math.min(k, count) + 2) * 16);
    const scores = this.#words?.scores ?? 0;
    const held =
      view.kernel.selectList(list, count, by, this.#encoded.at, scores, heap, Math.min(k, count)) >>> 0;
    return this.#fromHeap(heap, held, limit, by === ORDER.latest || by === ORDER.score ? -1 : 1);
  }

  #fromHeap(heap: number, held: number, limit: number, sign: number): readonly Ranked[] {
    const view = this.#view;
    // A residual may use the areas of this thread (it reads the caller's store), so the order is copied first.
    const slots: number[] = [];
    const keys: number[] = [];
    for (let i = 0; i < held; i++) {
      slots.push(view.u32[(heap + i * 16 + 8) >>> 2]!);
      keys.push(view.f64[(heap + i * 16) >>> 3]! * sign);
    }
    const ranked: Ranked[] = [];
    for (let i = 0; i < held && ranked.length < limit; i++) {
      if (this.#accepts === undefined || this.#accepts(slots[i]!))
        ranked.push({ slot: slots[i]!, score: keys[i]! });
    }
    return ranked;
  }

  #scorer(): HitScorer {
    return new HitScorer(this.#view, this.#query, this.#exact, this.#words);
  }

  #note(step: string, left: number): void {
    this.#steps.push({ step, left });
  }
}

function orderOf({ rank, place }: NumericQuery): number {
  if (rank === "latest") return ORDER.latest;
  if (rank === "earliest") return ORDER.earliest;
  if (rank === "id") return ORDER.id;
  return place?.type === "within" && place.metric === "box" ? ORDER.distanceBox : ORDER.distanceCentre;
}

/** The residual by slot, each row asked once. */
function residualOf(view: MemoryView, { residual }: SearchHooks): ((slot: number) => boolean) | undefined {
  if (residual === undefined) return undefined;
  const known = new Map<number, boolean>();
  return (slot) => {
    let passes = known.get(slot);
    if (passes === undefined) {
      passes = residual(view.externalOf(slot));
      known.set(slot, passes);
    }
    return passes;
  };
}
