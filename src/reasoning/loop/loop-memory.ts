import { Belief } from "../../belief/belief.ts";
import { missedAtUs } from "../../belief/presence.ts";
import type { RoomView } from "../../belief/room-names.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { apart } from "../../belief/twins.ts";
import { type Interval, intervalsOverlap, type Transform } from "../../geometry/index.ts";
import type { SceneMap } from "../../map/index.ts";
import type { Hit, MemoryReader, SearchRequest } from "../../memory/index.ts";
import type { TextEmbedder } from "../../models/index.ts";
import type { Evidence } from "../../retrieval/index.ts";
import {
  type Effort,
  LIMITS,
  type Presence,
  type RecordOf,
  type Stored,
  throwIfAborted,
} from "../../schema/core.ts";
import { type EvidenceContext, ShortIds, shortOf } from "../evidence/index.ts";

export interface LoopMemoryOptions {
  readonly reader: MemoryReader;
  readonly embedder?: TextEmbedder | undefined;
  readonly background?: { readonly mean: number; readonly sd: number } | undefined;
  readonly nowUs: number;
  readonly sceneId?: string | undefined;
  readonly pose?: Transform | undefined;
  /** The question: of a long text, the parts about it come first. */
  readonly question?: string | undefined;
  readonly map?: (() => Promise<SceneMap | undefined>) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What the question may cost: tools spend of it as any expression does. */
  readonly effort?: Effort | undefined;
}

/** How far above the background a meaning must stand, by how wide one looks (docs/formulas.md#rounds). */
const LEAST_Z = [2, 1, 0] as const;

type Region = Stored<RecordOf<"region">>;

/** Which things the tools ask for. */
export interface ThingsWanted {
  readonly during: Interval;
  /** Of these categories. */
  readonly categories?: readonly string[] | undefined;
  /** In these rooms. */
  readonly rooms?: readonly string[] | undefined;
}

/**
 * The memory for the loop's tools: read-only, nothing after the time of the question, with a book of every record shown
 * to the model. A record outside the book was never shown, so the model cannot cite it. Records are found by search;
 * the belief decides which things they are, where these are and whether they are gone.
 */
export class LoopMemory {
  readonly options: LoopMemoryOptions;
  readonly #book = new Map<string, Evidence>();
  /** Records named in lines and pictures beside their own: they may be cited, and were not found themselves. */
  readonly #named = new Map<string, Evidence>();
  readonly #vectors = new Map<string, Promise<Float32Array | null>>();
  #regions: Promise<Map<string, Region>> | undefined;
  /** Rooms and regions as they may be cited by the short ids under which lines told of them. */
  readonly #regionItems = new Map<string, Evidence>();
  readonly belief: Belief;
  /** The context for making cards and pictures. */
  readonly evidence: EvidenceContext;
  /** How wide one looks now: 0 as asked. */
  level = 0;
  searches = 0;

  constructor(options: LoopMemoryOptions) {
    this.options = options;
    this.belief = new Belief(options);
    const { pose, signal } = options;
    this.evidence = { memory: this.belief, ids: new ShortIds(), pose, signal };
  }

  get nowUs(): number {
    return this.options.nowUs;
  }

