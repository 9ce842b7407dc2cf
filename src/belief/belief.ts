import type { Interval, Vec3 } from "../geometry/index.ts";
import { eachHit, type SearchRequest } from "../memory/index.ts";
import { LIMITS, type Presence, type RecordOf, type Stored } from "../schema/core.ts";
import { agentsOf, holdsThings } from "./agents.ts";
import { Attention } from "./attention.ts";
import { bearersOf, withoutPieces } from "./called.ts";
import { candidatesFor, type Scope, SET_HITS, type StateHit, spaceOf } from "./candidates.ts";
import type { Description } from "./description.ts";
import { fitting } from "./fitting.ts";
import { type Holder, heldBy, holdersOf } from "./held-by.ts";
import { detailFit, printedOn } from "./matching.ts";
import { followMerges } from "./merges.ts";
import { asSeenAt } from "./movers.ts";
import { type AgentPose, poseAt } from "./poses.ts";
import { type Standing, standingOf } from "./presence.ts";
import type { RoomView } from "./room-names.ts";
import { Rooms } from "./rooms.ts";
import { Slots, slotOf } from "./slots.ts";
import { Spots } from "./spots.ts";
import { isLaterStay, isLiveAt, isStay, type KnownThing, onceByName, thingOf, touching } from "./thing.ts";

/** Tracking gives states of merged tracks to the one that is left; for so many it is checked. */
const MOST_FOLLOWED = 200;
/** A listing has so many things one by one. */
const LIST_HITS = 5_000;
/** So many of a category are enough to choose from. */
const FEW = 60;
/** Things with words on them are looked for among so many. */
const WRITTEN_HITS = 80;
const MOST_EVENTS = 5_000;
const MOST_AROUND = 500;
/** Fits below this are other things. */
const LEAST_FIT = [0.6, 0.55, 0.5] as const;

/**
 * What the rules know of the memory: things by description, rooms, events, poses, presence. Every question is a
 * few targeted searches, so that it costs the same in a memory of a hundred thousand records as in one of a
 * hundred; what was read once for a question is not read again.
 */
export class Belief extends Attention {
  readonly #presence = new Map<string, Presence>();
  readonly #tracks = new Map<string, string>();
  readonly #holders = new Map<string, Holder | undefined>();
  readonly #rooms = new Rooms(this);
  readonly #slots = new Slots(this);
  readonly #spots = new Spots(this, this.#slots);
  /** All things of a time that were read, by that time: what is around each of many things is then found among them. */
  readonly #whole = new Map<string, readonly KnownThing[]>();
  readonly #shares = new WeakMap<readonly KnownThing[], number>();

  /** All things that fit a description, best first, each once by its latest stay in scope. */
  async things(description: Description, scope: Scope = {}): Promise<KnownThing[]> {
    const slots = this.lookedAmong ? undefined : await this.#slots.described(description, scope);
    if (slots) return slots;
    const least = LEAST_FIT[Math.min(scope.broadened ?? 0, LEAST_FIT.length - 1)]!;
    const candidates = await candidatesFor(this, description, least, { ...scope, ids: this.lookedAmong });
    const { hits, total } = candidates;
    const scored = fitting(description, candidates, least, scope.doubtful ?? false);
    const found = await this.#distinct(scored, scope);
    const isFound = found.some(({ fit }) => fit >= LEAST_FIT[0]);
    const bearers = isFound ? [] : await bearersOf(description, this);
    const spots = bearers.length > 0 ? [] : await this.#spotsFor(description, scope);
    // A slot or dock is what bears its label, where that was seen.
    const own = spots.filter(({ spot }) => !isFound || spot?.hull === undefined);
    const things = isFound ? [...found, ...own] : [...bearers, ...own, ...found];
    // Of a set too large to be read whole, as many again as were read stand for the rest.
    if (total !== undefined && total > hits.length) this.#shares.set(things, total / hits.length);
    return things;
  }

  /** Places of that name; a part of a name only where nothing has it. */
  async #spotsFor(description: Description, { rooms, roomId }: Scope): Promise<KnownThing[]> {
    if (this.lookedAmong || rooms || roomId !== undefined || description.head === "object") return [];
    const spots = await this.#spots.named(description);
    return Promise.all(
      spots.map(async (spot) => ({
        ...spot,
        roomId: spot.roomId ?? (await this.#rooms.idOf(undefined, spot.position)),
      })),
    );
  }

