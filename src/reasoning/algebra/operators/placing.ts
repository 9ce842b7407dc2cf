import { z } from "zod";
import { isMover } from "../../../belief/mobility.ts";
import { AWAY, type PresenceStatus } from "../../../belief/presence.ts";
import { RELATIONS, type Relation } from "../../../belief/relations.ts";
import type { RoomView } from "../../../belief/room-names.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import { trust } from "../../../belief/trust.ts";
import { theThing } from "../../say/naming.ts";
import { node } from "../notation.ts";
import type { Call, Operator, Scope } from "../operator.ts";
import { notThere } from "../things/meant.ts";
import { whereabouts } from "../things/place.ts";
import { anchorsOf, judgeByAnchors, judgeByViewer } from "../things/related.ts";
import { roomRelation } from "../things/room-relations.ts";
import {
  type KnownValue,
  type RoomsValue,
  type SelfValue,
  type ThingsValue,
  together,
  truthValue,
  unknownValue,
  type Value,
} from "../value.ts";
import { roomsAt, roomsOf } from "./sets.ts";

/** The most other candidates tried where the likeliest is not there. */
const MOST_TRIED = 8;

type Holds = (thing: KnownThing) => Promise<number>;

/** A thing's relation to a place: in one of the rooms, or in the relation to one of the things. */
async function holdsAt(place: KnownValue, relation: Relation | undefined, scope: Scope): Promise<Holds> {
  if (place.kind === "rooms" || place.kind === "floors") {
    const ids = new Set((await roomsOf(place, scope)).map(({ id }) => id));
    // A thing on the outside of a wall is in none of the rooms, but still part of the house.
    const isIn = relation === undefined || relation === "in" || place.kind === "floors";
    if (isIn && place.kind === "rooms" && place.everywhere) return async () => 1;
    if (isIn) return async (thing) => (ids.has((await scope.memory.roomOf(thing))?.id ?? "") ? 1 : 0);
  }
  if (place.kind === "self") {
    const judge = await judgeByViewer(relation ?? "near", place, undefined, scope, false);
    return async (thing) => judge(thing).score;
  }
  const anchors = anchorsOf(place);
  const judges = await Promise.all(
    (relation === undefined ? (["on", "in"] as const) : [relation]).map((one) =>
      judgeByAnchors(one, anchors, anchors, undefined, scope),
    ),
  );
  return async (thing) => Math.max(...judges.map((judge) => judge(thing).score));
}

/** A thing that is gone is in no place now. */
function unlessAway(holds: Holds, scope: Scope): Holds {
  return async (thing) => (AWAY.has(await statusOf(thing, scope)) ? 0 : holds(thing));
}

async function statusOf(thing: KnownThing, { memory, during }: Scope): Promise<PresenceStatus> {
  return during === undefined && !thing.spot ? (await memory.standing(thing)).status : "there";
}

async function isThere(set: ThingsValue, place: KnownValue, where: Holds, scope: Scope): Promise<Value> {
  const holds = unlessAway(where, scope);
  const [first] = set.things;
  if (!first) return set.lacking ?? notThere(set);
  if (!isMover(first.category) && (await statusOf(first, scope)) === "unknown") {
    const was = `${theThing(first)} was ${await whereabouts(first, scope)}`;
    return unknownValue("not-yet", was, { evidence: set.evidence, goal: first });
  }
  const own = await Promise.all(set.things.map(holds));
  // "The mug" may be any of those that fit: the one that is there is meant.
  const tried = set.rivals?.slice(0, MOST_TRIED) ?? [];
  const others = await Promise.all(tried.map(holds));
  const isSo = own.every((score) => score > 0);
  const other = isSo ? -1 : others.findIndex((score) => score > 0);
  const score = other >= 0 ? others[other]! : Math.min(...own);
  const truth = isSo || other >= 0;
  const shown = other >= 0 ? tried[other]! : (set.things[own.indexOf(0)] ?? first);
  const sure = (truth ? 0.6 + 0.4 * score : 0.85) * Math.min(1, 0.2 + place.p);
  const p = (await trust(shown, scope.memory)) * sure;
  const instead = truth ? undefined : `${theThing(shown)} is ${await whereabouts(shown, scope)}`;
  const { evidence } = together([set, place]);
  return truthValue(
    truth,
    { p, complete: set.complete, evidence },
    { shown: { ...set, things: [shown], rivals: undefined }, instead },
  );
}

