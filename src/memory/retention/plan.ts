import type { RecordInput, RecordOf } from "../../schema/core.ts";
import type { MemoryReader } from "../port.ts";
import { consolidate, type Merge } from "./consolidate.ts";
import { type Candidate, plain, readHoldings, type Surface } from "./gather.ts";
import {
  checkPolicy,
  DEFAULT_HOLD_LABELS,
  DEFAULT_RECENCY_US,
  EVICTABLE,
  type EvictableKind,
  type RetentionPolicy,
} from "./policy.ts";
import { type Protection, protectedBy } from "./protect.ts";
import { Utilities } from "./utility.ts";

/** One record that goes, and why just this one. */
export interface Eviction {
  readonly id: string;
  readonly kind: EvictableKind;
  readonly bytes: number;
  /** Of views and captions only. */
  readonly utility?: number;
  readonly why: string;
}

/** What would be given up under a policy, with the reasons; nothing is done until it is applied. */
export interface RetentionPlan {
  readonly bytesNow: number;
  readonly maxBytes: number | null;
  readonly merges: readonly Merge[];
  readonly evictions: readonly Eviction[];
  /** Pieces of map that lose their surface points and their past versions; where one can walk stays. */
  readonly thinned: readonly (RecordInput & { readonly kind: "region" })[];
  /** Estimated; what a disk gives back also depends on how the engine packs its pages. */
  readonly bytesFreed: number;
  /** What is over the budget after everything that may go is gone; 0 where the budget can be met. */
  readonly bytesOver: number;
  readonly kept: Readonly<Partial<Record<Protection, number>>>;
}

const FREED_MARGIN = 0.02;
const BUDGET_MARGIN = 0.03;
/** Share of the least useful that is looked at together; each is weighed again before it goes. */
const BATCH_SHARE = 0.02;

/**
 * Decides what to give up. First what is too old, then kinds over their own budget, then the whole: detections
 * before observations, whose evidence lives on in states and sightings, then the surface points of the map, then views
 * and captions by their worth, least first. The same memory and policy give the same plan.
 */
export async function planRetention(reader: MemoryReader, policy: RetentionPolicy): Promise<RetentionPlan> {
  checkPolicy(policy);
  const { bytes: bytesNow } = await reader.stats();
  const holdings = await readHoldings(reader);
  const holdLabels = policy.holdLabels ?? DEFAULT_HOLD_LABELS;
  const kept = await protectedBy(reader, holdings, holdLabels);
  const merges = policy.consolidate === false ? [] : consolidate(holdings.candidates, (id) => kept.has(id));
  const merged = new Set(merges.flatMap(({ forgotten }) => forgotten));
  const planner = new Planner(
    holdings.candidates.filter(({ record }) => !merged.has(record.id)),
    kept,
    new Utilities(
      holdings.candidates.filter(({ record }) => !merged.has(record.id)),
      policy.nowUs,
      policy.recencyUs ?? DEFAULT_RECENCY_US,
    ),
  );
  const freedByMerges = merges.reduce((sum, merge) => sum + merge.bytesFreed, 0);
  planner.dropOlderThan(policy.maxAgeUs ?? {}, policy.nowUs);
  for (const kind of EVICTABLE) {
    const most = policy.maxBytesOf?.[kind];
    if (most !== undefined)
      planner.dropUntil([kind], planner.bytesOf(kind) - most, `${kind}s over their bytes`);
  }
  const over =
    policy.maxBytes === undefined
      ? 0
      : withMargin(bytesNow - policy.maxBytes, policy.maxBytes) - freedByMerges;
  const isHeld = ({ labels }: RecordOf<"region">) => labels.some((label) => holdLabels.includes(label));
  const surfaces = holdings.surfaces.filter(({ record }) => !isHeld(record));
  planner.dropUntil(["detection", "observation"], over - planner.freed, "memory over its bytes");
  const thinned = surfacesUntil(surfaces, over - planner.freed);
  const freedByThinning = thinned.reduce((sum, { bytes }) => sum + bytes, 0);
  planner.dropUntil(EVICTABLE, over - planner.freed - freedByThinning, "memory over its bytes");
  const bytesFreed = planner.freed + freedByMerges + freedByThinning;
  return {
    bytesNow,
    maxBytes: policy.maxBytes ?? null,
    merges,
    evictions: planner.evictions,
    thinned: thinned.map(({ record }) => withoutSurface(record)),
    bytesFreed,
    bytesOver: Math.max(0, Math.round(bytesNow - bytesFreed - (policy.maxBytes ?? Infinity))),
    kept: planner.keptCounts(),
  };
}

/** Oldest first, as many as are needed. */
function surfacesUntil(surfaces: readonly Surface[], bytes: number): Surface[] {
  let left = bytes;
  return surfaces.filter((surface) => {
    if (left <= 0) return false;
    left -= surface.bytes;
    return true;
  });
}

function withoutSurface(record: RecordOf<"region">): RecordInput & { readonly kind: "region" } {
  const { surface: _surface, ...rest } = plain(record);
  return rest;
}

/** A little more than is asked: estimates are off by a few per cent, and a second round costs a second copy. */
function withMargin(over: number, maxBytes: number): number {
  return over <= 0 ? over : over * (1 + FREED_MARGIN) + maxBytes * BUDGET_MARGIN;
}

/** The plan in words, for people and logs. */
export function explainPlan(plan: RetentionPlan, most = 20): string {
  const { bytesNow, maxBytes, merges, evictions, thinned, bytesFreed, bytesOver, kept } = plan;
  const counts = EVICTABLE.map(
    (kind) => [kind, evictions.filter((one) => one.kind === kind).length] as const,
  );
  return [
    `${bytesNow} bytes${maxBytes === null ? "" : ` of at most ${maxBytes}`}; about ${Math.round(bytesFreed)} can be freed`,
    ...(bytesOver > 0 ? [`${bytesOver} bytes stay over the budget: the rest is protected`] : []),
    `captions merged: ${merges.reduce((sum, { forgotten }) => sum + forgotten.length, 0)} into ${merges.length}`,
    ...(thinned.length > 0 ? [`pieces of map without surface points: ${thinned.length}`] : []),
    ...counts.filter(([, n]) => n > 0).map(([kind, n]) => `${kind}s given up: ${n}`),
    ...Object.entries(kept).map(([why, n]) => `kept, ${why}: ${n}`),
    ...evictions.slice(0, most).map(({ id, kind, utility, why, bytes }) => {
      const worth = utility === undefined ? "" : `, worth ${utility.toFixed(2)}`;
      return `  ${kind} ${id}: ${why}${worth}, ${Math.round(bytes)} bytes`;
    }),
    ...(evictions.length > most ? [`  and ${evictions.length - most} more`] : []),
  ].join("\n");
}

class Planner {
  readonly evictions: Eviction[] = [];
  freed = 0;
  readonly #left: Map<string, Candidate>;
  readonly #kept: ReadonlyMap<string, Protection>;
  readonly #utilities: Utilities;
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
    return this.#of(kind).reduce((sum, { bytes }) => sum + bytes, 0);
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
    return this.#utilities.of(candidate) / Math.log2(2 + candidate.bytes / 1024);
  }

  #mayGo(candidate: Candidate): boolean {
    const { record, kind } = candidate;
    if (this.#kept.has(record.id)) return false;
    if (kind === "observation") return (this.#dependents.get(record.id) ?? 0) === 0;
    return kind !== "view" || this.#utilities.uniqueTracks(candidate) === 0;
  }

  #drop(candidate: Candidate, why: string, utility?: number): void {
    const { record, kind, bytes } = candidate;
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
