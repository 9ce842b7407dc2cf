import { distance } from "../../geometry/index.ts";
import { jaccard } from "./consolidate.ts";
import type { Candidate } from "./gather.ts";

const CITATION = 0.2;
const UNIQUE_TRACK = 0.3;
/** Views and captions further apart than this show different places, whatever they show. */
const NEIGHBOUR_M = 3;
/** As many of the nearest in space are compared with. */
const NEIGHBOURS = 24;

/** Views and captions with their similar neighbours, so that giving one up makes its neighbours worth more. */
export class Utilities {
  readonly #kept = new Set<Candidate>();
  readonly #neighbours = new Map<Candidate, { other: Candidate; similarity: number }[]>();
  readonly #shownBy = new Map<string, number>();
  readonly #nowUs: number;
  readonly #recencyUs: number;

  constructor(candidates: readonly Candidate[], nowUs: number, recencyUs: number) {
    this.#nowUs = nowUs;
    this.#recencyUs = Math.max(1, recencyUs);
    for (const candidate of candidates) {
      this.#kept.add(candidate);
      for (const key of keysOf(candidate)) this.#shownBy.set(key, (this.#shownBy.get(key) ?? 0) + 1);
    }
    for (const kind of ["view", "caption"] as const)
      this.#compare(candidates.filter((one) => one.kind === kind));
  }

  /**
   * novelty + 0.2 · citations + 0.3 · tracks shown by no other record of its kind + recency
   * (docs/formulas.md#retention).
   */
  of(candidate: Candidate): number {
    let alike = 0;
    for (const { other, similarity } of this.#neighbours.get(candidate) ?? []) {
      if (this.#kept.has(other)) alike = Math.max(alike, similarity);
    }
    const { record, citations } = candidate;
    const ageUs = Math.max(0, this.#nowUs - (record.validToUs ?? record.validFromUs));
    return (
      1 -
      alike +
      CITATION * citations +
      UNIQUE_TRACK * this.uniqueTracks(candidate) +
      Math.exp(-ageUs / this.#recencyUs)
    );
  }

  /** How many tracks no record of this kind would show any more. */
  uniqueTracks(candidate: Candidate): number {
    return keysOf(candidate).filter((key) => this.#shownBy.get(key) === 1).length;
  }

  /** Gives one up; returns the candidates whose utility changed. */
  drop(candidate: Candidate): Candidate[] {
    if (!this.#kept.delete(candidate)) return [];
    for (const key of keysOf(candidate)) this.#shownBy.set(key, this.#shownBy.get(key)! - 1);
    return (this.#neighbours.get(candidate) ?? [])
      .map(({ other }) => other)
      .filter((other) => this.#kept.has(other));
  }

  #compare(candidates: readonly Candidate[]): void {
    const placed = candidates.filter(({ position }) => position !== undefined);
    const cells = new Map<string, Candidate[]>();
    const cellOf = (candidate: Candidate, dx = 0, dy = 0) =>
      `${Math.floor(candidate.position!.x / NEIGHBOUR_M) + dx}/${Math.floor(candidate.position!.y / NEIGHBOUR_M) + dy}`;
    for (const candidate of placed) {
      const key = cellOf(candidate);
      const list = cells.get(key);
      if (list) list.push(candidate);
      else cells.set(key, [candidate]);
    }
    for (const candidate of placed) {
      const near: { other: Candidate; similarity: number }[] = [];
      for (const dx of [-1, 0, 1]) {
        for (const dy of [-1, 0, 1]) {
          for (const other of cells.get(cellOf(candidate, dx, dy)) ?? []) {
            if (other === candidate || distance(other.position!, candidate.position!) > NEIGHBOUR_M) continue;
            near.push({ other, similarity: jaccard(candidate.tracks, other.tracks) });
          }
        }
      }
      near.sort((a, b) => b.similarity - a.similarity || (a.other.record.id < b.other.record.id ? -1 : 1));
      this.#neighbours.set(candidate, near.slice(0, NEIGHBOURS));
    }
  }
}

function keysOf({ kind, tracks }: Candidate): string[] {
  return Array.from(tracks, (track) => `${kind}/${track}`);
}
