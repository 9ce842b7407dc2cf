import { changesOf } from "../../belief/changes.ts";
import { holderOf } from "../../belief/holder.ts";
import { isMover } from "../../belief/mobility.ts";
import type { PresenceStatus } from "../../belief/presence.ts";
import type { RoomView } from "../../belief/room-names.ts";
import { RELATING } from "../../belief/settings/relations.ts";
import { isElsewhere, placesOf } from "../../belief/stays.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { extentOf, type Vec3 } from "../../geometry/index.ts";
import { LIMITS } from "../../schema/core.ts";
import { STATES } from "../algebra/things/attributes.ts";
import { WITNESSED_US } from "../say/figures.ts";
import type { EvidenceContext } from "./context.ts";
import { bestViewsOf } from "./views.ts";

/** Another thing or a room, as a card names it. */
export interface Named {
  /** Short. */
  readonly id: string;
  readonly name: string;
}

/** A thing that holds this one, or is held by it. */
export interface HeldFact extends Named {
  readonly relation: "on" | "in";
  readonly trackId: string;
}

/** A state of a thing over time: "open", for the span in which it is known. */
export interface StateSpan {
  readonly attribute: string;
  readonly value: string;
  /** First and last moment at which it is known to have held. */
  readonly fromUs: number;
  readonly toUs: number;
  /** It still holds as far as is known. */
  readonly isOpen: boolean;
  /** Whether the change that began it was observed directly: observations before and after it are close. */
  readonly isWitnessed: boolean;
  /** The event that began it, if there is one. */
  readonly eventId?: string | undefined;
}

/** A place of a thing, and its time span. */
export interface StayFact {
  readonly stateId: string;
  readonly fromUs: number;
  readonly toUs: number | null;
  readonly room?: string | undefined;
}

/** All beliefs about one thing, field by field: cards are written from it and claims checked against it. */
export interface ThingFacts {
  /** Short. */
  readonly id: string;
  readonly trackId: string;
  readonly stateId: string;
  readonly name: string;
  readonly category: string;
  readonly room?: Named | undefined;
  readonly sizeM?: { readonly length: number; readonly width: number; readonly height: number } | undefined;
  readonly position?: Vec3 | undefined;
  readonly heldBy?: HeldFact | undefined;
  readonly carries: readonly HeldFact[];
  /** Permanent attributes: colour, material, text. */
  readonly attributes: readonly { readonly name: string; readonly value: string; readonly p: number }[];
  /** Changing states, earliest first, one attribute after the other. */
  readonly states: readonly StateSpan[];
  readonly stays: readonly StayFact[];
  readonly standing: PresenceStatus;
  /** It is known to be elsewhere since: the facts are about its time here. */
  readonly isElsewhere?: boolean | undefined;
  /** When it was first missed. */
  readonly missedUs?: number | undefined;
  readonly seenFromUs: number;
  readonly seenToUs: number;
  readonly looks: number;
  /** Its best picture; short. */
  readonly pictureId?: string | undefined;
}

/** The most things on or in it that are named. */
const MOST_CARRIED = 16;

/** The beliefs about a thing. */
export async function factsOf(thing: KnownThing, context: EvidenceContext): Promise<ThingFacts> {
  const [facts] = await factsOfAll([thing], context);
  return facts!;
}

/** The same for several: one read serves all. */
export async function factsOfAll(
  things: readonly KnownThing[],
  context: EvidenceContext,
): Promise<ThingFacts[]> {
  const { memory } = context;
  await memory.presence(things.map(({ state }) => state.id));
  const views = await bestViewsOf(things, context, 1);
  return Promise.all(
    things.map((thing) => readFacts(thing, views.get(thing.trackId)?.[0]?.view.id, context)),
  );
}

async function readFacts(
  thing: KnownThing,
  viewId: string | undefined,
  context: EvidenceContext,
): Promise<ThingFacts> {
  const { memory, ids } = context;
  const { state, trackId, category, position } = thing;
  const short = shortOf(thing, context);
  // Stays overlap: an ended one does not show that the thing has left its place.
  const latest = (await memory.thingOfState(state.id, 1)) ?? thing;
  const isAway = latest.state.id !== state.id && isElsewhere(thing, latest);
  const standing = await memory.standing(isAway ? thing : latest);
  const room = await memory.roomOf(thing);
  const seen = await seenOf(thing, context);
  const stays = await placesOf(thing, memory);
  return {
    id: short,
    trackId,
    stateId: state.id,
    name: thing.name,
    category,
    ...(room && { room: await roomFact(room, context) }),
    ...(sizeOf(thing) && { sizeM: sizeOf(thing) }),
    ...(position && { position }),
    ...(await heldBy(thing, context)),
    carries: await carriedBy(thing, context),
    attributes: attributesOf(thing),
    states: await stateSpans(thing, seen, context),
    stays: await Promise.all(
      stays.map(async (stay) => ({
        stateId: stay.state.id,
        fromUs: stay.state.validFromUs,
        toUs: stay.state.validToUs,
        room: (await memory.roomOf(stay))?.name,
      })),
    ),
    standing: standing.status,
    ...(isAway && { isElsewhere: true }),
    ...(standing.missedUs !== undefined && { missedUs: standing.missedUs }),
    ...seen,
    ...(viewId !== undefined && { pictureId: ids.of(viewId, "picture") }),
  };
}