  /** How many times as many there are as these things, which `things` gave; 1 where they are all. */
  shareOf(things: readonly KnownThing[]): number {
    return this.#shares.get(things) ?? 1;
  }

  /** One stay by its id, merges followed, as the latest stay of its thing; undefined when it is not known. */
  async thingOfState(stateId: string, fit: number): Promise<KnownThing | undefined> {
    const hits = (await this.search({
      kinds: ["state"],
      where: { ids: [stateId] },
      limit: 1,
    })) as StateHit[];
    const [own] = await this.#each(hits, {}, fit);
    if (!own || isLiveAt(own, this.nowUs)) return own;
    const stays = await this.stays(own.trackId);
    const latest =
      stays.findLast((stay) => isLiveAt(stay, this.nowUs)) ??
      stays.findLast(({ state }) => state.validFromUs <= this.nowUs) ??
      own;
    return { ...latest, fit };
  }

  /** Things that have these words on them, as their own words tell; with how well what is written fits. */
  async written(description: Description, during?: Interval): Promise<KnownThing[]> {
    const hits = (await this.search({
      kinds: ["state"],
      meaning: { words: description.attributes["text"] ?? "" },
      time: { overlaps: during ?? { fromUs: -LIMITS.timeUs, toUs: this.nowUs + 1 } },
      limit: WRITTEN_HITS,
    })) as StateHit[];
    const found = await this.#distinct(
      hits
        .filter(({ record }) => printedOn(record).length > 0)
        .map((hit) => ({ hit, fit: detailFit(description, hit.record) })),
      {},
    );
    return withoutPieces(found, this);
  }

  /** Every thing in a box or around a point, whatever it is. */
  async around(space: NonNullable<SearchRequest["space"]>, during?: Interval): Promise<KnownThing[]> {
    const time = { overlaps: during ?? { fromUs: this.nowUs, toUs: this.nowUs + 1 } };
    const whole = space.type === "box" ? this.#whole.get(JSON.stringify(time)) : undefined;
    if (whole && space.type === "box") return touching(whole, space).slice(0, MOST_AROUND);
    const hits = (await this.search({
      kinds: ["state"],
      space,
      time,
      limit: MOST_AROUND,
      rank: space.type === "box" || space.type === "region" ? "latest" : "distance",
    })) as StateHit[];
    return this.#each(hits);
  }

  /** Every thing in a room now, or in the whole scene. */
  async everything(scope: Scope = {}): Promise<KnownThing[]> {
    const time = { overlaps: scope.during ?? { fromUs: this.nowUs, toUs: this.nowUs + 1 } };
    const limit = scope.all ? LIST_HITS : SET_HITS;
    const base: SearchRequest = { kinds: ["state"], time, limit, rank: "latest" };
    const room = scope.roomId === undefined ? undefined : await this.#rooms.of(scope.roomId, undefined);
    const space = room && spaceOf(room);
    // What lies in the racks of an aisle is in it, whatever its record says and though its outline ends before them.
    const racks = room ? await this.#slots.racksOf(room) : [];
    const spaces = [...(space ? [space] : []), ...racks];
    const found = await Promise.all([
      this.search(scope.roomId === undefined ? base : { ...base, where: { regionId: [scope.roomId] } }),
      ...spaces.map((one) => this.search({ ...base, space: one })),
    ]);
    const hits = new Map((found.flat() as StateHit[]).map((hit) => [hit.record.id, hit]));
    const things = await this.#each([...hits.values()], scope);
    if (found[0]!.length < limit && scope.roomId === undefined) this.#whole.set(JSON.stringify(time), things);
    if (found[0]!.length >= limit) {
      const where = scope.roomId === undefined ? {} : { where: { regionId: [scope.roomId] } };
      this.#shares.set(things, (await this.count({ kinds: ["state"], time, ...where })) / found[0]!.length);
    }
    return things;
  }

  /** Things of these categories, each by its latest stay. */
  async ofCategory(...category: readonly string[]): Promise<KnownThing[]> {
    const time = { overlaps: { fromUs: -LIMITS.timeUs, toUs: this.nowUs + 1 } };
    const request: SearchRequest = { kinds: ["state"], where: { category }, time, rank: "latest" };
    const hits = (await this.search({ ...request, limit: FEW })) as StateHit[];
    return this.#each(hits);
  }

  /** The stays of one thing, earliest first; a place has none. */
  async stays(trackId: string): Promise<KnownThing[]> {
    const hits = await this.#records(trackId);
    const real = hits.filter(({ record }) => isStay(record));
    return this.#known((real.length > 0 ? real : hits).map((hit) => ({ hit, fit: 1, trackId })));
  }

  /** Every record of a thing, also those that were merged into its stays: looks and changes name the one they were of. */
  async recordsOf({ trackId, state }: KnownThing): Promise<string[]> {
    return [...new Set([state.id, ...(await this.#records(trackId)).map(({ record }) => record.id)])];
  }

  async #records(trackId: string): Promise<StateHit[]> {
    const owners = [trackId, ...[...this.#tracks].filter(([, to]) => to === trackId).map(([from]) => from)];
    const request: SearchRequest = {
      kinds: ["state"],
      where: { owner: [...new Set(owners)] },
      limit: 200,
      rank: "earliest",
    };
    return (await this.once(JSON.stringify(request), () => this.search(request))) as StateHit[];
  }

  /** Stays by their ids, each as it was then. */
  async staysById(stateIds: readonly string[]): Promise<ReadonlyMap<string, KnownThing>> {
    const ids = [...new Set(stateIds)].filter((id) => id !== "");
    if (ids.length === 0) return new Map();
    const request = { kinds: ["state"], where: { ids }, limit: ids.length, rank: "id" } as const;
    const hits = (await this.search(request)) as StateHit[];
    const things = await this.#known(hits.map((hit) => ({ hit, fit: 1, trackId: hit.record.trackId })));
    return new Map(things.map((thing) => [thing.state.id, thing]));
  }

  /** Stays as things: with the frame that they are anchored in and what holds them. */
  async #known(
    hits: readonly { readonly hit: StateHit; readonly fit: number; readonly trackId: string }[],
  ): Promise<KnownThing[]> {
    const { reader } = this.options;
    const frames = await reader.frames();
    const holders = await holdersOf(
      reader,
      this.#holders,
      this.#tracks,
      hits.map(({ hit }) => hit.record),
    );
    const racks = await this.#slots.racks();
    return hits.map(({ hit, fit, trackId }) => {
      const thing = thingOf(hit, trackId, fit, frames, heldBy(hit.record, holders));
      const slot = slotOf(thing, racks);
      return slot ? { ...thing, slot } : thing;
    });
  }

  /** All that was there at a moment, each once: what exports and comparisons of two moments show. */
  async inventory(atUs = this.nowUs): Promise<KnownThing[]> {
    const { reader, sceneId } = this.options;
    const conditions = {
      time: { overlaps: { fromUs: atUs, toUs: atUs + 1 } },
      ...(sceneId !== undefined && { where: { sceneId: [sceneId] } }),
    };
    const hits: StateHit[] = [];
    for await (const hit of eachHit(reader, "state", conditions)) if (isStay(hit.record)) hits.push(hit);
    const scored = hits.map((hit) => ({ hit, fit: 1 }));
    return this.#distinct(scored, {}, hits.length);
  }

  /** A thing by the id of its track or of one of its stays, as it is now. */
  async thingById(id: string): Promise<KnownThing | undefined> {
    const own = await this.thingOfState(id, 1);
    if (own) return own;
    await followMerges(this.options.reader, this.#tracks, [id]);
    const last = (await this.stays(this.#tracks.get(id) ?? id)).at(-1);
    return last && this.thingOfState(last.state.id, 1);
  }

  /** The things of stays that were found, whatever they are. */
  #each(hits: readonly StateHit[], scope: Scope = {}, fit = 1): Promise<KnownThing[]> {
    return this.#distinct(
      hits.map((hit) => ({ hit, fit })),
      scope,
    );
  }

  async #distinct(
    scored: readonly { hit: StateHit; fit: number }[],
    scope: Scope,
    followed = MOST_FOLLOWED,
  ): Promise<KnownThing[]> {
    const likeliest = scored.toSorted((a, b) => b.fit - a.fit).slice(0, followed);
    const trackIds = likeliest.map(({ hit }) => hit.record.trackId);
    await followMerges(this.options.reader, this.#tracks, trackIds);
    const known = await this.#known(
      scored.map((one) => ({
        ...one,
        trackId: this.#tracks.get(one.hit.record.trackId) ?? one.hit.record.trackId,
      })),
    );
    const byTrack = new Map<string, KnownThing>();
    for (const own of known) {
      const aisle = own.slot && (await this.#slots.aisleOf(own.slot));
      const roomId = aisle?.id ?? (await this.#rooms.idOf(own.roomId, own.position));
      const settled = { ...own, roomId };
      const thing = scope.during ? await asSeenAt(settled, scope.during, this) : settled;
      if (scope.roomId !== undefined && thing.roomId !== scope.roomId) continue;
      if (await this.#rooms.isAdrift(thing)) continue;
      const before = byTrack.get(thing.trackId);
      if (before === undefined || isLaterStay(thing, before))
        byTrack.set(thing.trackId, { ...thing, fit: Math.max(own.fit, before?.fit ?? 0) });
    }
    return onceByName([...byTrack.values()]).sort(
      (a, b) => b.fit - a.fit || (a.trackId < b.trackId ? -1 : 1),
    );
  }

  /** Rooms with the names that people would use for them: upstairs hallway, not hallway 2. */
  rooms(): Promise<RoomView[]> {
    return this.#rooms.all();
  }

  /** The same where they are few enough to be read for any question; undefined in a large building. */
  house(): Promise<RoomView[] | undefined> {
    return this.#rooms.house();
  }

  /** The rooms that a description names: "kitchen", "the upstairs hallway". */
  async roomsNamed(description: Description): Promise<RoomView[]> {
    const spots = await this.#spots.rooms(description);
    return spots.length > 0 ? spots : this.#rooms.named(description);
  }

  /** The room a thing is in: what lies in a slot is in the aisle of its rack, whichever aisle is nearer. */
  async roomOf({
    roomId,
    position,
    category,
  }: Pick<KnownThing, "roomId" | "position"> & Partial<Pick<KnownThing, "category">>): Promise<
    RoomView | undefined
  > {
    const slot =
      category === undefined ? undefined : slotOf({ position, category }, await this.#slots.racks());
    return (slot && (await this.#slots.aisleOf(slot))) ?? this.#rooms.of(roomId, position);
  }

  /** The slot or bay of a code: "B-03-1", "B-03". */
  coded(code: string, during?: Interval): Promise<KnownThing | undefined> {
    return this.#slots.called(code, during);
  }

  roomAt(position: Vec3): Promise<RoomView | undefined> {
    return this.#rooms.at(position);
  }

  async presence(stateIds: readonly string[]): Promise<ReadonlyMap<string, Presence>> {
    const unknown = stateIds.filter((id) => !this.#presence.has(id));
    if (unknown.length > 0) {
      for (const presence of await this.options.reader.presence(unknown))
        this.#presence.set(presence.stateId, presence);
    }
    return this.#presence;
  }

  /** Whether a thing is there at a time, by default now: the one judgement of it that every reader takes. */
  standing(thing: KnownThing, atUs = this.nowUs): Promise<Standing> {
    return this.once(`standing ${thing.state.id} ${atUs}`, () => standingOf(thing, this, atUs));
  }

  /** When a thing was last seen before now; its record's start where nothing is known. */
  async lastSeenUs({ state }: KnownThing): Promise<number> {
    const presence = (await this.presence([state.id])).get(state.id);
    return Math.min(this.nowUs, presence?.lastSeenUs ?? state.validFromUs);
  }

  /** Whether anything was seen at all. */
  holdsThings(): Promise<boolean> {
    return holdsThings(this);
  }

  /** The robots whose looks this memory holds, by their ids. */
  agents(): Promise<readonly string[]> {
    return agentsOf(this);
  }

  /** The agent's pose at a time: that of its nearest look, within ten seconds. */
  poseAt(timeUs: number, agentId?: string): Promise<AgentPose | undefined> {
    return poseAt(this, timeUs, agentId);
  }

  /** What happened in a span, earliest first; read once for a question. */
  async events(
    types: readonly string[],
    during: Interval,
    agentId?: string,
  ): Promise<Stored<RecordOf<"event">>[]> {
    const request: SearchRequest = {
      kinds: ["event"],
      where: { category: [...types], ...(agentId !== undefined && { author: [agentId] }) },
      time: { overlaps: during },
      rank: "earliest",
      limit: MOST_EVENTS,
    };
    const hits = await this.once(JSON.stringify(request), () => this.search(request));
    return hits.map(({ record }) => record as Stored<RecordOf<"event">>);
  }
}
