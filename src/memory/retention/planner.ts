import type { Candidate } from "./gather.ts";
import { EVICTABLE, type EvictableKind, type RetentionPolicy } from "./policy.ts";
import type { Protection } from "./protect.ts";
import type { Utilities } from "./utility.ts";

/** One record that goes, and why just this one. */
export interface Eviction {
  readonly id: string;
  readonly kind: EvictableKind;
  readonly bytes: number;
  /** Of views and captions only. */
  readonly utility?: number;
  readonly why: string;
}

/** Share of the least useful that is looked at together; each is weighed again before it goes. */
const BATCH_SHARE = 0.02;

/** Picks the records that go, one after the other, and adds up what that frees. */
export class Planner {
  readonly evictions: Eviction[] = [];
  freed = 0;
  readonly #left: Map<string, Candidate>;
  readonly #kept: ReadonlyMap<string, Protection>;
  readonly #utilities: Utilities;
  /** Bytes that a record has already given up without going. */
  readonly #slimmed = new Map<string, number>();
  /** Views and detections that stand on each observation. */
  readonly #dependents = new Map<string, number>();

  constructor(candidates: readonly Candidate[], kept: ReadonlyMap<string, Protection>, utilities: Utilities) {
    this.#left = new Map(candidates.map((candidate) => [candidate.record.id, candidate]));
    this.#kept = kept;
    this.#utilities = utilities;
    for (const { record } of candidates) {
      if (record.kind !== "view" && record.kind !== "detection") continue;
      this.#dependents.set(record.observationId, (this.#dependents.get(record.observationId) ?? 0) + 1);
    }
  }

  dropOlderThan(maxAgeUs: NonNullable<RetentionPolicy["maxAgeUs"]>, nowUs: number): void {
    for (const kind of EVICTABLE) {
      const most = maxAgeUs[kind];
      if (most === undefined) continue;
      for (const candidate of this.#of(kind)) {
        const endedUs = candidate.record.validToUs ?? nowUs;
        if (nowUs - endedUs > most && this.#mayGo(candidate)) this.#drop(candidate, "too old");
      }
    }
  }

  /** Gives up until so many bytes are free, or nothing more may go. */
  dropUntil(kinds: readonly EvictableKind[], bytes: number, why: string): void {
    const goal = this.freed + bytes;
    for (const kind of ["detection", "observation"] as const) {
      if (!kinds.includes(kind)) continue;
      for (const candidate of this.#of(kind)) {
        if (this.freed >= goal) return;
        if (this.#mayGo(candidate)) this.#drop(candidate, why);
      }
    }
    const weighed = kinds.filter((kind) => kind === "view" || kind === "caption");
    while (this.freed < goal && this.#dropLeastUseful(weighed, goal, why)) {
      // Views that went may have left observations that nothing stands on.
      if (!kinds.includes("observation")) continue;
      for (const candidate of this.#of("observation")) {
        if (this.freed < goal && this.#mayGo(candidate)) this.#drop(candidate, why);
      }
    }
  }

  bytesOf(kind: EvictableKind): number {
    return this.#of(kind).reduce((sum, candidate) => sum + this.#bytesOf(candidate), 0);
  }

  /** A record that stays, for now, without some of its bytes. */
  slim(id: string, bytes: number): void {
    this.#slimmed.set(id, bytes);
    this.freed += bytes;
  }

  isLeft(id: string): boolean {
    return this.#left.has(id);
  }

  #bytesOf({ record, bytes }: Candidate): number {
    return Math.max(0, bytes - (this.#slimmed.get(record.id) ?? 0));
  }

  keptCounts(): Partial<Record<Protection, number>> {
    const counts: Partial<Record<Protection, number>> = {};
    for (const why of this.#kept.values()) counts[why] = (counts[why] ?? 0) + 1;
    const last = this.#of("view").filter(
      (view) => !this.#kept.has(view.record.id) && this.#utilities.uniqueTracks(view) > 0,
    );
    if (last.length > 0) counts["last view of a track"] = last.length;
    return counts;
  }

  /** One batch; false when nothing more may go. */
  #dropLeastUseful(kinds: readonly EvictableKind[], goal: number, why: string): boolean {
    const ranked = kinds
      .flatMap((kind) => this.#of(kind))
      .filter((candidate) => this.#mayGo(candidate))
      .map((candidate) => ({ candidate, utility: this.#worthOf(candidate) }))
      .sort((a, b) => a.utility - b.utility || (a.candidate.record.id < b.candidate.record.id ? -1 : 1));
    if (ranked.length === 0) return false;
    const size = Math.max(8, Math.ceil(ranked.length * BATCH_SHARE));
    const bound = ranked[Math.min(size, ranked.length - 1)]!.utility;
    for (const { candidate } of ranked.slice(0, size)) {
      if (this.freed >= goal) break;
      // Its like may have gone a moment ago: then it is worth more now, and waits for the next round.
      const utility = this.#worthOf(candidate);
      if (utility <= bound && this.#mayGo(candidate)) this.#drop(candidate, why, utility);
    }
    return true;
  }

  /** Utility for its size: a picture costs as much as twenty captions, and has to be worth several of them. */
  #worthOf(candidate: Candidate): number {
    return this.#utilities.of(candidate) / Math.log2(2 + this.#bytesOf(candidate) / 1024);
  }

  #mayGo(candidate: Candidate): boolean {
    const { record, kind } = candidate;
    if (this.#kept.has(record.id)) return false;
    if (kind === "observation") return (this.#dependents.get(record.id) ?? 0) === 0;
    return kind !== "view" || this.#utilities.uniqueTracks(candidate) === 0;
  }

  #drop(candidate: Candidate, why: string, utility?: number): void {
    const { record, kind } = candidate;
    const bytes = this.#bytesOf(candidate);
    this.#left.delete(record.id);
    this.#utilities.drop(candidate);
    if (record.kind === "view" || record.kind === "detection") {
      this.#dependents.set(record.observationId, this.#dependents.get(record.observationId)! - 1);
    }
    this.freed += bytes;
    this.evictions.push({ id: record.id, kind, bytes, why, ...(utility !== undefined && { utility }) });
  }

  #of(kind: EvictableKind): Candidate[] {
    return [...this.#left.values()].filter((candidate) => candidate.kind === kind);
  }
}
