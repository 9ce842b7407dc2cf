import type { Interval, Vec3 } from "../geometry/index.ts";
import { eachHit, type SearchRequest } from "../memory/index.ts";
import { LIMITS, type Presence } from "../schema/core.ts";
import { agentsOf, holdsThings } from "./agents.ts";
import { Attention } from "./attention.ts";
import { bearersOf, withoutPieces } from "./called.ts";
import { candidatesFor, type Scope, type StateHit, spaceOf } from "./candidates.ts";
import type { Description } from "./description.ts";
import { fitting } from "./fitting.ts";
import { type Holder, heldBy, holdersOf } from "./held-by.ts";
import { isSignboard } from "./labelled.ts";
import { detailFit, printedOn } from "./matching.ts";
import { followMerges } from "./merges.ts";
import { endedIn, withAbsence } from "./missed.ts";
import { MOVING } from "./mobility.ts";
import { asSeenAt } from "./movers.ts";
import { type AgentPose, poseAt } from "./poses.ts";
import { type Standing, standingOf } from "./presence.ts";
import type { RoomView } from "./room-names.ts";
import { Rooms } from "./rooms.ts";
import { SEARCH } from "./settings/search.ts";
import { Slots, slotOf } from "./slots.ts";
import { Spots } from "./spots.ts";
import { standsOf } from "./stands.ts";
import { lastBeforeStray } from "./strays.ts";
import { isLaterStay, isLiveAt, isStay, type KnownThing, onceByName, thingOf, touching } from "./thing.ts";

/** A thing that fits worse than this is a different thing; one value for each round. */
const LEAST_FIT = [0.6, 0.55, 0.5] as const;

/**
 * The rules' view of the memory: things by description, rooms, events, poses, presence. Every question is a few
 * targeted searches, so its cost does not depend on the number of records. A result is read once per question.
 */
