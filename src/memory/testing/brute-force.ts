import { boxesIntersect, distance, distanceToBox, intervalsOverlap } from "../../geometry/index.ts";
import { FUSION_WEIGHTS } from "../fusion.ts";
import { bm25Idf, bm25Term } from "../lexical.ts";
import type { Space } from "../resident/memory-view.ts";
import type { HitScores, NumericQuery, PlaceQuery, TimeQuery, VectorQuery } from "../resident/query.ts";
import type { RowInput, RowPlace } from "../resident/row-writer.ts";
import { cosineOf } from "../vectors.ts";

type Name = "meaning" | "image" | "words";
interface Candidate {
  readonly row: RowInput;
  readonly scores: HitScores;
}

/** The reference for the index: plain arrays, every row scanned, in the words of request.ts. For tests. */
export class BruteForce {
  readonly rows = new Map<number, RowInput>();
  readonly vectors: Record<Space, Map<number, Float32Array>> = { text: new Map(), image: new Map() };

  search(
    query: NumericQuery,
    residual?: (row: number) => boolean,
  ): { row: number; score: number; scores: HitScores }[] {
    const { candidates, given } = this.#candidates(query, residual);
    const ranked = query.rank === "fused" ? fuse(candidates, given, query) : rank(candidates, given, query);
    return ranked
      .slice(0, query.limit)
      .map(({ candidate, score }) => ({ row: candidate.row.row, score, scores: candidate.scores }));
  }

  count(query: NumericQuery, residual?: (row: number) => boolean): number {
    const { candidates, given } = this.#candidates(query, residual);
    return candidates.filter((c) => given.length === 0 || given.some((n) => c.scores[n] !== undefined))
      .length;
  }

  move(submaps: readonly number[], placeOf: (row: number, submap: number) => RowPlace | undefined): void {
    for (const [key, row] of this.rows) {
      if (!submaps.includes(row.submap)) continue;
      const { place: _, ...rest } = row;
      const place = placeOf(key, row.submap);
      this.rows.set(key, place === undefined ? rest : { ...rest, place });
    }
  }

  #candidates(query: NumericQuery, residual: ((row: number) => boolean) | undefined) {
    const given: Name[] = [];
    if (query.text) given.push("meaning");
    if (query.image) given.push("image");
    if (query.words) given.push("words");
    const words = query.words && this.#bm25(query);
    const candidates: Candidate[] = [];
    for (const row of this.rows.values()) {
      if (!seen(row, query) || !passesLists(row, query) || !passesTime(row, query.time)) continue;
      if (residual !== undefined && !residual(row.row)) continue;
      const distanceM = passesPlace(row, query.place);
      if (distanceM === undefined) continue;
      const scores: HitScores = {};
      const meaning = this.#best("text", row.texts, query.text);
      if (meaning !== undefined) scores.meaning = meaning;
      const image = this.#best("image", row.image === undefined ? [] : [row.image], query.image);
      if (image !== undefined) scores.image = image;
      const lexical = words?.(row);
      if (lexical !== undefined) scores.words = lexical;
      if (!Number.isNaN(distanceM)) scores.distanceM = distanceM;
      candidates.push({ row, scores });
    }
    return { candidates, given };
  }

  #best(space: Space, keys: readonly number[], query: VectorQuery | undefined): number | undefined {
    if (query === undefined || keys.length === 0) return undefined;
    const best = Math.max(...keys.map((key) => cosineOf(query.vector, this.vectors[space].get(key)!)));
    return best >= (query.min ?? Number.NEGATIVE_INFINITY) ? best : undefined;
  }

  #bm25(query: NumericQuery): (row: RowInput) => number | undefined {
    const corpus = [...this.rows.values()].filter((row) => seen(row, query) && row.words.length > 0);
    const meanLength = corpus.reduce((sum, row) => sum + row.words.length, 0) / corpus.length;
    const terms = query.words!.map((word) => {
      return { word, idf: bm25Idf(corpus.length, corpus.filter((row) => row.words.includes(word)).length) };
    });
    return (row) => {
      let score: number | undefined;
      for (const { word, idf } of terms) {
        const tf = row.words.filter((w) => w === word).length;
        if (tf > 0) score = (score ?? 0) + bm25Term(idf, tf, row.words.length, meanLength);
      }
      return score;
    };
  }
}

