import { stateAfter } from "../../../belief/happening.ts";
import { isMover } from "../../../belief/mobility.ts";
import { distinctTracks, type KnownThing } from "../../../belief/thing.ts";
import { evidenceFor, evidenceOf } from "../../../belief/trust.ts";
import { theThing } from "../../say/naming.ts";
import { endsOf } from "../ends.ts";
import type { Call, Operator } from "../operator.ts";
import { selfAt, sideOf, wrapped } from "../things/viewer.ts";
import { momentOf, spanOf } from "../time/spans.ts";
import { ownWay, STILL_M, staysPut, type Way, walkOf, wayOf } from "../time/walks.ts";
import {
  type EventsValue,
  numberValue,
  theseThings,
  truthValue,
  type UnknownValue,
  unknownValue,
  type Value,
  wordsValue,
} from "../value.ts";
import { CARRIED_P, carrierOf } from "./changes.ts";

/** A rotation slower than this is still straight walking. */
const TURNING_RAD_S = 0.12;
const BESIDE_US = 1_000_000;

/** The movement of a named person or thing, at its sighting. */
async function moved(
  call: Call,
  way: (thing: KnownThing, scope: Call["scope"]) => Promise<Way | undefined>,
): Promise<UnknownValue | { readonly thing: KnownThing; readonly way: Way | undefined }> {
  const set = await call.arg(0, { during: undefined });
  if (set.kind !== "things") return set as UnknownValue;
  const [thing] = set.things;
  if (!thing) return unknownValue("never-seen", "I did not see that.");
  const found = await way(thing, call.scope);
  // A thing that stays where it is was not moving, seen or not.
  const isStill =
    !isMover(thing.category) && (found ? !found.moving : await staysPut(thing, call.scope.memory));
  if (!found && !isStill)
    return unknownValue("never-seen", `I saw ${theThing(thing)} only for a moment.`, {
      evidence: evidenceFor([thing]),
      goal: thing,
    });
  return { thing, way: isStill ? undefined : found };
}

/** The speed of a person or thing, or of the robot itself. */
async function pace(
  call: Call,
): Promise<UnknownValue | { readonly thing?: KnownThing; readonly way: Way | undefined }> {
  const value = await call.arg(0, { during: undefined });
  if (value.kind !== "self") return moved(call, wayOf);
  const way = await ownWay(call.scope);
  return way ? { way } : unknownValue("never-seen", "I do not remember that moment.");
}

/** The confidence in a movement. */
const MOVED_P = 0.6;

function restingOn(thing: KnownThing | undefined, way: Way | undefined) {
  return { p: MOVED_P, evidence: thing ? [evidenceOf(thing, thing.name, way?.atUs)] : [] };
}

function still(thing: KnownThing): UnknownValue {
  return unknownValue("false-premise", `${theThing(thing)} was not moving`, {
    evidence: evidenceFor([thing]),
    goal: thing,
    p: 0.75,
  });
}

/** The direction of a movement from the robot's point of view. */
async function runMotion(call: Call): Promise<Value> {
  const value = await call.arg(0, { during: undefined });
  if (value.kind === "self") return turning(call);
  if (value.kind === "events") {
    // At another time it may not exist.
    const asked = await call.arg(0);
    return asked.kind === "events" ? turns(asked) : asked;
  }
  const found = await moved(call, wayOf);
  if ("kind" in found) return found;
  const { thing, way } = found;
  if (!way) return still(thing);
  const words = way.moving ? await directionOf(way, call) : "it stood still";
  return wordsValue("motion", [{ words, p: MOVED_P, thing }], restingOn(thing, way));
}

async function directionOf(way: Way, call: Call): Promise<string> {
  const viewer = await selfAt({ ...call.scope, during: { fromUs: way.atUs, toUs: way.atUs + 1 } });
  const angle = Math.atan2(way.dy, way.dx) - (viewer?.yawRad ?? 0);
  const side = sideOf(angle);
  return { front: "away", behind: "towards" }[side] ?? side;
}

/** The direction in which the robot turned at a moment, by the poses around it. */
async function turning({ scope: { memory, agentId, ...scope } }: Call): Promise<Value> {
  const atUs = momentOf(scope) ?? memory.nowUs;
  const [before, after] = [
    await memory.poseAt(atUs - BESIDE_US, agentId),
    await memory.poseAt(atUs + BESIDE_US, agentId),
  ];
  if (!before || !after || after.timeUs <= before.timeUs)
    return unknownValue("never-seen", "I do not remember that moment.");
  const turned = after.yawRad - before.yawRad;
  const rate = wrapped(turned) / ((after.timeUs - before.timeUs) / 1e6);
  const words =
    Math.abs(rate) <= TURNING_RAD_S
      ? "I was not turning"
      : rate > 0
        ? "counter-clockwise, to the left"
        : "clockwise, to the right";
  const p = Math.min(0.95, 0.5 + Math.abs(Math.abs(rate) - TURNING_RAD_S));
  return wordsValue("motion", [{ words, p }], { p });
}

