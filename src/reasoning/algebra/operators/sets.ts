import { isMover } from "../../../belief/mobility.ts";
import { isPlainName, type RoomView } from "../../../belief/room-names.ts";
import { isInSpot, isSpot } from "../../../belief/spots.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import { lookup } from "../../../ontology/index.ts";
import type { Expression } from "../../../schema/index.ts";
import { withThe } from "../../say/grammar.ts";
import type { Operator, Scope } from "../operator.ts";
import { completenessOf, completenessOfNamed } from "../things/coverage.ts";
import { thingsValue } from "../things/find.ts";
import { elsewhere } from "../things/place.ts";
import { staysIn } from "../time/whereabouts.ts";
import {
  type EventsValue,
  type FloorsValue,
  type KnownValue,
  lesser,
  type RoomsValue,
  type ThingsValue,
  together,
  type UnknownValue,
  unknownValue,
  type Value,
} from "../value.ts";
import { type Element, elementsOf, idOf, ofEach, ofElements } from "./elements.ts";

/** Factor for a thing in another room than the speaker says: people err, and rooms merge into each other. */
const WRONG_ROOM = 0.12;

const IN_UNNAMED = 0.7;

async function isInUnnamed(thing: KnownThing, { memory }: Scope): Promise<boolean> {
  const room = await memory.roomOf(thing);
  return !room || isPlainName(room.type);
}

/** The rooms that a place is, or of its floors. */
export async function roomsOf(place: KnownValue, { memory }: Scope): Promise<readonly RoomView[]> {
  if (place.kind === "rooms") return place.rooms;
  if (place.kind !== "floors") return [];
  return (await memory.rooms()).filter(({ storey }) => place.storeys.includes(storey));
}

/** The rooms that a value is, or is in. */
export async function roomsAt(value: Value, scope: Scope): Promise<readonly RoomView[]> {
  const { memory } = scope;
  if (value.kind === "unknown") return [];
  if (value.kind === "self")
    return [await memory.roomAt(value.position)].filter((room) => room !== undefined);
  if (value.kind !== "things") return roomsOf(value, scope);
  const rooms = await Promise.all(value.things.map((thing) => memory.roomOf(thing)));
  return rooms.filter((room) => room !== undefined);
}

/** "in the kitchen", "upstairs". */
export function placeText(place: RoomsValue | FloorsValue): string {
  if (place.kind === "rooms") return `in ${withThe(place.phrase)}`;
  return /stairs$/.test(place.phrase) ? place.phrase : `on the ${place.phrase} floor`;
}

function noSuchPlace(place: RoomsValue | FloorsValue): UnknownValue {
  const what = place.kind === "rooms" ? place.phrase : `${place.phrase} floor`;
  return unknownValue("never-seen", `I know of no ${what} here`, { complete: place.complete });
}

/** A span that is longer than this is not one moment (µs). */
const MOMENT_US = 2_000_000;

/** The room among these in which somebody who moves was at some time of a span; undefined for a moment, or where in none. */
async function roomIn(
  thing: KnownThing,
  ids: ReadonlySet<string>,
  scope: Scope,
): Promise<string | undefined> {
  const { during } = scope;
  if (!during || (during.toUs ?? Infinity) - during.fromUs <= MOMENT_US) return undefined;
  if (!isMover(thing.category) || thing.agentId !== undefined) return undefined;
  const stays = await staysIn(undefined, thing, scope);
  return stays.events.find(({ regionId }) => regionId !== undefined && ids.has(regionId))?.regionId;
}

/** The things of a set that are in these rooms; the rest is elsewhere. */
export async function thingsIn(
  set: ThingsValue,
  place: RoomsValue | FloorsValue,
  scope: Scope,
): Promise<ThingsValue> {
  const rooms = await roomsOf(place, scope);
  const ids = new Set(rooms.map(({ id }) => id));
  const spots = rooms.filter(isSpot);
  const complete = ids.size > 0 ? await completenessOfNamed(set.phrase, rooms, scope) : place.complete;
  const parts = { ...set, complete, where: placeText(place), scope };
  const parted = async (things: readonly KnownThing[]): Promise<KnownThing[]> => {
    const [there, away]: [KnownThing[], KnownThing[]] = [[], []];
    for (const thing of things) {
      const was = await roomIn(thing, ids, scope);
      const id = was ?? thing.roomId ?? (await scope.memory.roomOf(thing))?.id;
      if ((id !== undefined && ids.has(id)) || spots.some((spot) => isInSpot(thing, spot))) there.push(thing);
      // A room without a name may be the one that is meant.
      else if (ids.size === 0 && (await isInUnnamed(thing, scope)))
        there.push({ ...thing, fit: thing.fit * IN_UNNAMED });
      else away.push({ ...thing, fit: thing.fit * WRONG_ROOM });
    }
    return [...there, ...(await elsewhere(away, "room", scope.memory))];
  };
  const [own, others] = [await parted(set.things), await parted(set.elsewhere ?? [])];
  return ids.size === 0
    ? thingsValue([], { ...parts, elsewhere: [...own, ...others], lacking: noSuchPlace(place) })
    : thingsValue(own, { ...parts, elsewhere: others });
}

