import type { Vec3 } from "../geometry/index.ts";
import type { Hit } from "../memory/index.ts";
import { LIMITS, type Sighting, type Stored } from "../schema/core.ts";
import { keptFollowing, type Written } from "./kept.ts";
import type { MemorySearch } from "./memory-search.ts";
import { followMerges } from "./merges.ts";
import { isFixed, isMover } from "./mobility.ts";
import { inWorld } from "./poses.ts";
import { MISSED } from "./settings/presence.ts";
import { isStay, type StateRecord } from "./thing.ts";

/** What was seen of one thing that is still there by its records, by any robot. */
export interface Pictured {
  readonly trackId: string;
  readonly stay: StateRecord;
  readonly position: Vec3;
  /** Its pictures since the stay began: when, by their ids. */
  readonly pictures: ReadonlyMap<string, number>;
}

/** One state of any thing, and the pictures of it: when, by their ids. */
interface Seen {
  readonly record: StateRecord;
  readonly position: Vec3 | undefined;
  readonly pictures: Map<string, number>;
}

/** The pictures of all things of a memory, brought up to date with each commit. */
export class Pictures {
  readonly #states = new Map<string, Seen>();
  readonly #into = new Map<string, string>();
  readonly #untilUs: number;
  readonly #placeOf: (record: StateRecord) => Vec3 | undefined;
  #sightings = 0;
  #live: readonly Pictured[] | undefined;
  /** The latest picture (µs). */
  lastUs = -Infinity;

  constructor(untilUs: number, placeOf: (record: StateRecord) => Vec3 | undefined) {
    this.#untilUs = untilUs;
    this.#placeOf = placeOf;
  }

  async read(states: readonly StateRecord[], looks: readonly Sighting[], reader: Reader): Promise<this> {
    for (const record of states) this.#put(record);
    for (const look of looks) this.#look(look);
    await followMerges(
      reader,
      this.#into,
      states.map(({ trackId }) => trackId),
    );
    return this;
  }

  /** Takes a commit in; false where all must be read again. */
  follow({ put, sightings }: Written, isInScene: (record: Stored) => boolean): boolean {
    for (const record of put)
      if (record.kind === "track") this.#into.set(record.id, record.mergedInto ?? record.id);
    for (const record of put) {
      if (record.kind !== "state" || !isInScene(record) || record.validFromUs > this.#untilUs) continue;
      // Where a track that is not known went to cannot be told from this commit.
      if (!this.#into.has(record.trackId)) return false;
      this.#put(record);
    }
    for (const look of sightings) this.#look(look);
    this.#live = undefined;
    return this.#states.size < MISSED.mostStates && this.#sightings < 2 * MISSED.mostSightings;
  }

  #put(record: StateRecord): void {
    const pictures = this.#states.get(record.id)?.pictures ?? new Map<string, number>();
    this.#states.set(record.id, { record, position: this.#placeOf(record), pictures });
  }

  #look({ stateId, observationId, timeUs, outcome }: Sighting): void {
    const seen = this.#states.get(stateId);
    if (outcome !== "seen" || !seen || observationId === undefined || timeUs > this.#untilUs) return;
    if (!seen.pictures.has(observationId)) this.#sightings++;
    seen.pictures.set(observationId, timeUs);
    this.lastUs = Math.max(this.lastUs, timeUs);
  }

  /** The things that are still there by their records, except those that stay in place or move by themselves. */
  live(): readonly Pictured[] {
    this.#live ??= this.#readLive();
    return this.#live;
  }

  #readLive(): Pictured[] {
    const byTrack = Map.groupBy(this.#states.values(), ({ record }) => this.#survivorOf(record.trackId));
    return [...byTrack].flatMap(([trackId, states]) => {
      const live = states.filter(({ record, position }) => {
        const { category, validToUs } = record;
        return validToUs === null && isStay(record) && position && !isFixed(category) && !isMover(category);
      });
      const [first] = live.sort((a, b) => a.record.validFromUs - b.record.validFromUs);
      if (!first) return [];
      const { record: stay, position } = first;
      const pictures = new Map<string, number>();
      // Pictures before this stay show it at another place.
      for (const seen of states)
        for (const [id, timeUs] of seen.pictures) if (timeUs >= stay.validFromUs) pictures.set(id, timeUs);
      return [{ trackId, stay, position: position!, pictures }];
    });
  }

  #survivorOf(trackId: string): string {
    let at = trackId;
    for (let hops = 0; hops < MISSED.mostMerges; hops++) {
      const next = this.#into.get(at) ?? at;
      if (next === at) break;
      at = next;
    }
    return at;
  }
}

type Reader = MemorySearch["options"]["reader"];

/** The pictures up to now; undefined where a memory is too large for them. */
export async function picturesIn(memory: MemorySearch): Promise<Pictures | undefined> {
  const all = await keptPictures(memory, undefined);
  // A question about the past is answered from what was seen until then.
  return all === undefined || all.lastUs <= memory.nowUs ? all : keptPictures(memory, memory.nowUs);
}

function keptPictures(memory: MemorySearch, untilUs: number | undefined): Promise<Pictures | undefined> {
  const { reader, sceneId } = memory.options;
  const isInScene = (record: Stored) => sceneId === undefined || record.sceneId === sceneId;
  return keptFollowing(
    reader,
    `pictures ${sceneId ?? ""} ${untilUs ?? "all"}`,
    () => readPictures(memory, untilUs ?? LIMITS.timeUs - 1),
    (made, written) => made === undefined || made.follow(written, isInScene),
  );
}

async function readPictures(memory: MemorySearch, untilUs: number): Promise<Pictures | undefined> {
  const { reader } = memory.options;
  const during = { fromUs: -LIMITS.timeUs, toUs: untilUs + 1 };
  const hits = (await memory.recorded({
    kinds: ["state"],
    time: { overlaps: during },
    limit: MISSED.mostStates,
    rank: "latest",
  })) as readonly (Hit & { readonly record: StateRecord })[];
  if (hits.length >= MISSED.mostStates) return undefined;
  const frames = await reader.frames();
  const looks = await reader.sightings({
    during,
    outcomes: ["seen"],
    order: "latest",
    limit: MISSED.mostSightings,
  });
  const placeOf = ({ anchor }: StateRecord) => anchor && inWorld(frames, anchor);
  return new Pictures(untilUs, placeOf).read(
    hits.map(({ record }) => record),
    looks,
    reader,
  );
}
