import { z } from "zod";
import { withThings } from "../../../belief/changes.ts";
import { type EventRecord, type Happening, madeEvent } from "../../../belief/happening.ts";
import { inWorld } from "../../../belief/poses.ts";
import type { Span } from "../../../belief/span.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import { evidenceFor } from "../../../belief/trust.ts";
import { distance, type Vec3 } from "../../../geometry/index.ts";
import { idSchema } from "../../../schema/index.ts";
import type { Call, Operator, Parameter, Scope } from "../operator.ts";
import { staysOnFloor } from "../time/floor-stays.ts";
import { eventsValue, happeningsOf } from "../time/happenings.ts";
import { timesInView } from "../time/sights.ts";
import { spanOf } from "../time/spans.ts";
import { isIn, staysIn, stepsIn } from "../time/whereabouts.ts";
import {
  type EventsValue,
  type FloorsValue,
  type Kind,
  numberValue,
  type RoomsValue,
  type ThingsValue,
  unknownValue,
  type Value,
} from "../value.ts";

const VERBS = ["enter", "exit", "stop", "turn", "pass", "visit", "see"] as const;
const doingsOptions = z.strictObject({
  verb: z.enum(VERBS),
  direction: z.enum(["left", "right"]).optional(),
  /** Another robot, by its id. */
  agent: idSchema.optional(),
});
type Where = RoomsValue | FloorsValue | ThingsValue;

/** An action this near to a thing was done at it. */
const AT_M = 2.5;
/**
 * The most things whose times in view are read; and for the whole memory, the most things with the most sightings each.
 */
const MOST_FOLLOWED = 24;
const MOST_SEEN = 60;
const MOST_LOOKS = 400;
/** Between two observations a standing robot seems to move by less than this. */
const JITTER_M = 0.04;
/** Leaving one room and entering the next are one moment, known to two seconds. */
const DOORSTEP_US = 2_000_000;

/** The agent of the action; undefined for the robot asked. */
async function whoOf(call: Call, n: number): Promise<{ readonly who?: KnownThing } | Value> {
  if (call.size <= n) return {};
  // The referent is found by name, at any time.
  const value = await call.arg(n, { during: undefined });
  if (value.kind === "unknown") return value;
  const who = value.kind === "things" ? value.things[0] : undefined;
  return who ? { who } : {};
}

async function runDoings(call: Call): Promise<Value> {
  const { verb, direction, agent } = call.options as z.infer<typeof doingsOptions>;
  const scope: Scope = agent === undefined ? call.scope : { ...call.scope, agentId: agent };
  const where = call.size === 0 ? undefined : await call.arg(0, { during: undefined });
  if (where?.kind === "unknown") return where;
  const doer = await whoOf(call, 1);
  if ("kind" in doer) return doer;
  if (doer.who?.agentId !== undefined)
    return call.value({ ...call.node, of: call.node.of.slice(0, 1) }, { agentId: doer.who.agentId });
  const { who } = doer;
  const place = where as Where | undefined;
  if (verb === "see") return sightsOf(place, scope);
  if (verb === "enter" || verb === "exit" || verb === "visit") {
    const inRooms = await staysIn(place, who, scope);
    const isCrossing = place?.kind === "floors" && verb !== "visit";
    const onFloor = isCrossing ? staysOnFloor(inRooms, await staysIn(undefined, who, scope)) : inRooms;
    const stays = who && isCrossing && verb === "enter" ? await arrived(onFloor, who, scope) : onFloor;
    if (verb !== "exit") return begun(stays, verb, scope);
    return ends(who ? await left(stays, who, scope) : stays, scope);
  }
  if (who) return unknownValue("never-seen", "I remember only where others were, not what they did.");
  const events = await scope.memory.events([verb], spanOf(scope), scope.agentId);
  const turned =
    direction === undefined ? events : events.filter(({ detail }) => detail["direction"] === direction);
  const happenings = await withThings(turned, scope.memory);
  return eventsValue(await doneAt(happenings, place, scope), verb, { p: turned.length > 0 ? 0.75 : 0.65 });
}