/** The members of sets by their rooms: a set is divided once for all the rooms that are examined. */
const byRoom = new WeakMap<ThingsValue, ReadonlyMap<string | undefined, KnownThing[]>>();

/** The members in the bound room; the others are not reported then. */
async function ofRoom(set: ThingsValue, place: RoomsValue, scope: Scope): Promise<ThingsValue> {
  const parts = byRoom.get(set) ?? Map.groupBy(set.things, ({ roomId }) => roomId);
  byRoom.set(set, parts);
  const things = place.rooms.flatMap(({ id }) => parts.get(id) ?? []);
  const complete = await completenessOfNamed(set.phrase, place.rooms, scope);
  const where = placeText(place);
  return thingsValue(things, { phrase: set.phrase, times: set.times, complete, where, scope });
}

function eventsIn(set: EventsValue, rooms: readonly RoomView[]): EventsValue {
  const ids = new Set(rooms.map(({ id }) => id));
  const kept = set.events
    .map((event, n) => ({ event, thing: set.things[n] }))
    .filter(({ event, thing }) => ids.has(event.regionId ?? thing?.roomId ?? ""));
  // Of the unobserved times and places, only these rooms matter.
  const missing = set.complete.missing.filter((name) => rooms.some((room) => name === `the ${room.name}`));
  const complete =
    set.complete.missing.length === 0
      ? set.complete
      : { share: 1 - missing.length / Math.max(1, rooms.length), missing };
  return {
    ...set,
    events: kept.map(({ event }) => event),
    things: kept.map(({ thing }) => thing),
    complete,
  };
}

async function located(set: KnownValue, place: RoomsValue | FloorsValue, scope: Scope): Promise<Value> {
  if (place.kind === "rooms" && place.everywhere) return set;
  if (set.kind === "things") return thingsIn(set, place, scope);
  const rooms = await roomsOf(place, scope);
  if (rooms.length === 0) return noSuchPlace(place);
  if (set.kind === "events") return eventsIn(set, rooms);
  if (set.kind === "floors")
    return { ...set, storeys: set.storeys.filter((one) => rooms.some(({ storey }) => storey === one)) };
  if (set.kind !== "rooms") return set;
  return {
    ...set,
    rooms: set.rooms.filter(({ id }) => rooms.some((room) => room.id === id)),
    complete: await completenessOf(rooms, scope),
  };
}

/**
 * A sink in the bathroom is a bathroom sink, where that is a name of its own: a washbasin, whatever else has the label
 * sink.
 */
function calledAfter({ of: [set] }: Expression, place: KnownValue): Expression | undefined {
  const category = set?.op === "things" ? set.with["category"] : undefined;
  if (typeof category !== "string" || place.kind !== "rooms") return undefined;
  const name = `${place.phrase} ${category}`;
  return lookup(name) && { ...set!, with: { ...set!.with, category: name } };
}

const SETS = ["things", "rooms", "floors", "events", "times"] as const;

