import { coverOf } from "./cover.ts";
import { type Candidate, LINE_BYTES } from "./gather.ts";
import { EVICTABLE, type EvictableKind, type RetentionPolicy } from "./policy.ts";
import type { Protected, Protection } from "./protect.ts";
import type { Utilities } from "./utility.ts";

/** One record to give up, and the reason. */
export interface Eviction {
  readonly id: string;
  readonly kind: EvictableKind;
  readonly bytes: number;
  /** Of views and captions only. */
  readonly utility?: number;
  readonly why: string;
}

/** Observations further apart than this no longer give a robot's position: such questions allow ten seconds. */
const PACE_US = 8_000_000;
/** Share of the least useful that is considered together; each is evaluated again before it is given up. */
const BATCH_SHARE = 0.02;

/** Picks the records that go, one after the other, and adds up what that frees. */
export class Planner {
  readonly evictions: Eviction[] = [];
  freed = 0;
  readonly #left: Map<string, Candidate>;
  readonly #protected: Protected;
  readonly #utilities: Utilities;
  /** Bytes that a record has already given up without going. */
  readonly #slimmed = new Map<string, number>();
  /** Views and detections that stand on each observation. */
  readonly #dependents = new Map<string, number>();
  /** Views by which every track is shown, whichever others go. */
  readonly #cover: ReadonlySet<string>;
  /** Observations that make up the path of a robot. */
  readonly #way: ReadonlySet<string>;
  /** How many records use each line. */
  readonly #saidBy: Map<string, number>;
  /** The lines of records that were put into other words. */
  readonly #reworded = new Map<string, readonly string[]>();
  #released: "nothing" | "evidence" | "way too" = "nothing";

  constructor(
    candidates: readonly Candidate[],
    kept: Protected,
    utilities: Utilities,
    uses: ReadonlyMap<string, number>,
  ) {
    this.#left = new Map(candidates.map((candidate) => [candidate.record.id, candidate]));
    this.#protected = kept;
    this.#utilities = utilities;
    this.#saidBy = new Map(uses);
    this.#way = wayOf(this.#of("observation"));
    const views = this.#of("view").map((view) => ({ view, utility: utilities.of(view) }));
    this.#cover = coverOf(
      views.sort((a, b) => b.utility - a.utility).map(({ view }) => view),
      (view) => kept.kept.has(view.record.id),
    );
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

  /** Gives up candidates until this many bytes are free, or nothing more may be removed. */
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
      // Removed views may have left observations without dependents.
      if (!kinds.includes("observation")) continue;
      for (const candidate of this.#of("observation")) {
        if (this.freed < goal && this.#mayGo(candidate)) this.#drop(candidate, why);
      }
    }
  }

  /** The remaining records of a kind, the least useful first, including protected ones. */
  leastUseful(kind: EvictableKind): Candidate[] {
    return this.#of(kind)
      .map((candidate) => ({ candidate, utility: this.#utilities.of(candidate) }))
      .sort((a, b) => a.utility - b.utility || (a.candidate.record.id < b.candidate.record.id ? -1 : 1))
      .map(({ candidate }) => candidate);
  }

  bytesOf(kind: EvictableKind): number {
    return this.#of(kind).reduce((sum, candidate) => sum + this.#bytesOf(candidate), 0);
  }

  /** Releases also the evidence behind sightings, then the robots' paths. */
  release(what: "evidence" | "way too"): void {
    this.#released = what;
  }

  /** A record that stays, for now, without some of its bytes. */
  slim(id: string, bytes: number): void {
    this.#slimmed.set(id, (this.#slimmed.get(id) ?? 0) + bytes);
    this.freed += bytes;
  }

  /** A record that stays, for now, in other words. */
  reword(id: string, text: readonly string[]): void {
    const candidate = this.#left.get(id);
    if (candidate === undefined) return;
    for (const line of text) this.#saidBy.set(line, (this.#saidBy.get(line) ?? 0) + 1);
    this.freed += this.#unsaid(this.#linesOf(candidate));
    this.#reworded.set(id, text);
  }

  isLeft(id: string): boolean {
    return this.#left.has(id);
  }

  #bytesOf(candidate: Candidate): number {
    const own = Math.max(0, candidate.bytes - (this.#slimmed.get(candidate.record.id) ?? 0));
    return this.#linesOf(candidate).reduce(
      (sum, line) => sum + (this.#saidBy.get(line) === 1 ? LINE_BYTES + line.length : 0),
      own,
    );
  }

  #linesOf({ record }: Candidate): readonly string[] {
    return this.#reworded.get(record.id) ?? record.text;
  }

  /** Counts one use less of each line; returns the bytes of lines without any use left. */
  #unsaid(lines: readonly string[]): number {
    let bytes = 0;
    for (const line of lines) {
      const others = (this.#saidBy.get(line) ?? 1) - 1;
      this.#saidBy.set(line, others);
      if (others === 0) bytes += LINE_BYTES + line.length;
    }
    return bytes;
  }

  keptCounts(): Partial<Record<Protection, number>> {
    const counts: Partial<Record<Protection, number>> = {};
    for (const { record } of this.#left.values()) {
      const why = this.#whyKept(record.id);
      if (why !== undefined) counts[why] = (counts[why] ?? 0) + 1;
    }
    const last = this.#of("view").filter(
      ({ record }) => this.#whyKept(record.id) === undefined && this.#cover.has(record.id),
    );
    if (last.length > 0) counts["last view of a track"] = last.length;
    return counts;
  }

  /** One batch; false when nothing more may be given up. */
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
      // A similar record may just have been given up: then this one is worth more now, and waits for the next round.
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
    if (this.#whyKept(record.id) !== undefined) return false;
    if (kind === "observation" && (this.#dependents.get(record.id) ?? 0) > 0) return false;
    return kind !== "view" || !this.#cover.has(record.id);
  }

  #whyKept(id: string): Protection | undefined {
    const { kept, evidence } = this.#protected;
    const why = kept.get(id) ?? (this.#released === "nothing" ? evidence.get(id) : undefined);
    return why ?? (this.#released !== "way too" && this.#way.has(id) ? "way" : undefined);
  }

  #drop(candidate: Candidate, why: string, utility?: number): void {
    const { record, kind } = candidate;
    const bytes = this.#bytesOf(candidate);
    this.#unsaid(this.#linesOf(candidate));
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

/** Of each author's observations those that follow each other at least PACE_US apart. */
function wayOf(looks: readonly Candidate[]): Set<string> {
  const way = new Set<string>();
  for (const own of Map.groupBy(looks, ({ record }) => `${record.author}/${record.sceneId}`).values()) {
    let lastUs = -Infinity;
    for (const { record } of [...own].sort((a, b) => a.record.validFromUs - b.record.validFromUs)) {
      if (record.validFromUs - lastUs < PACE_US) continue;
      lastUs = record.validFromUs;
      way.add(record.id);
    }
  }
  return way;
}
