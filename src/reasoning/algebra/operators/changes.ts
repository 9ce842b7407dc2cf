import { z } from "zod";
import type { Belief } from "../../../belief/belief.ts";
import { carrierIn } from "../../../belief/carriers.ts";
import { CHANGES, changesIn, changesOf, type Wanted } from "../../../belief/changes.ts";
import { type Happening, madeEvent, stateAfter } from "../../../belief/happening.ts";
import { slotChanges } from "../../../belief/slot-changes.ts";
import { extentOf, type Span } from "../../../belief/span.ts";
import { placesOf } from "../../../belief/stays.ts";
import { distinctTracks, type KnownThing } from "../../../belief/thing.ts";
import { evidenceFor } from "../../../belief/trust.ts";
import { movesItself } from "../../../ontology/index.ts";
import { nameSchema } from "../../../schema/index.ts";
import { theThing } from "../../say/naming.ts";
import type { Call, Operator } from "../operator.ts";
import { placeOf } from "../things/place.ts";
import { eventsValue, happeningsOf } from "../time/happenings.ts";
import { spanOf } from "../time/spans.ts";
import { staysIn } from "../time/whereabouts.ts";
import {
  type Completeness,
  type EventsValue,
  type ThingsValue,
  theseThings,
  unknownValue,
  type Value,
  WHOLE,
} from "../value.ts";

const names = Object.keys(CHANGES) as [string, ...string[]];
const EVERYTHING = ["moved", "new", "gone", "state"];
/** The most things of one name that are examined, and the most of all changed things. */
const MOST_THINGS = 12;
const MOST_AFFECTED = 64;
/** The confidence that things that moved together were carried. */
export const CARRIED_P = 0.55;

/** Operators that narrow a set by a place. */
const PLACED: ReadonlySet<string> = new Set(["relate", "in"]);

const changesOptions = z.strictObject({
  kinds: z.array(z.enum(names)).min(1).max(names.length).optional(),
  attribute: nameSchema.optional(),
  to: nameSchema.optional(),
});

async function runChanges(call: Call): Promise<Value> {
  const { kinds, attribute, to } = call.options as z.infer<typeof changesOptions>;
  const { memory } = call.scope;
  const span = spanOf(call.scope);
  const wanted: Wanted = {
    kinds: kinds ?? (attribute === undefined ? EVERYTHING : ["state"]),
    attribute,
    to,
  };
  const phrase = wanted.kinds.join(" or ");
  if (call.size === 0) {
    const found = await changesIn(span, wanted, memory);
    return eventsValue(found, phrase, { p: found.length > 0 ? 0.65 : 0.5, complete: await watched(call) });
  }
  // The referent is found by name, at any time; what is gone from a place was there once.
  const isOfPlace = PLACED.has(call.node.of[0]!.op) && wanted.kinds.includes("gone");
  const set = await call.arg(0, { during: isOfPlace ? await extentOf(memory) : undefined });
  if (set.kind !== "things") return set;
  const found = await changesAmong(set.things, span, wanted, memory);
  // Of things with one name, the one that something happened to.
  for (const rival of set.rivals?.slice(0, MOST_THINGS) ?? [])
    if (found.length === 0) found.push(...(await changesOf(rival, span, wanted, memory)));
  return eventsValue(found, phrase, {
    p: (found.length > 0 ? 0.7 : 0.65) * set.p,
    complete: WHOLE,
    ...(found.length === 0 && { evidence: set.evidence }),
    rivals: set.rivals,
  });
}

/** The changes of the members of a set; of many, those among all that changed. */
async function changesAmong(
  things: readonly KnownThing[],
  span: Span,
  wanted: Wanted,
  memory: Belief,
): Promise<Happening[]> {
  const [first] = things;
  if (first?.spot && first.slot) return slotChanges(things, span, wanted, memory);
  if (things.length > MOST_THINGS) {
    const tracks = new Set(things.map(({ trackId }) => trackId));
    const all = await changesIn(span, wanted, memory);
    return all.filter(({ event, thing }) => tracks.has(String(event.detail["trackId"] ?? thing?.trackId)));
  }
  const found: Happening[] = [];
  for (const thing of things) found.push(...(await changesOf(thing, span, wanted, memory)));
  return found;
}

/** Changes are known only where the robot was in that time: rooms that were not entered may have others. */
async function watched(call: Call): Promise<Completeness> {
  const { memory, during } = call.scope;
  if (during === undefined) return WHOLE;
  const rooms = await memory.rooms();
  // The stays of all robots count.
  const stays = await staysIn(undefined, undefined, { ...call.scope, agentId: undefined });
  const visited = new Set(stays.events.map(({ regionId }) => regionId));
  const missing = rooms.filter(({ id }) => !visited.has(id));
  return {
    share: rooms.length === 0 ? 1 : 1 - missing.length / rooms.length,
    missing: missing.map(({ name }) => `the ${name}`),
  };
}