/** Stays that began in the time that is meant: a person already there did not enter. Entering takes no time. */
function begun(stays: EventsValue, verb: "enter" | "visit", scope: Scope): EventsValue {
  const fromUs = spanOf(scope).fromUs - DOORSTEP_US;
  const kept = happeningsOf(stays)
    .filter(({ event }) => event.validFromUs >= fromUs)
    .map(({ event, thing }) => ({
      event: verb === "visit" ? event : { ...event, validToUs: event.validFromUs + 1 },
      thing,
    }));
  return eventsValue(kept, stays.phrase, { p: stays.p, evidence: stays.evidence });
}

/** Without the first stay of a person: who was on a floor when first seen was not seen to come there. */
async function arrived(stays: EventsValue, who: KnownThing, scope: Scope): Promise<EventsValue> {
  const first = happeningsOf(await staysIn(undefined, who, { ...scope, during: undefined }))[0];
  const kept = happeningsOf(stays).filter(({ event }) => event.validFromUs !== first?.event.validFromUs);
  return eventsValue(kept, stays.phrase, { p: stays.p, evidence: stays.evidence });
}

/** Without the last stay of a person: the end of observation is not a departure. */
async function left(stays: EventsValue, who: KnownThing, scope: Scope): Promise<EventsValue> {
  const last = happeningsOf(await staysIn(undefined, who, scope)).at(-1);
  const kept = happeningsOf(stays).filter(({ event }) => event.validFromUs !== last?.event.validFromUs);
  return eventsValue(kept, stays.phrase, { p: stays.p, evidence: stays.evidence });
}

/** The same by their ends; a stay that goes on has none. */
function ends(stays: EventsValue, scope: Scope): EventsValue {
  const { toUs } = spanOf(scope);
  const over = happeningsOf(stays).filter(
    ({ event }) => event.validToUs !== null && event.validToUs < toUs - DOORSTEP_US,
  );
  return eventsValue(
    over.map(({ event, thing }) => ({
      event: madeEvent(
        event.id,
        "exit",
        { fromUs: event.validToUs!, toUs: event.validToUs! + 1 },
        {
          ...(event.regionId !== undefined && { regionId: event.regionId }),
          text: event.text.map((line) => line.replace(/^(?:in|at) /, "left ")),
        },
      ),
      thing,
    })),
    stays.phrase,
    { p: stays.p, evidence: stays.evidence },
  );
}

/** Actions in these rooms, or at these things. */
async function doneAt(
  happenings: readonly Happening[],
  where: Where | undefined,
  { memory }: Scope,
): Promise<Happening[]> {
  if (!where) return [...happenings];
  const frames = await memory.options.reader.frames();
  const kept: Happening[] = [];
  for (const one of happenings) {
    const { event } = one;
    const at = event.anchor && inWorld(frames, event.anchor);
    if (where.kind === "things") {
      if (where.things.some((thing) => isAt(event, at, thing))) kept.push(one);
    } else {
      const room = await memory.roomOf({ roomId: event.regionId, position: at });
      if (room && isIn(room, where)) kept.push(one);
    }
  }
  return kept;
}

function isAt(
  { detail, who }: EventRecord,
  at: Vec3 | undefined,
  { trackId, state, position }: KnownThing,
): boolean {
  if (detail["trackId"] === trackId || who.includes(state.id)) return true;
  return at !== undefined && position !== undefined && distance(position, at) < AT_M;
}

/**
 * The separate times that things were in view; without things, everything that came into view, by its first sighting.
 */
async function sightsOf(where: Where | undefined, scope: Scope): Promise<EventsValue> {
  const sights =
    where?.kind === "things" ? await sightsOfThings(where, scope) : await firstLooks(where, scope);
  const found = sights.map(({ thing, span }) => ({
    event: madeEvent(thing.trackId, "custom", span, {
      who: [thing.state.id],
      text: [`saw the ${thing.name}`],
      ...(thing.roomId !== undefined && { regionId: thing.roomId }),
    }),
    thing,
  }));
  return eventsValue(found, where?.phrase ?? "thing", {
    p: 0.6,
    evidence: evidenceFor(found.map(({ thing }) => thing)),
  });
}

