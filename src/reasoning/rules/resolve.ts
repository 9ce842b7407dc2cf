import { centreOf, distance, extentOf, type Interval, inflate } from "../../geometry/index.ts";
import { LIMITS } from "../../schema/core.ts";
import type { RuleContext } from "../finding.ts";
import type { Description, Need, Relation, Subgoal } from "../need.ts";
import type { Scope } from "../recall/candidates.ts";
import { contradictionOf } from "../recall/matching.ts";
import type { RoomView } from "../recall/room-names.ts";
import { isLiveAt, type Thing } from "../recall/thing.ts";
import { egoSide, frameOf } from "./frames.ts";
import { holds, type ViewFrame } from "./geometry.ts";
import { apart, SAME_PLACE_M } from "./twins.ts";

/** What a description was resolved to. */
export interface Resolved {
  /** Best first; all of them fit. */
  readonly things: readonly Thing[];
  /** Things of that name before relations and rooms were asked for: what exists elsewhere. */
  readonly named: readonly Thing[];
  /** The room that limits the question; null when one was named that the memory does not know. */
  readonly room: RoomView | undefined | null;
  /** There are so many times as many as were read; 1 where all were. */
  readonly times?: number | undefined;
  /** Several fit as well as the best, apart from each other. */
  readonly ambiguous: boolean;
  /** The thing that is meant, and what the question says wrongly of it: there is no white one, it is beige. */
  readonly otherwise?:
    | { readonly thing: Thing; readonly attribute: string; readonly value: string }
    | undefined;
}

/** Candidates within this share of the best are as good. */
const AS_GOOD = 0.92;
const MOST_ANCHORS = 3;
/** Where one is asked for, no more than these are told apart. */
const LIKELIEST = 24;
/** For so many it is looked up how often they were seen; where there are more, one more or less matters little. */
const MOST_WEIGHED = 200;
/** What is beside somebody is no farther away; who looks into a room sees all of that side of it. */
const BESIDE_M = 4;
const IN_ROOM_M = 6;

/** The things that a subgoal speaks of: by name, room, and relations to other things. */
export async function resolve(goal: Subgoal, need: Need, context: RuleContext): Promise<Resolved> {
  const { recall, broadened } = context;
  const during = spanOf(need, recall.nowUs);
  const rooms = goal.region ? await roomsOf(goal.region, context) : undefined;
  const scope: Scope = { broadened, ...(during && { during }), ...wanted(need, context) };
  const listedHere = rooms ? await recall.things(goal.target, { ...scope, rooms }) : [];
  const here = rooms ? await inRooms(listedHere, rooms, context) : [];
  const listed = here.length > 0 ? listedHere : await recall.things(goal.target, scope);
  const named = here.length > 0 ? here : listed;
  let things = rooms ? (here.length > 0 ? here : await inRooms(named, rooms, context)) : named;
  // A room that nobody named yet may still hold the only one there is.
  if (rooms === null)
    things = named.length === 1 && need.asks !== "exist" && need.asks !== "count" ? [unsure(named[0]!)] : [];
  for (const relation of goal.relations) {
    if (things.length === 0) break;
    things = await related(things, relation, need, context);
  }
  things = await supported(things, context);
  const fitting = things.filter(({ state }) => contradictionOf(goal.target, state) === undefined);
  const [meant] = things;
  const said = meant && fitting.length === 0 ? contradictionOf(goal.target, meant.state) : undefined;
  // A material is often part of a name: what is of another one is another thing.
  const against = said?.attribute === "material" ? undefined : said;
  things = fitting;
  const live = things.filter((thing) => isLiveAt(thing, atUs(need, recall.nowUs)));
  const ordered = live.length > 0 ? [...live, ...things.filter((thing) => !live.includes(thing))] : things;
  const distinct = await apart(scope.all ? ordered : ordered.slice(0, LIKELIEST), recall);
  return {
    ...(meant && against && { otherwise: { thing: meant, ...against } }),
    things: distinct,
    named,
    times: recall.shareOf(listed),
    room: rooms === null ? null : rooms?.[0],
    ambiguous: isAmbiguous(distinct, live),
  };
}

