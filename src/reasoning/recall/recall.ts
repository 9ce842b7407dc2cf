import { distance, type Interval, polygonContains, type Vec3, yawOf } from "../../geometry/index.ts";
import type { Hit, MemoryReader, SearchRequest } from "../../memory/index.ts";
import type { TextEmbedder } from "../../models/index.ts";
import { LIMITS, type Presence, type RecordOf, type Stored } from "../../schema/core.ts";
import type { Description } from "../need.ts";
import { detailFit, headFit, isCalled, printedOn } from "./matching.ts";
import { namedRooms, type RoomView, titledRooms } from "./room-names.ts";
import { type StateRecord, type Thing, thingOf } from "./thing.ts";

export interface RecallOptions {
  readonly reader: MemoryReader;
  readonly embedder?: TextEmbedder | undefined;
  readonly background?: { readonly mean: number; readonly sd: number } | undefined;
  readonly sceneId?: string | undefined;
  readonly nowUs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What limits a search for things. */
export interface Scope {
  readonly roomId?: string | undefined;
  /** Only stays that overlap this. */
  readonly during?: Interval | undefined;
  /** 0 as asked; each step takes in less certain fits (A-R11). */
  readonly broadened?: number | undefined;
}

/** Where an agent was and which way it looked. */
export interface AgentPose {
  readonly agentId: string;
  readonly timeUs: number;
  readonly position: Vec3;
  readonly yawRad: number;
  readonly observationId: string;
}

const HITS = 80;
const SET_HITS = 2_000;
/** Fit of a thing whose kind has the name asked for, though it itself is called otherwise. */
const OF_THE_KIND = 0.86;
/** A stay that was over at once is what a merge left behind. */
const LEAST_STAY_US = 1_500_000;
/** Fits below this are other things. */
const LEAST_FIT = [0.6, 0.55, 0.5] as const;

/**
 * What the rules know of the memory: things by description, rooms, events, poses, presence. Every question is a
 * few targeted searches, so that it costs the same in a memory of a hundred thousand records as in one of a
 * hundred; what was read once for a question is not read again.
 */
export class Recall {
  readonly options: RecallOptions;
  readonly #vectors = new Map<string, Promise<Float32Array | null>>();
  readonly #presence = new Map<string, Presence>();
  readonly #tracks = new Map<string, string>();
  #rooms: Promise<RoomView[]> | undefined;
  /** How many searches were made, for the trace. */
  searches = 0;

  constructor(options: RecallOptions) {
    this.options = options;
  }

  get nowUs(): number {
    return this.options.nowUs;
  }

  async search(request: SearchRequest): Promise<Hit[]> {
    this.searches++;
    const { reader, sceneId, signal } = this.options;
    const where = { ...request.where, ...(sceneId !== undefined && { sceneId: [sceneId] }) };
    return (await reader.search({ ...request, where }, signal ? { signal } : {})).hits;
  }

  vectorOf(text: string): Promise<Float32Array | null> {
    let vector = this.#vectors.get(text);
    if (vector === undefined) {
      const { embedder, reader, signal } = this.options;
      vector = embedder
        ? reader.embedder("text").then(async (known) => {
            // A memory that holds no vectors yet can be searched by words only.
            if (known === null) return null;
            const [first] = await embedder.embed([text.slice(0, LIMITS.lineChars)], signal ? { signal } : {});
            return first ?? null;
          })
        : Promise.resolve(null);
      this.#vectors.set(text, vector);
    }
    return vector;
  }

  /** By meaning and words, fused. */
  async like(text: string, request: SearchRequest): Promise<Hit[]> {
    const vector = await this.vectorOf(text);
    const meaning = { words: text, ...(vector && { vector }) };
    return this.search({ ...request, meaning });
  }

  /** All things that fit a description, best first, each once by its latest stay in scope. */
  async things(description: Description, scope: Scope = {}): Promise<Thing[]> {
    const least = LEAST_FIT[Math.min(scope.broadened ?? 0, LEAST_FIT.length - 1)]!;
    const base: SearchRequest = {
      kinds: ["state"],
      time: { overlaps: scope.during ?? { fromUs: -LIMITS.timeUs, toUs: this.nowUs + 1 } },
    };
    const first = await this.like(description.phrase === "object" ? description.head : description.phrase, {
      ...base,
      limit: HITS,
    });
    const categories = new Set<string>();
    // What one of a kind is called, another of the kind may be called as well: names go by vote, and people differ.
    const kinds = new Set<string>();
    for (const { record } of first as StateHit[]) {
      if (headFit(description, record) >= least) categories.add(record.category);
      if (description.head !== "object" && isCalled(description, record)) kinds.add(record.category);
    }
    const more =
      categories.size === 0
        ? []
        : await this.search({
            ...base,
            where: { category: [...categories] },
            limit: SET_HITS,
            rank: "latest",
          });
    const hits = new Map<string, StateHit>();
    for (const hit of [...first, ...more] as StateHit[]) hits.set(hit.record.id, hit);
    const best = Math.max(0, ...Array.from(hits.values(), ({ record }) => headFit(description, record)));
    const scored = [...hits.values()].flatMap((hit) => {
      const alike = kinds.has(hit.record.category) ? OF_THE_KIND : 0;
      const head = Math.max(alike, headFit(description, hit.record));
      // Where something has the very name, what merely resembles it is not meant.
      if (head < least || (best >= 0.95 && head < OF_THE_KIND)) return [];
      return [{ hit, fit: head * detailFit(description, hit.record) }];
    });
    return this.#distinct(scored, scope);
  }