/** The history of a thing: its places in order, and its changes in between. */
async function runHistory(call: Call): Promise<Value> {
  const set = await call.arg(0, { during: undefined });
  if (set.kind !== "things") return set;
  const { memory } = call.scope;
  const span = spanOf(call.scope);
  const found: Happening[] = [];
  for (const thing of set.things.slice(0, MOST_THINGS)) {
    if (movesItself(thing.category)) {
      found.push(...happeningsOf(await staysIn(undefined, thing, call.scope)));
      continue;
    }
    const places = await placesOf(thing, memory);
    for (const [n, place] of places.entries()) {
      const { validFromUs, validToUs } = place.state;
      if (validFromUs >= span.toUs || (validToUs ?? Infinity) <= span.fromUs) continue;
      found.push({
        event: madeEvent(
          place.state.id,
          n === 0 ? "appear" : "move",
          { fromUs: validFromUs, toUs: places[n + 1]?.state.validFromUs ?? validToUs },
          { who: [place.state.id] },
        ),
        thing: place,
      });
    }
    found.push(...(await changesOf(thing, span, { kinds: ["state", "gone"] }, memory)));
  }
  return eventsValue(found, set.phrase, {
    p: set.p * 0.8,
    evidence: evidenceFor(found.flatMap(({ thing }) => thing ?? [])),
  });
}

/** The things that events happened to, as they are now. */
async function runAffected(call: Call): Promise<Value> {
  const events = (await call.arg(0)) as EventsValue;
  const { memory } = call.scope;
  const things = distinctTracks(events.things.filter((thing) => thing !== undefined)).slice(0, MOST_AFFECTED);
  const now: KnownThing[] = [];
  for (const thing of things)
    now.push((thing.spot ? undefined : await memory.thingOfState(thing.state.id, 1)) ?? thing);
  const lacking = now.length > 0 ? undefined : unknownValue("looked-absent", "nothing that I noticed");
  return theseThings(distinctTracks(now), "thing", events, { lacking });
}

/** The carriers of things, by joint movement in tracking. */
async function runCarrier(call: Call): Promise<Value> {
  const set = await call.arg(0, { during: undefined });
  if (set.kind !== "things") return set;
  const { memory } = call.scope;
  const tracks = new Set(set.things.map(({ trackId }) => trackId));
  const events = (await memory.events(["interaction", "move"], spanOf(call.scope))).filter(({ detail }) =>
    tracks.has(String(detail["trackId"])),
  );
  const by = events.flatMap(({ detail }) => detail["by"] ?? detail["cause"] ?? []).map(String);
  const carriers: KnownThing[] = [];
  for (const trackId of new Set(by.toReversed())) {
    const stays = await memory.stays(trackId);
    if (stays.length > 0) carriers.push(stays.at(-1)!);
  }
  for (const thing of carriers.length > 0 ? [] : set.things.slice(0, MOST_THINGS)) {
    const moves = await changesOf(thing, spanOf(call.scope), { kinds: ["moved"] }, memory);
    for (const move of moves.toReversed()) {
      const by = await carrierOf(move, memory);
      if (by) carriers.push(by);
      if (by) break;
    }
  }
  if (carriers.length === 0) return notCarried(set, call);
  return theseThings(carriers, "person", { p: CARRIED_P });
}

/** The person that was seen to bring a thing to the end of a move. */
export async function carrierOf(
  { event, thing }: Happening,
  memory: Belief,
): Promise<KnownThing | undefined> {
  const { type, validFromUs: fromUs, validToUs } = event;
  const place =
    type === "move" ? (await memory.staysById([stateAfter(event)])).values().next().value : undefined;
  const there = place ?? (type === "move" ? thing : undefined);
  return there && validToUs !== null
    ? carrierIn({ thing: there, fromUs, toUs: validToUs }, memory)
    : undefined;
}

/** No carrier was seen; and none is needed where the thing is still in its place. */
async function notCarried({ things, evidence }: ThingsValue, { scope }: Call): Promise<Value> {
  const [first] = things;
  const moved = first && (await changesOf(first, spanOf(scope), { kinds: ["moved"] }, scope.memory));
  if (!first || moved!.length > 0)
    return unknownValue("never-seen", "I did not see who moved it.", { evidence });
  const is = `${theThing(first)} is ${await placeOf(first, scope.memory)}`;
  // It was put there before the first observation.
  return unknownValue("never-seen", `I did not see anybody move it: ${is}`, {
    evidence,
    goal: first,
  });
}

/** Changes, and the things they happened to. */
export const changes: readonly Operator[] = [
  {
    name: "changes",
    says: "what changed, of those things or of anything: moved, new, gone, switched, opened, closed, filled, emptied, state",
    takes: [{ name: "of", kinds: ["things"], optional: true }],
    options: changesOptions,
    gives: "events",
    reads: ["event", "state"],
    copes: true,
    run: runChanges,
  },
  {
    name: "history",
    says: "the life of things: their places and states in order",
    takes: [{ name: "of", kinds: ["things"] }],
    gives: "events",
    reads: ["event", "state"],
    copes: true,
    run: runHistory,
  },
  {
    name: "affected",
    says: "the things that events happened to",
    takes: [{ name: "events", kinds: ["events"] }],
    gives: "things",
    reads: ["state"],
    run: runAffected,
  },
  {
    name: "carrier",
    says: "who moved those things",
    takes: [{ name: "of", kinds: ["things"] }],
    gives: "things",
    reads: ["event", "state"],
    copes: true,
    run: runCarrier,
  },
];