/** Sets are counted; and what was moved has many stays, of which the one asked about may be an old one. */
const NEEDS_ALL: ReadonlySet<Need["asks"]> = new Set(["count", "capacity", "change", "frequency"]);

/** How many of those that fit a question needs: all, the nearest, or the likeliest. */
function wanted(
  { asks, quantifier, compare, subgoals }: Need,
  { pose }: RuleContext,
): Pick<Scope, "all" | "near"> {
  if (asks === "nearest" && pose) return { near: pose.position };
  const isSet = compare !== undefined && (subgoals.length === 1 || compare.dimension === "count");
  return { all: quantifier !== "one" || NEEDS_ALL.has(asks) || isSet };
}

const IN_UNKNOWN_ROOM = 0.7;

function unsure(thing: Thing): Thing {
  return { ...thing, fit: thing.fit * IN_UNKNOWN_ROOM };
}

/** Things weighed by how often they were seen: what was seen once may be a mistake. */
async function supported(things: readonly Thing[], { recall }: RuleContext): Promise<Thing[]> {
  const presence = await recall.presence(things.slice(0, MOST_WEIGHED).map(({ state }) => state.id));
  return things
    .map((thing) => {
      const seen = presence.get(thing.state.id)?.seenCount ?? Infinity;
      return { ...thing, fit: thing.fit * (seen <= 1 ? 0.75 : seen === 2 ? 0.88 : 1) };
    })
    .sort((a, b) => b.fit - a.fit || (a.trackId < b.trackId ? -1 : 1));
}

/** The things a relation is to: the best that fit, in the room that the question names if there is one. */
export async function anchorsOf(
  description: Description,
  need: Need,
  context: RuleContext,
  rooms?: readonly RoomView[] | null | undefined,
): Promise<Thing[]> {
  const during = spanOf(need, context.recall.nowUs);
  const scope: Scope = { broadened: context.broadened, ...(during && { during }) };
  const here = rooms
    ? await inRooms(await context.recall.things(description, { ...scope, rooms }), rooms, context)
    : [];
  const named = here.length > 0 ? here : await context.recall.things(description, scope);
  const fitting = (await supported(here.length > 0 ? here : named, context)).filter(
    ({ state }) => contradictionOf(description, state) === undefined,
  );
  const live = fitting.filter((thing) => isLiveAt(thing, atUs(need, context.recall.nowUs)));
  return apart((live.length > 0 ? live : fitting).slice(0, LIKELIEST), context.recall);
}

/** Everything that stands in a goal's relations, for questions about what is there. */
export async function whateverIs(goal: Subgoal, need: Need, context: RuleContext): Promise<Thing[]> {
  const { recall } = context;
  const rooms = goal.region ? await roomsOf(goal.region, context) : undefined;
  const [first, ...rest] = goal.relations;
  const during = spanOf(need, recall.nowUs);
  let things: Thing[];
  if (first === undefined) {
    things = rooms?.[0] ? await recall.everything({ roomId: rooms[0].id, ...(during && { during }) }) : [];
  } else things = await standing(first, need, context, rooms);
  if (rooms && first !== undefined) things = await inRooms(things, rooms, context);
  for (const relation of rest) things = await related(things, relation, need, context);
  const { attributes } = goal.target;
  const wanted = Object.entries(attributes);
  const fitting = things.filter((thing) =>
    wanted.every(([name, value]) => String(thing.state.attributes[name]?.value ?? value) === value),
  );
  return fitting.length > 0 || wanted.length > 0 ? fitting : things;
}