interface Sight {
  readonly thing: KnownThing;
  readonly span: Span;
}

async function sightsOfThings({ things }: ThingsValue, scope: Scope): Promise<Sight[]> {
  const sights: Sight[] = [];
  for (const thing of things.slice(0, MOST_FOLLOWED))
    for (const span of await timesInView(thing, scope)) sights.push({ thing, span });
  return sights;
}

async function firstLooks(where: RoomsValue | FloorsValue | undefined, scope: Scope): Promise<Sight[]> {
  const { memory } = scope;
  const looks = await memory.options.reader.sightings({
    during: spanOf(scope),
    outcomes: ["seen"],
    order: "earliest",
    limit: MOST_LOOKS,
  });
  const firstUs = new Map<string, number>();
  for (const { stateId, timeUs, agentId } of looks) {
    const isOwn = scope.agentId === undefined || agentId === scope.agentId;
    if (isOwn && !firstUs.has(stateId)) firstUs.set(stateId, timeUs);
  }
  const seen = await memory.staysById([...firstUs.keys()].slice(0, MOST_SEEN));
  const sights: Sight[] = [];
  for (const thing of seen.values()) {
    const room = where && (await memory.roomOf(thing));
    if (where && !(room && isIn(room, where))) continue;
    const fromUs = firstUs.get(thing.state.id)!;
    sights.push({ thing, span: { fromUs, toUs: fromUs + 1 } });
  }
  return sights;
}

/** The distance travelled in a span of time, by sightings or own positions. */
async function runTravelled(call: Call): Promise<Value> {
  const doer = await whoOf(call, 0);
  if ("kind" in doer) return doer;
  const robot = doer.who?.agentId;
  const steps =
    robot === undefined
      ? await stepsIn(doer.who, call.scope)
      : await stepsIn(undefined, { ...call.scope, agentId: robot });
  if (steps.length < 2)
    return unknownValue("never-seen", doer.who ? "I did not see that." : "I remember no way of mine then.");
  // Several robots asked as one have separate paths.
  const ways = [...Map.groupBy(steps, ({ by }) => by).values()];
  const m = ways.reduce((sum, way) => sum + lengthOf(way.map(({ position }) => position)), 0);
  return numberValue(m, "m", { p: 0.8 });
}

function lengthOf([first, ...rest]: readonly Vec3[]): number {
  let m = 0;
  let at = first;
  for (const position of rest) {
    const step = at ? distance(at, position) : 0;
    if (step < JITTER_M) continue;
    m += step;
    at = position;
  }
  return m;
}

async function runStay(call: Call): Promise<Value> {
  const where = await call.arg(0, { during: undefined });
  if (where.kind === "unknown") return where;
  const doer = await whoOf(call, 1);
  if ("kind" in doer) return doer;
  const robot = doer.who?.agentId;
  return robot === undefined
    ? staysIn(where as Where, doer.who, call.scope)
    : staysIn(where as Where, undefined, { ...call.scope, agentId: robot });
}

const WHO: Parameter = { name: "who", kinds: ["self", "things"], optional: true };
const PLACES: readonly Kind[] = ["rooms", "floors", "things"];

/** Actions of an agent, by its own diary, its poses, and its sightings. */
export const doings: readonly Operator[] = [
  {
    name: "doings",
    says: "what the asked one, or somebody it saw, did: enter, exit or visit rooms, stop, turn, pass things, see things",
    takes: [{ name: "where", kinds: PLACES, optional: true }, WHO],
    options: doingsOptions,
    gives: "events",
    reads: ["event", "observation", "state"],
    copes: true,
    run: runDoings,
  },
  {
    name: "stay",
    says: "the stays of the asked one, or of somebody it saw, in rooms, on floors or at things",
    takes: [{ name: "where", kinds: PLACES }, WHO],
    gives: "events",
    reads: ["observation", "state"],
    copes: true,
    run: runStay,
  },
  {
    name: "travelled",
    says: "how far the asked one, or somebody it saw, went",
    takes: [WHO],
    gives: "number",
    reads: ["observation", "state"],
    copes: true,
    run: runTravelled,
  },
];
