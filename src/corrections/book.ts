import { polygonContains, type Vec3 } from "../geometry/index.ts";
import type { MemoryReader, WriteBatch } from "../memory/index.ts";
import {
  isSayable,
  LIMITS,
  LociError,
  type RecordInput,
  type RecordOf,
  type Sayable,
  type Stored,
  WORLD_FRAME,
} from "../schema/core.ts";
import { type Said, saidOf } from "./say.ts";

/** Most corrections in force in one memory: the book is kept in memory and consulted at every write. */
export const MAX_CORRECTIONS = 10_000;
const MAX_HOPS = 8;
/** Tolerance in height for a redrawn floor to be the same one. */
const SAME_FLOOR_M = 1.5;
/** The room of a point is searched among this many with the nearest centres. */
const NEAR_ROOMS = 24;
/** Matches only records that have not ended. */
const END_OF_TIME = { fromUs: LIMITS.timeUs - 2, toUs: LIMITS.timeUs - 1 };

export type CorrectionEvent = Stored<RecordOf<"event">>;

/** One correction in force. */
export interface Saying {
  readonly id: string;
  readonly target: string;
  readonly what: "kind" | "name";
  readonly says: string;
  /** Only records that carry all of these are renamed: others may be read by more principals. */
  readonly labels: readonly string[];
  /** For a room: a point within it, by which it is recognised when its outline is redrawn. */
  readonly within?: Vec3 | undefined;
  /** The map that the point is in. */
  readonly frame: string;
}

/** The correction in an event; undefined for other events. */
export function sayingOf({ id, type, who, detail, labels }: RecordOf<"event">): Saying | undefined {
  const {
    what,
    says,
    within,
    frame = WORLD_FRAME,
  } = detail as { what?: unknown; says?: unknown; within?: Vec3; frame?: string };
  const target = who[0];
  if (type !== "correction" || target === undefined || typeof says !== "string") return undefined;
  if (what !== "kind" && what !== "name") return undefined;
  return { id, target, what, says, labels, within, frame };
}

/**
 * The corrections in force, by target. Every write of the memory passes through it, so that rewriting a thing or a
 * room does not revert a person's correction. It is read after the writer lock was taken: from then on no other
 * process writes.
 */
export class CorrectionBook {
  readonly #reader: () => Promise<MemoryReader>;
  /** In the order they were made. */
  readonly #sayings = new Map<string, Saying>();
  readonly #byTarget = new Map<string, Saying[]>();
  /** Tracks that a corrected one was merged into. */
  readonly #mergedFrom = new Map<string, string>();
  #loaded: Promise<void> | undefined;

  /** The reader sees everything. */
  constructor(reader: () => Promise<MemoryReader>) {
    this.#reader = reader;
  }