/** Things around the anchor of a relation that stand in it. */
async function standing(
  relation: Relation,
  need: Need,
  context: RuleContext,
  rooms: readonly RoomView[] | null | undefined,
): Promise<Thing[]> {
  const { recall } = context;
  const during = spanOf(need, recall.nowUs);
  if (relation.anchor === undefined) {
    const frame = await frameOf(relation.frame ?? need.frame ?? { kind: "ego" }, need, context);
    if (!frame) return [];
    const near = await recall.around(
      { type: "radius", centre: frame.position, radiusM: relation.withinM ?? (rooms ? IN_ROOM_M : BESIDE_M) },
      during,
    );
    const here = rooms?.[0] ?? (await recall.roomAt(frame.position));
    const known = await supported(near, context);
    const intoRoom = relation.frame?.from !== undefined;
    return scored(known, (thing) => {
      const away = here !== undefined && thing.roomId !== undefined && thing.roomId !== here.id;
      const side = egoSide(relation.predicate, thing, frame, intoRoom);
      return side * (away ? 0.2 : 1) * (standsAlone(thing) ? 1 : intoRoom ? 0.1 : 0.35);
    });
  }
  const all = await anchorsOf(relation.anchor, need, context, rooms);
  const anchors = all.filter(({ fit }) => fit >= (all[0]?.fit ?? 0) * AS_GOOD).slice(0, MOST_ANCHORS);
  const others = relation.anchor2
    ? (await recall.things(relation.anchor2, during ? { during } : {})).slice(0, MOST_ANCHORS)
    : relation.predicate === "between"
      ? anchors
      : [];
  for (const anchor of anchors) {
    if (!anchor.box) continue;
    const reach = inflate(
      anchor.box,
      relation.predicate === "between"
        ? 4
        : ["left", "right", "front", "behind", "opposite"].includes(relation.predicate)
          ? 3
          : 1.5,
    );
    const near = await recall.around({ type: "box", min: reach.min, max: reach.max }, during);
    const frame = await frameOf(relation.frame ?? need.frame, need, context, anchor);
    const around = OPEN.has(relation.predicate) ? await besideIn(near, anchor, context) : near;
    const found = scored(around, (thing) =>
      relation.predicate === "between"
        ? Math.max(
            0,
            ...others
              .filter(({ trackId }) => trackId !== anchor.trackId && trackId !== thing.trackId)
              .map((other) => holds("between", thing, anchor, frame, other)),
          )
        : holds(relation.predicate, thing, anchor, frame),
    );
    if (found.length > 0) return found;
  }
  return [];
}

const OPEN: ReadonlySet<Relation["predicate"]> = new Set([
  "next-to",
  "near",
  "left",
  "right",
  "front",
  "behind",
]);

/** What one would name beside a thing: in the same room, standing by itself before what hangs or lies on something. */
async function besideIn(things: readonly Thing[], anchor: Thing, context: RuleContext): Promise<Thing[]> {
  const known = (await supported(things, context)).filter(
    (thing) => anchor.roomId === undefined || thing.roomId === undefined || thing.roomId === anchor.roomId,
  );
  return known.map((thing) => ({ ...thing, fit: thing.fit * (standsAlone(thing) ? 1 : 0.5) }));
}

/** Those of these things for which a relation holds, the best first. */
async function related(
  things: readonly Thing[],
  relation: Relation,
  need: Need,
  context: RuleContext,
): Promise<Thing[]> {
  const { recall } = context;
  if (relation.predicate === "with") return [...things];
  if (relation.anchor === undefined) {
    const frame = await frameOf(relation.frame ?? need.frame ?? { kind: "ego" }, need, context);
    return frame ? scored(things, (thing) => egoSide(relation.predicate, thing, frame)) : [...things];
  }
  const during = spanOf(need, recall.nowUs);
  const anchors = (await anchorsOf(relation.anchor, need, context)).slice(0, 12);
  const others = relation.anchor2
    ? (await recall.things(relation.anchor2, during ? { during } : {})).slice(0, MOST_ANCHORS)
    : relation.predicate === "between"
      ? anchors
      : [];
  const frames = new Map<Thing, ViewFrame | undefined>();
  for (const anchor of anchors)
    frames.set(anchor, await frameOf(relation.frame ?? need.frame, need, context, anchor));
  return scored(things, (thing) => {
    let best = 0;
    for (const anchor of anchors) {
      if (relation.predicate === "between") {
        for (const other of others)
          if (other.trackId !== anchor.trackId)
            best = Math.max(best, holds("between", thing, anchor, undefined, other));
      } else best = Math.max(best, holds(relation.predicate, thing, anchor, frames.get(anchor)) * anchor.fit);
    }
    return best;
  });
}

