import { z } from "zod";
import { evidenceFor, evidenceOfRooms } from "../../../belief/trust.ts";
import type { Way } from "../../ways/way.ts";
import { bestWay, type End, endsOf } from "../ends.ts";
import { node } from "../notation.ts";
import type { Call, Operator } from "../operator.ts";
import { bearingTo, selfAt, sideOf } from "../things/viewer.ts";
import {
  type KnownValue,
  type RoomsValue,
  type RouteValue,
  theseRooms,
  theseThings,
  truthValue,
  type UnknownValue,
  unknownValue,
  WHOLE,
} from "../value.ts";

const ENDS = ["things", "rooms", "floors", "self"] as const;
const WAY = [
  { name: "from or to", kinds: ENDS },
  { name: "to", kinds: ENDS, optional: true },
  { name: "without", kinds: ["rooms", "things"], optional: true },
] as const;
/** A route search on the map takes some 10–20 ms. */
const COSTS = 50;
/** The confidence that there is no other route where none is known. */
const NO_OTHER_P = 0.7;
/** The confidence in a route measured along the map, from door to door, or guessed as a straight line. */
const SURE = { map: 0.85, doors: 0.7, straight: 0.35 };

export const ways: readonly Operator[] = [
  {
    name: "route",
    says: "the way to somewhere from where the asked one stands, or from the first to the second without passing the third",
    takes: WAY,
    gives: "route",
    reads: ["region", "state", "observation"],
    costs: COSTS,
    async run(call) {
      const route = await routeOf(call);
      const { viewer, pose } = call.scope;
      // If the start of the route is unknown, its end is still known.
      const isLost = route.kind === "unknown" && call.size === 1 && !viewer && !pose;
      return isLost ? call.value(node("place", call.node.of)) : route;
    },
  },
  {
    name: "reachable",
    says: "whether a way leads there, from where the asked one stands or from the first to the second, without passing the third",
    takes: WAY,
    gives: "truth",
    reads: ["region", "state", "observation"],
    costs: COSTS,
    async run(call) {
      const route = await routeOf(call);
      // Every known route leads through what is to be avoided.
      if (route.kind === "unknown" && route.reason === "looked-absent")
        return truthValue(false, { p: NO_OTHER_P, evidence: route.evidence });
      if (route.kind === "unknown") return route;
      const { complete, evidence } = route;
      if (complete.share === 1) return truthValue(true, route, { shown: route });
      // With a map, no route on it means that there is none; without one it is unknown.
      if (!(await call.scope.map?.()))
        return unknownValue("never-seen", "no way there is known", { complete });
      return truthValue(false, { p: 0.6, complete, evidence }, { shown: route });
    },
  },
  {
    name: "along",
    says: "the rooms that a way leads through between its ends, or its doors",
    takes: [{ name: "way", kinds: ["route"] }],
    options: z.strictObject({ doors: z.boolean().optional() }),
    gives: ["rooms", "things"],
    async run(call) {
      const route = (await call.arg(0)) as RouteValue;
      const { rooms, doors } = route;
      if (call.options["doors"] === true) return theseThings(doors, "door", route);
      const ends = new Set([rooms[0]?.id, rooms.at(-1)?.id]);
      const passed = rooms.filter(({ id }) => !ends.has(id));
      return theseRooms(passed, "room on the way", route);
    },
  },
  {
    name: "neighbours",
    says: "the rooms that a door or a way leads to from there",
    takes: [{ name: "of", kinds: ["rooms"] }],
    gives: "rooms",
    reads: ["region", "state", "observation"],
    async run(call) {
      const { phrase } = (await call.arg(0)) as RoomsValue;
      const beside = await call.value(node("relate", [node("rooms"), ...call.node.of], { relation: "with" }));
      return beside.kind === "rooms" ? { ...beside, phrase: `room beside the ${phrase}` } : beside;
    },
  },
];

async function routeOf(call: Call): Promise<RouteValue | UnknownValue> {
  const { scope } = call;
  const first = (await call.arg(0)) as KnownValue;
  const second = call.size > 1 ? ((await call.arg(1)) as KnownValue) : undefined;
  const own = scope.viewer ?? scope.pose;
  const starts = second ? await endsOf(first, scope) : own ? [{ point: own.position }] : [];
  const ends = await endsOf(second ?? first, scope);
  if (starts.length === 0)
    return second ? missing(first) : unknownValue("never-seen", "I do not know where you are");
  if (ends.length === 0) return missing(second ?? first);
  const without = call.size > 2 ? passedBy((await call.arg(2)) as KnownValue) : undefined;
  const { way, to } = await bestWay(starts[0]!.point, ends, scope, without);
  if (without && way.by === "straight")
    return unknownValue("looked-absent", "I know no way that does without it", { p: 0.6 });
  const viewer = second === undefined || first.kind === "self" ? await selfAt(scope) : undefined;
  const side = viewer && way.rooms.length < 2 ? sideOf(bearingTo(viewer, to.point)) : undefined;
  // The path ends beside a thing, which in an open plan may still be in the room before.
  const room = to.thing && (await scope.memory.roomOf(to.thing));
  const isShort = room !== undefined && way.rooms.length > 0 && way.rooms.at(-1)!.id !== room.id;
  const whole = isShort ? { ...way, rooms: [...way.rooms, room] } : way;
  return { ...routeValue(whole, to), ...(side !== undefined && { side }) };
}

/** The ids of rooms and doors that a route may pass. */
function passedBy(value: KnownValue): ReadonlySet<string> {
  if (value.kind === "rooms") return new Set(value.rooms.map(({ id }) => id));
  return new Set(value.kind === "things" ? value.things.map(({ trackId }) => trackId) : []);
}

function missing(value: KnownValue): UnknownValue {
  const phrase = "phrase" in value ? value.phrase : "place";
  return unknownValue("never-seen", `no ${phrase} that a way could lead to`);
}

function routeValue({ rooms, doors, points, lengthM, by }: Way, to: End): RouteValue {
  const complete =
    by === "straight" ? { share: 0.5, missing: [`the way to the ${rooms.at(-1)?.name ?? "place"}`] } : WHOLE;
  const evidence = [...evidenceOfRooms(rooms), ...evidenceFor(to.thing ? [...doors, to.thing] : doors)];
  return { kind: "route", rooms, doors, points, lengthM, to, p: SURE[by], complete, evidence };
}