export class Belief extends Attention {
  readonly #presence = new Map<string, Presence>();
  readonly #tracks = new Map<string, string>();
  readonly #holders = new Map<string, Holder | undefined>();
  readonly #rooms = new Rooms(this);
  readonly #slots = new Slots(this);
  readonly #spots = new Spots(this, this.#slots);
  /**
   * All things that were read, by the time they were read for; the surroundings of many things are found among them.
   */
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
    // A slot or dock is the thing that bears its label, where the label was seen.
    const own = spots.filter(({ spot }) => !isFound || spot?.hull === undefined);
    const things = isFound ? [...found, ...own] : [...bearers, ...own, ...found];
    // Of a set too large to be read whole, the things that were read stand for the rest.
    if (total !== undefined && total > hits.length) this.#shares.set(things, total / hits.length);
    return things;
  }

  /** Places of that name; those whose name only contains it are used where none has exactly that name. */
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

  /** The ratio of the number of such things to the number in `things`; 1 where `things` is complete. */
  shareOf(things: readonly KnownThing[]): number {
    return this.#shares.get(things) ?? 1;
  }

  /** One stay by its id, merges followed, as the latest stay of its thing; undefined when it is not known. */
  async thingOfState(stateId: string, fit: number): Promise<KnownThing | undefined> {
    const own = await this.#ofState(stateId, fit);
    if (!own || isLiveAt(own, this.nowUs)) return own;
    // Stays of a thing that several robots saw overlap: the one that ended last tells where the thing is.
    const begun = (await this.stays(own.trackId)).filter(({ state }) => state.validFromUs <= this.nowUs);
    const latest = begun.reduce((last, stay) => (isLaterStay(stay, last) ? stay : last), own);
    return latest === own ? own : ((await this.#ofState(latest.state.id, fit)) ?? { ...latest, fit });
  }

  async #ofState(stateId: string, fit: number): Promise<KnownThing | undefined> {
    const where = { ids: [stateId] };
    const hits = (await this.search({ kinds: ["state"], where, limit: 1 })) as StateHit[];
    return (await this.#each(hits, {}, fit))[0];
  }

  /** Things with these words written on them, by their own `text`; each with how well the text fits. */
  async written(description: Description, during?: Interval): Promise<KnownThing[]> {
    const hits = (await this.search({
      kinds: ["state"],
      meaning: { words: description.attributes["text"] ?? "" },
      time: { overlaps: during ?? { fromUs: -LIMITS.timeUs, toUs: this.nowUs + 1 } },
      limit: SEARCH.writtenHits,
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
    if (whole && space.type === "box") return touching(whole, space).slice(0, SEARCH.mostAround);
    const hits = (await this.search({
      kinds: ["state"],
      space,
      time,
      limit: SEARCH.mostAround,
      rank: space.type === "box" || space.type === "region" ? "latest" : "distance",
    })) as StateHit[];
    return this.#each(hits);
  }

  /** Every thing in a room now, or in the whole scene. */
  async everything(scope: Scope = {}): Promise<KnownThing[]> {
    const time = { overlaps: scope.during ?? { fromUs: this.nowUs, toUs: this.nowUs + 1 } };
    const limit = scope.all ? SEARCH.listHits : SEARCH.setHits;
    const base: SearchRequest = { kinds: ["state"], time, limit, rank: "latest" };
    const room = scope.roomId === undefined ? undefined : await this.#rooms.of(scope.roomId, undefined);
    const space = room && spaceOf(room);
    // Goods in the racks of an aisle are in the aisle, whatever their record says and although the aisle's outline ends
    // at the racks.
    const racks = room ? await this.#slots.racksOf(room) : [];
    const spaces = [...(space ? [space] : []), ...racks];
    const found = await Promise.all([
      scope.roomId === undefined
        ? this.searchKept(base)
        : this.search({ ...base, where: { regionId: [scope.roomId] } }),
      // A record tells where a person was last, which is not where they are believed to be, or were then.
      ...(scope.roomId === undefined ? [] : [this.search({ ...base, where: { category: MOVING } })]),
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
    const hits = (await this.search({ ...request, limit: SEARCH.few })) as StateHit[];
    return this.#each(hits);
  }

  /** The stays of one thing, the latest last, that one where a mover is believed to be; a place has none. */
  async stays(trackId: string): Promise<KnownThing[]> {
    const hits = await this.#records(trackId);
    const real = hits.filter(({ record }) => isStay(record));
    const stays = await this.#known((real.length > 0 ? real : hits).map((hit) => ({ hit, fit: 1, trackId })));
    // A thing is in one place: of stays that overlap, told by robots that did not see the same, the latest is where it is now.
    stays.sort((one, other) => Number(isLaterStay(one, other)) - Number(isLaterStay(other, one)));
    const last = stays.at(-1);
    return last ? stays.with(-1, await this.#settled(last, undefined)) : stays;
  }

  /**
   * Every record of a thing, including records merged into its stays: observations and changes refer to the original
   * record.
   */
  async recordsOf({ trackId, state }: KnownThing): Promise<string[]> {
    return [...new Set([state.id, ...(await this.#records(trackId)).map(({ record }) => record.id)])];
  }

  async #records(trackId: string): Promise<StateHit[]> {
    const merged = [...this.#tracks].filter(([, to]) => to === trackId).map(([from]) => from);
    const owners = [trackId, ...merged, ...(await this.transfers()).tracksOf(trackId)];
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
    const frames = await this.frames();
    const holders = await holdersOf(
      this.options.reader,
      this.#holders,
      this.#tracks,
      hits.map(({ hit }) => hit.record),
    );
    const racks = await this.#slots.racks();
    return hits.map(({ hit, fit, trackId }) => {
      const thing = thingOf(hit, trackId, fit, frames, heldBy(hit.record, holders, frames));
      const slot = slotOf(thing, racks);
      return slot ? { ...thing, slot } : thing;
    });
  }

  /** Everything that was there at a moment, each thing once: used by exports and by comparisons of two moments. */
  async inventory(atUs = this.nowUs): Promise<KnownThing[]> {
    const { reader, sceneId } = this.options;
    const conditions = {
      time: { overlaps: { fromUs: atUs, toUs: atUs + 1 } },
      ...(sceneId !== undefined && { where: { sceneId: [sceneId] } }),
    };
    const hits: StateHit[] = [];
    for await (const hit of eachHit(reader, "state", conditions)) if (isStay(hit.record)) hits.push(hit);
    const carried = (await this.transfers()).applied(hits, conditions);
    const settled = endedIn(carried, conditions, await this.missed()) as StateHit[];
    const scored = settled.map((hit) => ({ hit, fit: 1 }));
    return this.#distinct(scored, {}, settled.length);
  }

  /** A thing by the id of its track or of one of its stays, as it is now. */
  async thingById(id: string): Promise<KnownThing | undefined> {
    const own = await this.thingOfState(id, 1);
    if (own) return own;
    await followMerges(this.options.reader, this.#tracks, [id]);
    const trackId = (await this.transfers()).trackOf(this.#tracks.get(id) ?? id);
    const last = (await this.stays(trackId)).at(-1);
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
    followed = SEARCH.mostFollowed,
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
      const seen = isSignboard(own) ? undefined : await this.#settled(own, scope.during);
      const thing = seen && (await this.#onTheFloor(seen));
      if (!thing || (scope.roomId !== undefined && thing.roomId !== scope.roomId)) continue;
      const before = byTrack.get(thing.trackId);
      if (before === undefined || isLaterStay(thing, before))
        byTrack.set(thing.trackId, { ...thing, fit: Math.max(own.fit, before?.fit ?? 0) });
    }
    return onceByName([...byTrack.values()]).sort(
      (a, b) => b.fit - a.fit || (a.trackId < b.trackId ? -1 : 1),
    );
  }

  /** A vehicle whose last looks were at something else stands where it stood last; what never stood is none. */
  async #onTheFloor(thing: KnownThing): Promise<KnownThing | undefined> {
    if (!(await this.#rooms.isAdrift(thing))) return thing;
    if (printedOn(thing.state).length === 0) return undefined;
    for (const stand of (await standsOf(thing, this)).toReversed())
      if (!(await this.#rooms.isAdrift(stand))) return { ...stand, fit: thing.fit };
    return undefined;
  }

  /** A stay in the room that its place is in, or where a mover was seen. */
  async #settled(own: KnownThing, during: Interval | undefined): Promise<KnownThing> {
    const aisle = own.slot && (await this.#slots.aisleOf(own.slot));
    const roomId = aisle?.id ?? (await this.#rooms.idOf(own.roomId, own.position));
    return this.#at({ ...own, roomId }, during);
  }

  /** A person or vehicle as it was seen at a time, by default now: a stray look does not tell where it is. */
  async #at(thing: KnownThing, during: Interval | undefined): Promise<KnownThing> {
    if (during) return asSeenAt(thing, during, this);
    const lastUs = await lastBeforeStray(thing, this);
    return lastUs === undefined ? thing : asSeenAt(thing, { fromUs: lastUs, toUs: lastUs + 1 }, this);
  }

  /** Rooms with the names that people would use for them: upstairs hallway, not hallway 2. */
  rooms(): Promise<RoomView[]> {
    return this.#rooms.all();
  }

  /** The same where the rooms are few enough to be read for any question; undefined in a large building. */
  house(): Promise<RoomView[] | undefined> {
    return this.#rooms.house();
  }

  /** The rooms that a description names: "kitchen", "the upstairs hallway". */
  async roomsNamed(description: Description): Promise<RoomView[]> {
    const spots = await this.#spots.rooms(description);
    return spots.length > 0 ? spots : this.#rooms.named(description);
  }

  /** The room a thing is in. Contents of a slot are in the aisle of its rack, even if another aisle is nearer. */
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
      const missed = await this.missed();
      for (const presence of await this.options.reader.presence(unknown))
        this.#presence.set(presence.stateId, withAbsence(presence, missed));
    }
    return this.#presence;
  }

  /** Whether a thing is there at a time, by default now. Every reader uses this one judgement. */
  standing(thing: KnownThing, atUs = this.nowUs): Promise<Standing> {
    return this.once(`standing ${thing.state.id} ${atUs}`, async () => {
      const standing = await standingOf(thing, this, atUs);
      const lastUs = Math.min(standing.lastSeenUs, (await lastBeforeStray(thing, this)) ?? Infinity);
      return { ...standing, lastSeenUs: lastUs };
    });
  }

  /** When a thing was last seen before now; its record's start where nothing is known. */
  async lastSeenUs(thing: KnownThing): Promise<number> {
    const { id, validFromUs } = thing.state;
    const seenUs = (await this.presence([id])).get(id)?.lastSeenUs ?? validFromUs;
    return Math.min(this.nowUs, (await lastBeforeStray(thing, this)) ?? Infinity, seenUs);
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
}