/** Whether a thing stands on the floor by itself, as what people name when they look around. */
function standsAlone({ state, box }: Thing): boolean {
  if (state.supportedBy !== undefined || state.insideOf !== undefined || !box) return false;
  return !HANGING.test(state.category) && extentOf(box).z > 0.25;
}
const HANGING =
  /ceiling|pendant|window|curtain|picture|painting|poster|sign|mirror|clock|photo|door$|rug|carpet|mat$|hood|wall/;

function scored(things: readonly Thing[], score: (thing: Thing) => number): Thing[] {
  return things
    .map((thing) => ({ thing, s: score(thing) }))
    .filter(({ s }) => s > 0)
    .sort((a, b) => b.s * b.thing.fit - a.s * a.thing.fit || (a.thing.trackId < b.thing.trackId ? -1 : 1))
    .map(({ thing, s }) => ({ ...thing, fit: thing.fit * (0.5 + 0.5 * s) }));
}

const WHOLE = /^(?:house|home|apartment|flat|building|scene|place|area|environment|here|world|room)$/;

/** The rooms a description names; undefined for the whole place, null for one that is not known. */
export async function roomsOf(
  region: Description,
  context: RuleContext,
): Promise<RoomView[] | undefined | null> {
  if (
    WHOLE.test(region.head) &&
    region.ordinal === undefined &&
    (region.owner === undefined || /^(?:my|your|our|the)$/.test(region.owner))
  ) {
    if (region.head === "room" && region.deixis && context.pose) {
      const here = await context.recall.roomAt(context.pose.position);
      return here ? [here] : undefined;
    }
    return undefined;
  }
  const rooms = await context.recall.roomsNamed(region);
  if (rooms.length > 0)
    return region.ordinal !== undefined && rooms[region.ordinal - 1] ? [rooms[region.ordinal - 1]!] : rooms;
  return null;
}

async function inRooms(
  things: readonly Thing[],
  rooms: readonly RoomView[],
  { recall }: RuleContext,
): Promise<Thing[]> {
  const ids = new Set(rooms.map(({ id }) => id));
  const kept: Thing[] = [];
  for (const thing of things) {
    const id = thing.roomId ?? (await recall.roomOf(thing))?.id;
    if (id !== undefined && ids.has(id)) kept.push(thing);
  }
  return kept;
}

/** The span of time a question is about; undefined for "as far as is known". */
export function spanOf(need: Need, nowUs: number): Interval | undefined {
  for (const { kind, fromUs, toUs } of need.times) {
    if (fromUs === undefined) continue;
    if (kind === "ago" || kind === "at" || kind === "as-of") return { fromUs, toUs: fromUs + 1 };
    if (kind === "during" || kind === "between") return { fromUs, toUs: toUs ?? nowUs + 1 };
    if (kind === "since" || kind === "after") return { fromUs, toUs: nowUs + 1 };
    if (kind === "before") return { fromUs: -LIMITS.timeUs, toUs: fromUs };
  }
  return undefined;
}

/** The moment a question is about: now unless it says otherwise. */
export function atUs(need: Need, nowUs: number): number {
  const span = spanOf(need, nowUs);
  return span === undefined ? nowUs : Math.min(nowUs, (span.toUs ?? nowUs + 1) - 1);
}

function isAmbiguous(things: readonly Thing[], live: readonly Thing[]): boolean {
  const [first, second] = live.length > 0 ? things.filter((thing) => live.includes(thing)) : things;
  if (!first || !second || second.fit < first.fit * AS_GOOD) return false;
  return !first.box || !second.box || distance(centreOf(first.box), centreOf(second.box)) > SAME_PLACE_M;
}