/** Operators from sets to sets. */
export const sets: readonly Operator[] = [
  {
    name: "in",
    says: "those of a set that are in these rooms or on these floors",
    takes: [
      { name: "set", kinds: ["things", "rooms", "floors", "events"] },
      { name: "place", kinds: ["rooms", "floors"] },
    ],
    gives: "first",
    copes: true,
    async run(call) {
      const place = await call.arg(1);
      if (place.kind !== "rooms" && place.kind !== "floors") return place;
      const rooms = await roomsOf(place, call.scope);
      // A bound room differs for each element: there the whole set is read once and divided.
      const isBound = call.scope.it !== undefined && call.node.of[1]?.op === "it";
      const narrow = !isBound && rooms.length > 0 && !(place.kind === "rooms" && place.everywhere);
      const set = await call.arg(0, narrow ? { enough: { ...call.scope.enough, rooms } } : undefined);
      if (isBound && set.kind === "things" && place.kind === "rooms") return ofRoom(set, place, call.scope);
      if (set.kind === "unknown") return set;
      const there = await located(set, place, call.scope);
      const other =
        there.kind === "things" && there.things.length === 0 ? calledAfter(call.node, place) : undefined;
      const known = other && (await call.value(other));
      return known?.kind === "things" && known.things.length > 0 ? located(known, place, call.scope) : there;
    },
  },
  {
    name: "or",
    says: "all that is in one of the sets; of truths, whether one is so",
    takes: [{ name: "of", kinds: [...SETS, "truth"], repeated: true }],
    gives: "first",
    copes: true,
    async run(call) {
      const all = await call.args();
      const known = all.filter((value) => value.kind !== "unknown");
      const [first] = known;
      if (!first) return all[0]!;
      if (first.kind === "truth") return eitherOf(all);
      const merged = new Map(
        known.flatMap((one) => elementsOf(one).map((part) => [idOf(part), part] as const)),
      );
      const { p, complete, evidence } = together(known);
      return { ...ofElements(first, [...merged.values()]), p, complete, evidence } as Value;
    },
  },
  {
    name: "and",
    says: "what is in all of the sets; of truths, whether all are so",
    takes: [{ name: "of", kinds: [...SETS, "truth"], repeated: true }],
    gives: "first",
    copes: true,
    async run(call) {
      const all = await call.args();
      if (all.some(({ kind }) => kind === "truth")) return bothOf(all);
      const unknown = all.find((value) => value.kind === "unknown");
      if (unknown) return unknown;
      const known = all as KnownValue[];
      const others = known.slice(1).map((one) => new Set(elementsOf(one).map(idOf)));
      const shared = elementsOf(known[0]!).filter((part) => others.every((ids) => ids.has(idOf(part))));
      const { p, complete } = together(known);
      return { ...ofElements(known[0]!, shared), p, complete } as Value;
    },
  },
  {
    name: "minus",
    says: "what is in the first set and not in the second",
    takes: [
      { name: "set", kinds: SETS },
      { name: "without", kinds: SETS },
    ],
    gives: "first",
    copes: true,
    async run(call) {
      const [set, without] = [await call.arg(0), await call.arg(1)];
      // If the things to exclude are unknown, the set stays as it is.
      if (set.kind === "unknown" || without.kind === "unknown") return set;
      const gone = new Set([
        ...elementsOf(without).map(idOf),
        ...(without.rivals ?? []).map(({ trackId }) => trackId),
      ]);
      const left = elementsOf(set).filter((part) => !gone.has(idOf(part)));
      // If the things to exclude were just mentioned, there may be no other.
      const other = set.kind === "things" && call.node.of[1]!.op === "known";
      return {
        ...ofElements(set, left),
        complete: lesser(set.complete, without.complete),
        ...(other && left.length === 0 && { phrase: `other ${set.phrase}` }),
      } as Value;
    },
  },
  {
    name: "filter",
    says: "those of a set for which it is so",
    takes: [
      { name: "set", kinds: SETS },
      { name: "truth", kinds: ["truth"], bound: true },
    ],
    gives: "first",
    async run(call) {
      const set = (await call.arg(0)) as KnownValue;
      const kept: Element[] = [];
      const others: KnownThing[] = [];
      const unknown: UnknownValue[] = [];
      const parts = await ofEach(set, call);
      for (const { element, value: is } of parts) {
        if (is.kind === "truth" && is.truth) kept.push(element);
        else if (element.kind === "thing" && is.kind === "truth")
          others.push(turnedDown(element.thing, is.instead));
        if (is.kind === "unknown") unknown.push(is);
      }
      const share = set.complete.share * (1 - unknown.length / Math.max(1, parts.length));
      const result = { ...ofElements(set, kept), complete: { ...set.complete, share } };
      if (result.kind !== "things" || set.kind !== "things") return result;
      const lacking = unknown.length === parts.length ? noneNoticed(set, unknown) : undefined;
      return {
        ...result,
        elsewhere: [...others, ...(result.elsewhere ?? [])],
        ...(lacking && { lacking }),
      };
    },
  },
];

/**
 * There are such things, but none has an observed value for the state: that is neither an empty set nor an unobserved
 * place.
 */
function noneNoticed(
  { things, phrase }: ThingsValue,
  [first, ...others]: UnknownValue[],
): UnknownValue | undefined {
  if (!first) return undefined;
  const says = others.length === 0 ? first.says : `I have not noticed that of any ${phrase}`;
  return { ...first, reason: "not-yet", says, choices: things, goal: things[0] };
}

function turnedDown(thing: KnownThing, instead: string | undefined): KnownThing {
  const says = instead ?? "is not so";
  return { ...thing, fit: thing.fit * 0.2, against: [...(thing.against ?? []), { part: "attribute", says }] };
}

/** One true member is enough, whatever is unknown of the others. */
function eitherOf(all: readonly Value[]): Value {
  const truths = all.filter((value) => value.kind === "truth");
  const so = truths.find(({ truth }) => truth);
  return so ?? all.find((value) => value.kind === "unknown") ?? truths[0]!;
}

/** One false member is enough, whatever is unknown of the others. */
function bothOf(all: readonly Value[]): Value {
  const truths = all.filter((value) => value.kind === "truth");
  const not = truths.find(({ truth }) => !truth);
  const unknown = all.find((value) => value.kind === "unknown");
  if (not || unknown) return not ?? unknown!;
  return { ...truths[0]!, ...together(truths) };
}