  /** Everything shown so far, in the order in which it came. */
  shown(): Evidence[] {
    return [...this.#book.values()];
  }

  /** The record shown under an id, short or whole; of a thing with several stays the last one shown. */
  known(id: string): Evidence | undefined {
    const direct = this.#book.get(id);
    if (direct) return direct;
    const { ids } = this.evidence;
    const full = ids.full(id);
    if (full === undefined) return undefined;
    const short = ids.known(full);
    const isMeant = (item: Evidence) => ids.known(item.id) === short;
    return (
      this.#book.get(full) ??
      this.shown().findLast(isMeant) ??
      [...this.#named.values()].find(isMeant) ??
      this.#regionItems.get(full)
    );
  }

  /** Notes things that were named to the model by the ids of their tracks. */
  async name(trackIds: readonly string[]): Promise<void> {
    for (const trackId of new Set(trackIds)) {
      if (this.#named.has(trackId)) continue;
      const thing = await this.belief.thingById(trackId);
      const [item] = thing ? await this.evidenceOf([hitOf(thing)]) : [];
      if (!thing || !item) continue;
      this.shortOf(thing);
      this.#named.set(trackId, item);
    }
  }

  /** The short id of a thing, which its stay then has too. */
  shortOf(thing: KnownThing): string {
    return shortOf(thing, this.evidence);
  }

  /** Stays by their ids as things, whose records a model knows by their short ids from here on. */
  async stays(stateIds: readonly string[]): Promise<ReadonlyMap<string, KnownThing>> {
    const now = await Promise.all(stateIds.map((id) => this.belief.thingOfState(id, 1)));
    const then = await this.belief.staysById(stateIds);
    return new Map(
      stateIds.flatMap((id, n) => {
        const [thing, stay] = [now[n], then.get(id)];
        if (!stay) return thing ? [[id, thing]] : [];
        // The stay as it was, of the thing that it is of by now.
        const own = thing?.state.id === id ? thing : { ...stay, trackId: thing?.trackId ?? stay.trackId };
        return [[id, own]];
      }),
    );
  }

  /** A thing, a room or another record by the id that the model gives: short, whole, of a track or of one of its stays. */
  async thingBy(said: string): Promise<KnownThing | undefined> {
    return this.belief.thingById(this.evidence.ids.full(said) ?? said);
  }

  /** Notes the records about to be shown; returns how many of them are new. */
  show(items: readonly Evidence[]): number {
    const before = this.#book.size;
    for (const item of items) if (!this.#book.has(item.id)) this.#book.set(item.id, item);
    return this.#book.size - before;
  }

  /** Searches by meaning and words where there is a text, and drops hits no nearer than unrelated records. */
  async search(request: SearchRequest, text?: string): Promise<Evidence[]> {
    const { reader, sceneId, signal } = this.options;
    throwIfAborted(signal);
    this.searches++;
    const overlaps = request.time?.overlaps ?? { fromUs: -LIMITS.timeUs, toUs: null };
    const toUs = Math.min(overlaps.toUs ?? this.nowUs + 1, this.nowUs + 1);
    if (toUs <= overlaps.fromUs) return [];
    const vector = text === undefined ? null : await this.#vectorOf(text);
    const { hits } = await reader.search(
      {
        ...request,
        time: { ...request.time, overlaps: { fromUs: overlaps.fromUs, toUs } },
        where: { ...request.where, ...(sceneId !== undefined && { sceneId: [sceneId] }) },
        ...(text !== undefined && { meaning: { words: text, ...(vector && { vector }) } }),
      },
      signal ? { signal } : {},
    );
    return this.evidenceOf(text === undefined ? hits : hits.filter((hit) => this.#standsOut(hit)));
  }

  /** Records by id, as far as they are visible and not from the future. */
  async get(ids: readonly string[]): Promise<Evidence[]> {
    if (ids.length === 0) return [];
    const whole: string[] = [];
    for (const id of ids) {
      const full = this.evidence.ids.full(id) ?? id;
      // The short id of a thing is that of its track; its record is its stay.
      const thing = full === id ? undefined : await this.belief.thingById(full);
      whole.push(thing?.state.id ?? full);
    }
    const { hits } = await this.options.reader.search({
      where: { ids: [...new Set(whole)] },
      limit: whole.length,
      time: { overlaps: { fromUs: -LIMITS.timeUs, toUs: this.nowUs + 1 } },
    });
    return this.evidenceOf(hits);
  }

  /** Rooms under the names that answers call them by, and the regions that they make up. */
  async regions(): Promise<ReadonlyMap<string, Region>> {
    this.#regions ??= this.#readRegions();
    return this.#regions;
  }

  async #readRegions(): Promise<Map<string, Region>> {
    const rooms = new Map((await this.belief.rooms()).map((room) => [room.id, room]));
    const { hits } = await this.options.reader.search({ kinds: ["region"], limit: 1_000, rank: "id" });
    const others = hits
      .map(({ record }) => record as Region)
      .filter(({ type }) => type !== "map" && type !== "room");
    const regions = [...others, ...Array.from(rooms.values(), namedRegion)];
    for (const record of regions)
      this.#regionItems.set(record.id, {
        id: record.id,
        kind: "region",
        record,
        score: 0,
        scores: {},
        why: [],
      });
    return new Map(regions.sort((a, b) => (a.id < b.id ? -1 : 1)).map((region) => [region.id, region]));
  }

  /** The regions of a name, a room first; at a wider look those beside them too. */
  async regionsNamed(name: string): Promise<Region[]> {
    const all = await this.regions();
    const regions = [...all.values()];
    const asked = name.toLowerCase().trim();
    const full = this.evidence.ids.full(name) ?? name;
    const exact = regions.filter((region) => region.id === full || region.name.toLowerCase() === asked);
    const called = await this.belief.roomsNamed({ head: asked, mods: [], attributes: {}, phrase: asked });
    const rooms = called.flatMap(({ id }) => all.get(id) ?? []);
    const found =
      exact.length > 0
        ? exact
        : rooms.length > 0
          ? rooms
          : regions.filter(
              (region) =>
                region.name.toLowerCase().includes(asked) || asked.includes(region.name.toLowerCase()),
            );
    if (this.level < 2) return found;
    const parents = new Set(found.flatMap(({ parent }) => (parent === undefined ? [] : [parent])));
    const above = regions.filter(
      ({ id, children }) => parents.has(id) || found.some((one) => children.includes(one.id)),
    );
    const siblings = new Set(above.flatMap(({ children }) => children));
    return [...new Set([...found, ...regions.filter(({ id }) => siblings.has(id))])];
  }

  /** The things behind stays that were found, each once, as it was last in the interval; in these rooms, where some are named. */
  async eachOnce(
    items: readonly Evidence[],
    during: Interval,
    rooms?: readonly string[],
  ): Promise<Evidence[]> {
    const best = new Map<string, { readonly thing: KnownThing; readonly item: Evidence }>();
    for (const item of items) {
      const own = await this.belief.thingOfState(item.id, 1);
      if (own === undefined || best.has(own.trackId)) continue;
      const stays = await this.belief.stays(own.trackId);
      const thing =
        stays.findLast(({ state }) =>
          intervalsOverlap({ fromUs: state.validFromUs, toUs: state.validToUs }, during),
        ) ?? own;
      if (rooms && !rooms.includes((await this.belief.roomOf(thing))?.id ?? "")) continue;
      best.set(own.trackId, { thing, item });
    }
    return this.evidenceOf(
      Array.from(best.values(), ({ thing, item }) => ({ ...hitOf(thing), scores: item.scores })),
    );
  }

  /** The stays of a thing, earliest first. */
  async staysOf({ trackId }: KnownThing, most: number): Promise<Evidence[]> {
    return this.evidenceOf((await this.belief.stays(trackId)).slice(0, most).map(hitOf));
  }

  /** All things that were there in an interval, each once. */
  async things({ during, categories, rooms }: ThingsWanted): Promise<Evidence[]> {
    const named = categories?.map((head) =>
      this.belief.things({ head, mods: [], attributes: {}, phrase: head }, { all: true, during }),
    );
    const found = named
      ? (await Promise.all(named)).flat()
      : await this.belief.everything({ all: true, during });
    const wanted = categories ? found.filter(({ category }) => categories.includes(category)) : found;
    const here: KnownThing[] = [];
    for (const thing of new Map(wanted.map((one) => [one.trackId, one])).values())
      if (!rooms || rooms.includes((await this.belief.roomOf(thing))?.id ?? "")) here.push(thing);
    return this.evidenceOf((await apart(here, this.belief)).map(hitOf));
  }

  async evidenceOf(hits: readonly Hit[]): Promise<Evidence[]> {
    const states = hits.filter(({ record }) => record.kind === "state").map(({ record }) => record.id);
    const presence = await this.belief.presence(states);
    const regions = await this.regions();
    return Promise.all(
      hits.map(async ({ record, scores, position, box }, rank) => {
        const regionId = "regionId" in record ? record.regionId : undefined;
        const room =
          record.kind === "state"
            ? await this.belief.roomOf({ roomId: regionId, position, category: record.category })
            : regionId === undefined
              ? undefined
              : (regions.get(regionId) ?? { name: regionId });
        const seen = presence.get(record.id);
        return {
          id: record.id,
          kind: record.kind,
          record,
          // Metres and microseconds rank the other way round than likeness: only the place in the order is comparable.
          score: 1 / (1 + rank),
          scores,
          ...(position && { position }),
          ...(box && { box }),
          ...(seen && record.kind === "state" && { presence: this.#untilNow(record, seen) }),
          ...((room !== undefined || record.kind === "state") && { chain: room ? [room.name] : [] }),
          why: [],
        };
      }),
    );
  }

  /** Sightings after the time of the question are not known yet. */
  #untilNow(state: RecordOf<"state">, presence: Presence): Presence {
    const known = (timeUs: number | null) => (timeUs !== null && timeUs <= this.nowUs ? timeUs : null);
    return {
      ...presence,
      firstSeenUs: known(presence.firstSeenUs),
      lastSeenUs: presence.lastSeenUs === null ? null : Math.min(presence.lastSeenUs, this.nowUs),
      firstAbsentAfterUs: known(missedAtUs(state, presence) ?? null),
    };
  }

  #standsOut({ scores }: Hit): boolean {
    if ((scores.words ?? 0) > 0) return true;
    const background = this.options.background ?? this.options.embedder?.background;
    if (background === undefined || scores.meaning === undefined) return true;
    const z = LEAST_Z[Math.min(this.level, LEAST_Z.length - 1)]!;
    return scores.meaning >= background.mean + z * background.sd;
  }

  #vectorOf(text: string): Promise<Float32Array | null> {
    let vector = this.#vectors.get(text);
    if (vector === undefined) {
      const { embedder, signal } = this.options;
      vector = embedder
        ? embedder
            .embed([text.slice(0, LIMITS.lineChars)], signal ? { signal } : {})
            .then(([first]) => first ?? null)
        : Promise.resolve(null);
      this.#vectors.set(text, vector);
    }
    return vector;
  }
}

function namedRegion({ id, name, record }: RoomView): Region {
  return { ...record, id, name };
}

function hitOf({ state, position, box }: KnownThing): Hit {
  return { record: state, score: 0, scores: {}, ...(position && { position }), ...(box && { box }) };
}