/** The directions in which the robot turned, turn by turn. */
function turns({ events, p, complete, evidence }: EventsValue): Value {
  const items = events.flatMap(({ detail, validFromUs }) =>
    typeof detail["direction"] === "string" ? [{ words: detail["direction"], p, atUs: validFromUs }] : [],
  );
  if (items.length === 0) return unknownValue("looked-absent", "I did not turn, as far as I remember.");
  return wordsValue("motion", items, { p, complete, evidence });
}

/** Whether a movement was towards a thing: within 45° of it, and nearer in the end. */
async function runApproaches(call: Call): Promise<Value> {
  const found = await moved(call, walkOf);
  if ("kind" in found) return found;
  const { thing, way } = found;
  const goal = await call.arg(1, { during: undefined });
  if (goal.kind === "unknown") return goal;
  const to = (await endsOf(goal, call.scope))[0]?.point;
  const [first] = way?.steps ?? [];
  if (!to || !way || !first) return truthValue(false, { p: 0.7, evidence: evidenceFor([thing]) });
  const aim = { x: to.x - first.position.x, y: to.y - first.position.y };
  const [wayM, aimM] = [Math.hypot(way.dx, way.dy), Math.hypot(aim.x, aim.y)];
  const cos = wayM * aimM < 1e-6 ? 0 : (way.dx * aim.x + way.dy * aim.y) / (wayM * aimM);
  const p = 0.55 + 0.35 * Math.min(1, Math.abs(cos - Math.SQRT1_2));
  return truthValue(wayM > STILL_M && cos > Math.SQRT1_2, { ...restingOn(thing, way), p });
}

/** The most moves examined for their carrier. */
const MOST_MOVES = 60;

/** The things that a person carried: those that moved with them in tracking. */
async function runCarried(call: Call): Promise<Value> {
  const set = await call.arg(0, { during: undefined });
  if (set.kind !== "things") return set;
  const { memory } = call.scope;
  const tracks = new Set(set.things.map(({ trackId }) => trackId));
  const states = new Set(set.things.map(({ state }) => state.id));
  const events = (await memory.events(["interaction", "move"], spanOf(call.scope))).filter(
    ({ detail, who }) =>
      tracks.has(String(detail["by"] ?? detail["cause"] ?? "")) || who.some((id) => states.has(id)),
  );
  const known = await memory.staysById(events.flatMap(({ who }) => who));
  const things = events
    .flatMap(({ who }) => who.flatMap((id) => known.get(id) ?? []))
    .filter(({ category, trackId }) => category !== "person" && !tracks.has(trackId));
  for (const event of (await memory.events(["move"], spanOf(call.scope))).slice(-MOST_MOVES)) {
    const thing = (await memory.staysById([stateAfter(event)])).values().next().value;
    const by = thing && (await carrierOf({ event, thing }, memory));
    if (by && tracks.has(by.trackId)) things.push(thing);
  }
  const who = set.things[0] ? theThing(set.things[0]) : "anybody";
  if (things.length === 0)
    return unknownValue("never-seen", `I did not notice ${who} carrying anything.`, {
      evidence: evidenceFor(set.things.slice(0, 1)),
    });
  // The last thing carried comes first: a singular question means it.
  return theseThings(distinctTracks(things).toReversed(), "thing", { p: CARRIED_P });
}

/** Movements of things and people. */
export const movement: readonly Operator[] = [
  {
    name: "motion",
    says: "which way somebody moved as the asked one saw it; which way the asked one turned, at a moment (self) or in turns (events)",
    takes: [{ name: "of", kinds: ["things", "self", "events"] }],
    gives: "words",
    reads: ["state", "observation", "event"],
    copes: true,
    run: runMotion,
  },
  {
    name: "moving",
    says: "whether somebody, or the asked one itself, moved",
    takes: [{ name: "of", kinds: ["things", "self"] }],
    gives: "truth",
    reads: ["state", "observation"],
    copes: true,
    async run(call) {
      const found = await pace(call);
      if ("kind" in found) return found;
      const { thing, way } = found;
      return truthValue(way?.moving ?? false, { ...restingOn(thing, way), p: way ? MOVED_P : 0.8 });
    },
  },
  {
    name: "speed",
    says: "how fast somebody, or the asked one itself, moved",
    takes: [{ name: "of", kinds: ["things", "self"] }],
    gives: "number",
    reads: ["state", "observation"],
    copes: true,
    async run(call) {
      const found = await pace(call);
      if ("kind" in found) return found;
      const { thing, way } = found;
      if (!way) return still(thing!);
      return numberValue(way.speedMps, "m/s", restingOn(thing, way), { of: thing && [thing] });
    },
  },
  {
    name: "approaches",
    says: "whether somebody went towards a thing, a room or the asked one",
    takes: [
      { name: "who", kinds: ["things"] },
      { name: "to", kinds: ["things", "rooms", "self"] },
    ],
    gives: "truth",
    reads: ["state"],
    copes: true,
    run: runApproaches,
  },
  {
    name: "carried",
    says: "what somebody carried, the last first",
    takes: [{ name: "who", kinds: ["things"] }],
    gives: "things",
    reads: ["event", "state"],
    copes: true,
    run: runCarried,
  },
];