  /** Things that have these words on them, as their own words tell. */
  async written(text: string): Promise<Thing[]> {
    const hits = (await this.search({
      kinds: ["state"],
      meaning: { words: text },
      time: { overlaps: { fromUs: -LIMITS.timeUs, toUs: this.nowUs + 1 } },
      limit: HITS,
    })) as StateHit[];
    const wanted = text.toLowerCase();
    return this.#distinct(
      hits
        .filter(({ record }) => printedOn(record).some((line) => line.toLowerCase() === wanted))
        .map((hit) => ({ hit, fit: 1 })),
      {},
    );
  }

  /** Every thing in a box or around a point, whatever it is. */
  async around(space: NonNullable<SearchRequest["space"]>, during?: Interval): Promise<Thing[]> {
    const time = { overlaps: during ?? { fromUs: this.nowUs, toUs: this.nowUs + 1 } };
    const hits = (await this.search({
      kinds: ["state"],
      space,
      time,
      limit: 500,
      rank: space.type === "box" ? "latest" : "distance",
    })) as StateHit[];
    return this.#distinct(
      hits.map((hit) => ({ hit, fit: 1 })),
      {},
    );
  }

  /** Every thing in a room now, or in the whole scene. */
  async everything(scope: Scope = {}): Promise<Thing[]> {
    const time = { overlaps: scope.during ?? { fromUs: this.nowUs, toUs: this.nowUs + 1 } };
    const where = scope.roomId === undefined ? {} : { regionId: [scope.roomId] };
    const hits = (await this.search({
      kinds: ["state"],
      time,
      where,
      limit: SET_HITS,
      rank: "latest",
    })) as StateHit[];
    return this.#distinct(
      hits.map((hit) => ({ hit, fit: 1 })),
      scope,
    );
  }

  /** The stays of one thing, earliest first. */
  async stays(trackId: string): Promise<Thing[]> {
    const owners = [trackId, ...[...this.#tracks].filter(([, to]) => to === trackId).map(([from]) => from)];
    const hits = (await this.search({
      kinds: ["state"],
      where: { owner: [...new Set(owners)] },
      limit: 200,
      rank: "earliest",
    })) as StateHit[];
    const frames = await this.options.reader.frames();
    const real = hits.filter(
      ({ record }) => record.validToUs === null || record.validToUs - record.validFromUs > LEAST_STAY_US,
    );
    return (real.length > 0 ? real : hits).map((hit) => thingOf(hit, trackId, 1, frames));
  }

  async #distinct(scored: readonly { hit: StateHit; fit: number }[], scope: Scope): Promise<Thing[]> {
    await this.#followMerges(scored.map(({ hit }) => hit.record.trackId));
    const frames = await this.options.reader.frames();
    const byTrack = new Map<string, Thing>();
    for (const { hit, fit } of scored) {
      const thing = thingOf(hit, this.#tracks.get(hit.record.trackId) ?? hit.record.trackId, fit, frames);
      if (scope.roomId !== undefined && thing.roomId !== scope.roomId) continue;
      const known = byTrack.get(thing.trackId);
      if (known === undefined || isLater(thing, known))
        byTrack.set(thing.trackId, { ...thing, fit: Math.max(fit, known?.fit ?? 0) });
    }
    return [...byTrack.values()].sort((a, b) => b.fit - a.fit || (a.trackId < b.trackId ? -1 : 1));
  }

  /** Merged tracks stand for the one they were merged into. */
  async #followMerges(trackIds: readonly string[]): Promise<void> {
    let unknown = [...new Set(trackIds)].filter((id) => !this.#tracks.has(id));
    for (let hops = 0; unknown.length > 0 && hops < 8; hops++) {
      const records = await this.options.reader.get(unknown);
      const next: string[] = [];
      unknown.forEach((id, n) => {
        const record = records[n];
        const into = record?.kind === "track" ? record.mergedInto : undefined;
        this.#tracks.set(id, into ?? id);
        if (into !== undefined && !this.#tracks.has(into)) next.push(into);
      });
      unknown = next;
    }
    for (const id of trackIds) {
      let at = id;
      for (let hops = 0; hops < 8 && this.#tracks.get(at) !== at && this.#tracks.has(at); hops++)
        at = this.#tracks.get(at)!;
      this.#tracks.set(id, at);
    }
  }

  /** Rooms with the names that people would use for them: upstairs hallway, not hallway 2. */
  rooms(): Promise<RoomView[]> {
    this.#rooms ??= Promise.all(
      ["room", "floor"].map((type) =>
        this.search({ kinds: ["region"], where: { category: [type] }, limit: 500, rank: "id" }),
      ),
    ).then(([rooms, floors]) => titledRooms(rooms!, floors!));
    return this.#rooms;
  }

  /** The rooms that a description names: "kitchen", "the upstairs hallway". */
  async roomsNamed(description: Description): Promise<RoomView[]> {
    return namedRooms(await this.rooms(), description);
  }

  async roomOf(thing: Thing): Promise<RoomView | undefined> {
    const rooms = await this.rooms();
    return rooms.find(({ id }) => id === thing.roomId) ?? (thing.position && this.roomAt(thing.position));
  }

  async roomAt(position: Vec3): Promise<RoomView | undefined> {
    const rooms = await this.rooms();
    return rooms.find(({ record }) => {
      if (!record.hull || record.hull.length < 3) return false;
      const floorZ = Math.min(...record.hull.map(({ z }) => z));
      return polygonContains({ points: record.hull, minZ: floorZ - 0.5, maxZ: floorZ + 3 }, position);
    });
  }

  async presence(stateIds: readonly string[]): Promise<ReadonlyMap<string, Presence>> {
    const unknown = stateIds.filter((id) => !this.#presence.has(id));
    if (unknown.length > 0) {
      for (const presence of await this.options.reader.presence(unknown))
        this.#presence.set(presence.stateId, presence);
    }
    return this.#presence;
  }

  /** When a thing was last seen before now; its record's start where nothing is known. */
  async lastSeenUs({ state }: Thing): Promise<number> {
    const presence = (await this.presence([state.id])).get(state.id);
    return Math.min(this.nowUs, presence?.lastSeenUs ?? state.validFromUs);
  }

  /** The agent's pose at a time: that of its nearest look, within ten seconds. */
  async poseAt(timeUs: number, agentId?: string): Promise<AgentPose | undefined> {
    const where = agentId === undefined ? {} : { author: [agentId] };
    const [before, after] = await Promise.all([
      this.search({
        kinds: ["observation"],
        where,
        time: { overlaps: { fromUs: timeUs - 10_000_000, toUs: timeUs + 1 } },
        rank: "latest",
        limit: 1,
      }),
      this.search({
        kinds: ["observation"],
        where,
        time: { overlaps: { fromUs: timeUs, toUs: timeUs + 10_000_000 } },
        rank: "earliest",
        limit: 1,
      }),
    ]);
    const found = [...before, ...after]
      .flatMap(({ record, position }) => (position ? [{ record, position }] : []))
      .sort((a, b) => Math.abs(a.record.validFromUs - timeUs) - Math.abs(b.record.validFromUs - timeUs))[0];
    if (!found) return undefined;
    const q = found.record.anchor?.q;
    return {
      agentId: found.record.author,
      timeUs: found.record.validFromUs,
      position: found.position,
      yawRad: q ? await this.#headingOf(found.record.anchor!.submap, q) : 0,
      observationId: found.record.id,
    };
  }

  /** Yaw of an optical frame's axis in the world. */
  async #headingOf(submap: string, q: NonNullable<NonNullable<StateRecord["anchor"]>["q"]>): Promise<number> {
    const frames = await this.options.reader.frames();
    const submapYaw =
      submap === "world" ? 0 : yawOf(frames.resolve("world", submap)?.q ?? { w: 1, x: 0, y: 0, z: 0 });
    // The optical axis is +z of the camera.
    const x = 2 * (q.x * q.z + q.w * q.y);
    const y = 2 * (q.y * q.z - q.w * q.x);
    return Math.atan2(y, x) + submapYaw;
  }

  async events(
    types: readonly string[],
    during: Interval,
    agentId?: string,
  ): Promise<Stored<RecordOf<"event">>[]> {
    const hits = await this.search({
      kinds: ["event"],
      where: { category: [...types], ...(agentId !== undefined && { author: [agentId] }) },
      time: { overlaps: during },
      rank: "earliest",
      limit: 5_000,
    });
    return hits.map(({ record }) => record as Stored<RecordOf<"event">>);
  }

  /** Things as they are called in a list, nearest first. */
  static byDistance(things: readonly Thing[], from: Vec3): Thing[] {
    return things
      .filter(({ position }) => position !== undefined)
      .toSorted((a, b) => distance(a.position!, from) - distance(b.position!, from));
  }
}

type StateHit = Hit & { readonly record: StateRecord };

function isLater(a: Thing, b: Thing): boolean {
  const end = ({ state }: Thing) => state.validToUs ?? Infinity;
  return end(a) !== end(b) ? end(a) > end(b) : a.state.validFromUs > b.state.validFromUs;
}