function rank(candidates: Candidate[], given: Name[], { rank }: NumericQuery) {
  const scoreOf = ({ row, scores }: Candidate): number => {
    if (rank === "meaning" || rank === "image" || rank === "words") return scores[rank]!;
    if (rank === "distance") return scores.distanceM!;
    return rank === "id" ? 0 : row.validFromUs;
  };
  const ascending = rank === "distance" || rank === "earliest" ? 1 : -1;
  return candidates
    .filter(({ scores }) => given.every((name) => scores[name] !== undefined))
    .map((candidate) => ({ candidate, score: scoreOf(candidate) }))
    .sort((a, b) => ascending * (a.score - b.score) || byId(a.candidate, b.candidate));
}

function fuse(candidates: Candidate[], given: Name[], { pool = 100 }: NumericQuery) {
  const members = new Set<Candidate>();
  for (const name of given) {
    const own = candidates.filter((c) => c.scores[name] !== undefined);
    own.sort((a, b) => b.scores[name]! - a.scores[name]! || byId(a, b));
    for (const c of own.slice(0, pool)) members.add(c);
  }
  const ordered = [...members].sort(byId);
  const fused = new Map(ordered.map((c) => [c, 0]));
  for (const name of given) {
    const known = ordered.flatMap((c) => c.scores[name] ?? []);
    if (known.length === 0) continue;
    const least = name === "words" ? 0 : Math.min(...known);
    const value = (c: Candidate) => c.scores[name] ?? least;
    const mean = ordered.reduce((sum, c) => sum + value(c), 0) / ordered.length;
    const variance =
      ordered.reduce((sum, c) => sum + (value(c) - mean) * (value(c) - mean), 0) / ordered.length;
    const deviation = Math.sqrt(variance);
    if (deviation <= 1e-9) continue;
    for (const c of ordered)
      fused.set(c, fused.get(c)! + FUSION_WEIGHTS[name] * ((value(c) - mean) / deviation));
  }
  return [...fused]
    .map(([candidate, score]) => ({ candidate, score }))
    .sort((a, b) => b.score - a.score || byId(a.candidate, b.candidate));
}

function byId(a: Candidate, b: Candidate): number {
  return a.row.id < b.row.id ? -1 : 1;
}

function seen(row: RowInput, { kinds, labelSets }: NumericQuery): boolean {
  if (kinds !== undefined && !((kinds >>> row.kind) & 1)) return false;
  return labelSets === undefined || labelSets.includes(row.labelSet);
}

function passesLists(row: RowInput, { scenes, authors, categories, owners, ids }: NumericQuery): boolean {
  const anyOf = (list: readonly number[] | undefined, name: number): boolean =>
    list === undefined || (name !== 0 && list.includes(name));
  return (
    anyOf(scenes, row.scene) &&
    anyOf(authors, row.author) &&
    anyOf(categories, row.category) &&
    anyOf(owners, row.owner) &&
    (ids === undefined || ids.includes(row.id))
  );
}

function passesTime(row: RowInput, time: TimeQuery | undefined): boolean {
  const { overlaps, before, after } = time ?? {};
  const valid = { fromUs: row.validFromUs, toUs: row.validToUs };
  if (overlaps !== undefined && !intervalsOverlap(valid, overlaps)) return false;
  if (before !== undefined && !(valid.toUs !== null && valid.toUs <= before)) return false;
  return after === undefined || valid.fromUs >= after;
}

/** Undefined fails; NaN passes without a distance. */
function passesPlace({ place }: RowInput, key: PlaceQuery | undefined): number | undefined {
  if (key === undefined) return Number.NaN;
  if (place === undefined) return undefined;
  if (key.type === "box") return boxesIntersect(place.box, key) ? Number.NaN : undefined;
  if (key.type === "shape") {
    if (!key.accepts(place.centre)) return undefined;
    return key.from ? distance(key.from, place.centre) : Number.NaN;
  }
  const d = key.metric === "centre" ? distance(key.point, place.centre) : distanceToBox(key.point, place.box);
  return d <= key.radiusM ? d : undefined;
}