/**
 * "Is the lamp in the bathroom?", where a likelier one is elsewhere: the one that is in the bathroom, if there is any.
 */
async function anyThere(call: Call): Promise<ThingsValue | undefined> {
  const [of, place] = call.node.of;
  if (of?.op !== "the" || place === undefined) return undefined;
  const inside = await call.value(node("in", [of.of[0]!, place]));
  const [best] = inside.kind === "things" ? inside.things : [];
  return best && { ...(inside as ThingsValue), things: [best], rivals: undefined };
}

async function within(call: Call): Promise<Value> {
  const [x, place] = [(await call.arg(0)) as KnownValue, (await call.arg(1)) as KnownValue];
  const relation = call.options["relation"] as Relation | undefined;
  if (place.kind === "rooms" && place.rooms.length === 0)
    return unknownValue("never-seen", `I know of no ${place.phrase} here`);
  if (place.kind === "things" && place.things.length === 0) return place.lacking ?? notThere(place);
  if (x.kind === "things") {
    const holds = await holdsAt(place, relation, call.scope);
    const told = await isThere(x, place, holds, call.scope);
    if (told.kind !== "truth" || told.truth || place.kind !== "rooms") return told;
    const there = await anyThere(call);
    // Where the same one was once says nothing of where it is.
    const isOther = there && !x.things.some(({ trackId }) => trackId === there.things[0]!.trackId);
    return isOther ? isThere(there, place, holds, call.scope) : told;
  }
  const rooms = await roomsOf(place, call.scope);
  if (x.kind !== "rooms")
    return roomThere(await call.scope.memory.roomAt((x as SelfValue).position), rooms, x, place);
  if (relation === undefined || relation === "in") return roomThere(x.rooms[0], rooms, x, place);
  return roomStands(x, place, relation, call.scope);
}

/** Whether rooms stand in a relation to others: next to, above, opposite. */
async function roomStands(
  x: RoomsValue,
  place: KnownValue,
  relation: Relation,
  scope: Scope,
): Promise<Value> {
  const [stands, others] = [await roomRelation(relation, scope), await roomsAt(place, scope)];
  if (!stands || x.rooms.length === 0 || others.length === 0)
    return unknownValue("not-understood", `I cannot tell whether that is ${relation} it`);
  const { p, evidence } = together([x, place]);
  return truthValue(
    x.rooms.some((room) => others.some((one) => stands(room, one))),
    { p, evidence },
  );
}

function roomThere(
  own: RoomView | undefined,
  rooms: readonly RoomView[],
  x: KnownValue,
  place: KnownValue,
): Value {
  if (!own) return unknownValue("not-yet", "I do not know in which room that is");
  const truth = rooms.some(({ id }) => id === own.id);
  const { p, evidence } = together([x, place]);
  const is = x.kind === "self" ? `I am in the ${own.name}` : `the ${own.name}`;
  return truthValue(truth, { p, evidence }, { instead: truth ? undefined : is });
}

/** Yes/no questions about places. */
export const placing: readonly Operator[] = [
  {
    name: "within",
    says: "whether it is in those rooms, on those floors, or in the relation to those things",
    takes: [
      { name: "of", kinds: ["things", "self", "rooms"] },
      { name: "place", kinds: ["rooms", "floors", "things", "self"] },
    ],
    options: z.strictObject({ relation: z.enum(RELATIONS).optional() }),
    gives: "truth",
    reads: ["state"],
    run: within,
  },
];