/** The short id of a thing; also assigned to its stay. */
export function shortOf({ trackId, state }: KnownThing, { ids }: EvidenceContext): string {
  const short = ids.of(trackId, "thing");
  ids.alias(state.id, short);
  return short;
}

/** A room; where two have one name, with its short id. */
export async function roomFact({ id, name }: RoomView, { memory, ids }: EvidenceContext): Promise<Named> {
  const short = ids.of(id, "room");
  const isTwin = (await memory.rooms()).some((other) => other.id !== id && other.name === name);
  return { id: short, name: isTwin ? `${name} ${short}` : name };
}

function sizeOf({ box, state }: KnownThing): ThingFacts["sizeM"] {
  if (!box) return undefined;
  // A box in the thing's own frame is tighter than its bounds in the world.
  const { x, y, z } = state.extent ?? extentOf(box);
  return { length: Math.max(x, y), width: Math.min(x, y), height: z };
}

/** First and last sighting over all its stays, and their number. */
async function seenOf(
  thing: KnownThing,
  { memory }: EvidenceContext,
): Promise<Pick<ThingFacts, "seenFromUs" | "seenToUs" | "looks">> {
  const stateIds = (await memory.stays(thing.trackId)).map(({ state }) => state.id);
  const presence = await memory.presence([...new Set([thing.state.id, ...stateIds])]);
  const all = [thing.state.id, ...stateIds].flatMap((id) => presence.get(id) ?? []);
  const first = all.flatMap(({ firstSeenUs }) => firstSeenUs ?? []);
  const last = isMover(thing.category)
    ? [await memory.lastSeenUs(thing)]
    : all.flatMap(({ lastSeenUs }) => lastSeenUs ?? []);
  const fromUs = first.length > 0 ? Math.min(...first) : thing.state.validFromUs;
  return {
    seenFromUs: Math.min(fromUs, memory.nowUs),
    // Sightings after the time of the question are not known yet.
    seenToUs: Math.min(Math.max(fromUs, ...last), memory.nowUs),
    looks: [...new Map(all.map((one) => [one.stateId, one.seenCount])).values()].reduce(
      (sum, n) => sum + n,
      0,
    ),
  };
}

async function heldBy(thing: KnownThing, context: EvidenceContext): Promise<Pick<ThingFacts, "heldBy">> {
  const held = await holderOf(thing, context.memory);
  if (!held) return {};
  const holder = await context.memory.thingOfState(held.stateId, 1);
  const { trackId, relation, category } = held;
  const id = holder ? shortOf(holder, context) : context.ids.of(trackId, "thing");
  return { heldBy: { relation, trackId: holder?.trackId ?? trackId, id, name: holder?.name ?? category } };
}

/** Things on or in it, by the same judgement as their own support. */
async function carriedBy(thing: KnownThing, context: EvidenceContext): Promise<HeldFact[]> {
  const { memory } = context;
  if (!thing.box) return [];
  const { min, max } = thing.box;
  const around = await memory.around({ type: "box", min, max: { ...max, z: max.z + RELATING.onTopM } });
  const carried: HeldFact[] = [];
  for (const other of around) {
    if (other.trackId === thing.trackId || carried.length >= MOST_CARRIED) continue;
    const held = await holderOf(other, memory);
    if (held?.trackId !== thing.trackId) continue;
    const id = shortOf(other, context);
    carried.push({ relation: held.relation, trackId: other.trackId, id, name: other.name });
  }
  return carried;
}

function attributesOf({ state }: KnownThing): ThingFacts["attributes"] {
  return Object.entries(state.attributes)
    .filter(([name]) => !STATES.has(name))
    .map(([name, { value, p }]) => ({ name, value: String(value), p }));
}

/** The states of a thing and their spans, by the changes that are believed. */
async function stateSpans(
  thing: KnownThing,
  { seenFromUs, seenToUs }: Pick<ThingFacts, "seenFromUs" | "seenToUs">,
  { memory }: EvidenceContext,
): Promise<StateSpan[]> {
  const names = Object.keys(thing.state.attributes).filter((name) => STATES.has(name));
  if (names.length === 0) return [];
  const span = { fromUs: -LIMITS.timeUs, toUs: memory.nowUs + 1 };
  const changes = (await changesOf(thing, span, { kinds: ["state"] }, memory))
    .map(({ event }) => event)
    .sort((a, b) => a.validFromUs - b.validFromUs);
  return names.flatMap((attribute) => {
    const now = String(thing.state.attributes[attribute]!.value);
    const own = changes.filter(({ detail }) => detail["attribute"] === attribute);
    const spans: StateSpan[] = [];
    for (let n = 0; n <= own.length; n++) {
      const [before, after] = [own[n - 1], own[n]];
      const value = after ? after.detail["from"] : before ? before.detail["to"] : now;
      const began = before && (before.validToUs ?? before.validFromUs + 1);
      spans.push({
        attribute,
        value: String(value ?? now),
        fromUs: began ?? Math.min(seenFromUs, after?.validFromUs ?? seenFromUs),
        toUs: after?.validFromUs ?? Math.max(seenToUs, began ?? seenToUs),
        isOpen: after === undefined,
        isWitnessed: before !== undefined && began! - before.validFromUs <= WITNESSED_US,
        ...(before && { eventId: before.id }),
      });
    }
    return spans;
  });
}