  /** A batch with corrections applied. */
  async honour(batch: WriteBatch): Promise<WriteBatch> {
    if (!batch.records?.some(isSayable)) return batch;
    await this.load();
    if (this.#sayings.size === 0) return batch;
    for (const one of batch.records) if (one.kind === "event") this.#amend(one as RecordOf<"event">);
    // Corrections within a batch, such as from another memory, apply from the next batch on.
    if (batch.records.some((one) => one.kind === "event" && one.type === "correction" && !this.has(one.id)))
      this.reload();
    const records = [...batch.records];
    for (const track of records)
      if (track.kind === "track") records.push(...(await this.#merged(track, records)));
    return {
      ...batch,
      records: records.map((record) => (isSayable(record) ? this.honoured(record) : record)),
    };
  }

  /** One record with corrections applied; the record itself if there are none. */
  honoured<R extends Sayable<RecordInput>>(record: R): R {
    const sayings = this.#sayingsOf(record);
    return sayings.length === 0 ? record : saidOf(record, inForce(sayings));
  }

  /** The same for a record that is rewritten unchanged: corrections no longer in force are removed from it. */
  rewritten<R extends Sayable<RecordInput>>(record: R): R {
    return saidOf(record, inForce(this.#sayingsOf(record)));
  }

  add(saying: Saying): void {
    if (this.#sayings.size >= MAX_CORRECTIONS)
      throw new LociError("limit-exceeded", `at most ${MAX_CORRECTIONS} corrections are in force; undo some`);
    this.#sayings.set(saying.id, saying);
    this.#byTarget.set(saying.target, [...(this.#byTarget.get(saying.target) ?? []), saying]);
  }

  /** Updates a correction whose place changed, as when maps are joined. */
  #amend(event: RecordOf<"event">): void {
    if (!this.has(event.id) || event.validToUs !== null) return;
    const saying = sayingOf({ ...event, labels: event.labels ?? [] });
    if (!saying) return;
    this.#sayings.set(saying.id, saying);
    const own = this.#byTarget.get(saying.target) ?? [];
    this.#byTarget.set(
      saying.target,
      own.map((one) => (one.id === saying.id ? saying : one)),
    );
  }

  remove(id: string): void {
    const saying = this.#sayings.get(id);
    if (!saying) return;
    this.#sayings.delete(id);
    const rest = this.#byTarget.get(saying.target)!.filter((other) => other.id !== id);
    if (rest.length > 0) this.#byTarget.set(saying.target, rest);
    else this.#byTarget.delete(saying.target);
  }

  has(id: string): boolean {
    return this.#sayings.has(id);
  }

  /** The current targets of a correction: the track and those merged into it; the room and its replacement. */
  async standingFor({ target, within, frame }: Saying): Promise<string[]> {
    const merged = [...this.#mergedFrom].filter(([, from]) => from === target).map(([into]) => into);
    if (!within) return [target, ...merged];
    const { hits } = await (await this.#reader()).search({
      kinds: ["region"],
      where: { category: ["room"] },
      space: { type: "nearest", point: within, metric: "centre" },
      time: { overlaps: END_OF_TIME },
      limit: NEAR_ROOMS,
    });
    const rooms = hits.filter(
      ({ record }) => record.kind === "region" && isIn(record, frame) && isWithin(record, within),
    );
    return [...new Set([target, ...rooms.map(({ record }) => record.id)])];
  }

  load(): Promise<void> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  /** Reads everything again, after forgetting or importing. */
  reload(): void {
    this.#loaded = undefined;
  }

  async #load(): Promise<void> {
    const reader = await this.#reader();
    this.#sayings.clear();
    this.#byTarget.clear();
    this.#mergedFrom.clear();
    const { hits } = await reader.search({
      kinds: ["event"],
      where: { category: ["correction"] },
      time: { overlaps: END_OF_TIME },
      rank: "id",
      limit: LIMITS.hitsPerSearch,
    });
    // Ids are ULIDs: their order is the order of the corrections.
    for (const { record } of hits) {
      const saying = sayingOf(record as CorrectionEvent);
      if (saying) this.add(saying);
    }
    for (const target of this.#byTarget.keys()) {
      let [at] = await reader.get([target]);
      for (let hop = 0; at?.kind === "track" && at.mergedInto !== undefined && hop < MAX_HOPS; hop++) {
        this.#mergedFrom.set(at.mergedInto, target);
        [at] = await reader.get([at.mergedInto]);
      }
    }
  }

  #sayingsOf(record: Sayable<RecordInput>): readonly Saying[] {
    return this.#about(record).filter(({ labels }) => labels.every((one) => record.labels?.includes(one)));
  }

  #about(record: Sayable<RecordInput>): readonly Saying[] {
    if (record.kind === "region") return this.#ofRegion(record);
    const id = record.kind === "track" ? record.id : record.trackId;
    return this.#byTarget.get(id) ?? this.#byTarget.get(this.#mergedFrom.get(id) ?? "") ?? [];
  }

  /** A room is matched by its id or, if it was redrawn, by a point within it. */
  #ofRegion(region: RecordInput & { readonly kind: "region" }): readonly Saying[] {
    const own = this.#byTarget.get(region.id);
    if (own || region.type !== "room") return own ?? [];
    return [...this.#sayings.values()].filter(
      ({ within, frame }) => within && isIn(region, frame) && isWithin(region, within),
    );
  }

  /** A corrected thing was merged with another: the correction applies to both, with all their states. */
  async #merged(
    track: RecordInput & { readonly kind: "track" },
    batch: readonly RecordInput[],
  ): Promise<RecordInput[]> {
    const from = this.#byTarget.has(track.id) ? track.id : this.#mergedFrom.get(track.id);
    const into = track.mergedInto;
    if (from === undefined) return [];
    if (into === undefined) {
      for (const [other, source] of this.#mergedFrom) if (source === track.id) this.#mergedFrom.delete(other);
      return [];
    }
    if (this.#byTarget.has(into) || this.#mergedFrom.get(into) === from) return [];
    this.#mergedFrom.set(into, from);
    const written = new Set(batch.map(({ id }) => id));
    return (await recordsOf(await this.#reader(), [into])).filter(({ id }) => !written.has(id));
  }
}

/** All records with the name of these targets, as they are: the track and its states, or the room. */
export async function recordsOf(
  reader: MemoryReader,
  targets: readonly string[],
): Promise<(Sayable<RecordInput> & { readonly expectVersion: number })[]> {
  const own = (await reader.get(targets)).filter((record) => record !== undefined && isSayable(record));
  const tracks = own.filter(({ kind }) => kind === "track").map(({ id }) => id);
  const stays =
    tracks.length === 0
      ? []
      : (
          await reader.search({
            kinds: ["state"],
            where: { owner: tracks },
            rank: "id",
            limit: LIMITS.hitsPerSearch,
          })
        ).hits;
  return [...own, ...stays.map(({ record }) => record as Stored<RecordOf<"state">>)].map(
    ({ version, recordedAtUs: _, supersededAtUs: __, ...record }) => ({ ...record, expectVersion: version }),
  ) as (Sayable<RecordInput> & { readonly expectVersion: number })[];
}

function isIn({ anchor }: Pick<RecordInput, "anchor">, frame: string): boolean {
  return (anchor?.submap ?? WORLD_FRAME) === frame;
}

function isWithin({ hull }: { readonly hull?: readonly Vec3[] | undefined }, point: Vec3): boolean {
  if (!hull || hull.length < 3) return false;
  const floor = Math.min(...hull.map(({ z }) => z));
  return Math.abs(point.z - floor) < SAME_FLOOR_M && polygonContains({ points: hull }, point);
}

function inForce(sayings: readonly Saying[]): Said {
  return {
    kind: sayings.findLast(({ what }) => what === "kind")?.says,
    name: sayings.findLast(({ what }) => what === "name")?.says,
  };
}
