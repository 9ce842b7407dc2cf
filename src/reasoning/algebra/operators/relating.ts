import { z } from "zod";
import { onlyMayBe } from "../../../belief/matching.ts";
import { type Anchor, RELATIONS, type Relation } from "../../../belief/relations.ts";
import { middleOf, type RoomView } from "../../../belief/room-names.ts";
import { attributeOf, type KnownThing } from "../../../belief/thing.ts";
import type { Viewer } from "../../../belief/viewer.ts";
import { inflate } from "../../../geometry/index.ts";
import { holds as holdsThings, isKindOf } from "../../../ontology/index.ts";
import type { Expression } from "../../../schema/index.ts";
import { theThing } from "../../say/naming.ts";
import { doorwaysOf } from "../../ways/doorways.ts";
import { endsOf } from "../ends.ts";
import type { Call, Operator, Scope } from "../operator.ts";
import { completenessOf, recognisedShare } from "../things/coverage.ts";
import { notThere } from "../things/meant.ts";
import { byOutline } from "../things/outline.ts";
import { anchorsOf, judgeByAnchors, judgeByViewer, related } from "../things/related.ts";
import { byDoorways, roomRelation } from "../things/room-relations.ts";
import { standsAlone } from "../things/standing.ts";
import { byUsualRooms } from "../things/surroundings.ts";
import { entering, headingFrom } from "../things/viewer.ts";
import {
  type Completeness,
  type SelfValue,
  type ThingsValue,
  type UnknownValue,
  unknownValue,
  type Value,
  WHOLE,
} from "../value.ts";
import { elementsOf, ofElements } from "./elements.ts";
import { roomsAt, thingsIn } from "./sets.ts";

const relateOptions = z.strictObject({
  relation: z.enum(RELATIONS),
  withinM: z.number().positive().max(1000).optional(),
});
type RelateOptions = z.infer<typeof relateOptions>;

/** Things beside a viewer are no farther away; a viewer at a room's entrance sees all of that side of it. */
const BESIDE_M = 4;
const IN_ROOM_M = 6;
/** Relations of a door to the rooms that it leads to. */
const LEADING: ReadonlySet<Relation> = new Set(["between", "at", "with", "beside"]);
/** The confidence in relations between rooms. */
const ROOM_BESIDE_P = 0.85;
/** Operators whose result has the kind of their first argument. */
const ROOM_SETS: ReadonlySet<string> = new Set([
  "in",
  "or",
  "and",
  "minus",
  "filter",
  "most",
  "least",
  "nth",
  "the",
  "relate",
]);
/** Relations to a holder: a robot that saw the holder saw whether the thing is there. */
const HELD: ReadonlySet<Relation> = new Set(["on", "in", "under"]);

/** Relations between things, and the viewer for left and right. */
export const relating: readonly Operator[] = [
  {
    name: "relate",
    says: "those of the things or rooms that stand in a relation to others, to a room or to oneself",
    takes: [
      { name: "set", kinds: ["things", "rooms"] },
      { name: "anchor", kinds: ["things", "rooms", "self"] },
      { name: "anchor2", kinds: ["things", "rooms", "self"], optional: true },
    ],
    options: relateOptions,
    gives: "first",
    reads: ["state"],
    copes: true,
    async run(call) {
      const anchor = await call.arg(1);
      if (anchor.kind === "self") return relateToSelf(call, anchor);
      const options = call.options as RelateOptions;
      const rooms = await relateRooms(call, anchor, options);
      if (rooms) return rooms;
      if (anchor.kind === "rooms" && options.relation === "in") {
        const set = await call.arg(0, { enough: { ...call.scope.enough, rooms: anchor.rooms } });
        return set.kind === "things" ? thingsIn(set, anchor, call.scope) : set;
      }
      return relateToThings(call, anchor, options);
    },
  },
  {
    name: "from",
    says: "the same as somebody sees it who stands there, looks there, or comes in from there",
    takes: [
      {
        name: "of",
        kinds: ["things", "rooms", "floors", "events", "times", "number", "words", "truth", "route"],
      },
      { name: "viewer", kinds: ["self", "things", "rooms"] },
      { name: "facing", kinds: ["things", "rooms"], optional: true },
    ],
    options: z.strictObject({ entering: z.boolean().optional() }),
    gives: "first",
    reads: ["observation"],
    copes: true,
    async run(call) {
      const [stands, faced] = [await call.arg(1), call.size > 2 ? await call.arg(2) : undefined];
      if (stands.kind === "unknown") return stands;
      if (faced?.kind === "unknown") return faced;
      const viewer = await viewerAt(stands, faced, call.options["entering"] === true, call.scope);
      return viewer ? call.arg(0, { viewer }) : call.arg(0);
    },
  },
];

/** Rooms next to, above or opposite others, or the rooms that things are in; undefined where no rooms are asked for. */
async function relateRooms(
  call: Call,
  anchor: Value,
  { relation }: RelateOptions,
): Promise<Value | undefined> {
  if (!givesRooms(call.node.of[0]!)) return undefined;
  const set = await call.arg(0);
  if (set.kind !== "rooms") return set.kind === "unknown" ? set : undefined;
  const second = call.size > 2 ? await call.arg(2) : undefined;
  const unknown = [anchor, second].find((one) => one?.kind === "unknown");
  if (unknown) return unknown;
  const stands = await roomRelation(relation, call.scope);
  const sides = await Promise.all(
    [anchor, ...(second ? [second] : [])].map((one) => roomsAt(one, call.scope)),
  );
  if (!stands || sides.some(({ length }) => length === 0))
    return unknownValue("not-understood", `I cannot tell which room is ${relation} that`);
  const isThere = (room: RoomView) => sides.every((rooms) => rooms.some((one) => stands(room, one)));
  const own = new Set(sides.flat().map(({ id }) => id));
  return ofElements(
    { ...set, p: set.p * ROOM_BESIDE_P, everywhere: undefined },
    elementsOf(set).filter((one) => one.kind === "room" && !own.has(one.room.id) && isThere(one.room)),
  );
}

/** Closed doors without a known room behind: things near them are on this side. */
async function isShutOff({ things }: ThingsValue, { memory, agentId }: Scope): Promise<boolean> {
  const isShut = (one: KnownThing) =>
    isKindOf(one.category, "door") && attributeOf(one, "openness")?.value === "closed";
  if (things.length === 0 || !things.every(isShut)) return false;
  const doorways = await doorwaysOf(memory, agentId);
  return things.every(({ trackId }) => doorways.every(({ door }) => door?.trackId !== trackId));
}

/** Whether an expression gives rooms, by its form. */
function givesRooms({ op, of }: Expression): boolean {
  if (op === "rooms" || op === "house" || op === "neighbours" || op === "room") return true;
  return ROOM_SETS.has(op) && of[0] !== undefined && givesRooms(of[0]);
}

async function relateToThings(
  call: Call,
  anchor: Value,
  { relation, withinM }: RelateOptions,
): Promise<Value> {
  const { scope } = call;
  const second = call.size > 2 ? await call.arg(2) : undefined;
  const anchors = anchorsOf(anchor);
  const others = second ? anchorsOf(second) : anchors;
  const reach = reachM(relation, withinM);
  const boxes = anchors.map(({ box }) => inflate(box, reach));
  const set = await call.arg(0, boxes.length > 0 ? { enough: { ...scope.enough, boxes } } : undefined);
  if (set.kind !== "things") return set;
  const where = whereText(relation, anchor, second);
  const outline = await byOutline(anchor, categoryOf(call.node.of[1]!), relation, scope);
  if (outline) {
    const there = await related(set, "at", outline, { where, complete: set.complete }, scope);
    const walls = placeIn(call.node.of[1]!);
    const place = walls && (await call.value(walls));
    return place?.kind === "rooms" || place?.kind === "floors" ? thingsIn(there, place, scope) : there;
  }
  const unseen = relation === "behind" && anchor.kind === "things" && (await isShutOff(anchor, scope));
  if (unseen) return unknownValue("not-yet", `I have not looked behind ${theThing(anchor.things[0]!)}`);
  const lacking = lackingOf(anchor) ?? (second && lackingOf(second));
  const byPlace =
    anchors.length === 0
      ? await byUsualRooms(categoryOf(call.node.of[1]!), scope)
      : await judgeByAnchors(relation, anchors, others, withinM, scope);
  const judge =
    anchor.kind === "rooms" && LEADING.has(relation)
      ? await byDoorways(anchor.rooms, second?.kind === "rooms" ? second.rooms : undefined, byPlace, scope)
      : byPlace;
  const around = await completeAround(relation, anchors, categoryOf(call.node.of[1]!), scope);
  const complete = { ...around, share: around.share * (await recognisedShare(set.phrase, scope)) };
  return related(set, relation, judge, { where, complete, ...(lacking && { lacking }) }, scope);
}

async function relateToSelf(call: Call, { position, yawRad }: SelfValue): Promise<Value> {
  const { scope } = call;
  const { relation, withinM } = call.options as RelateOptions;
  const viewer: Viewer = { position, yawRad, looksInto: scope.viewer?.looksInto };
  const reach = withinM ?? (viewer.looksInto ? IN_ROOM_M : BESIDE_M);
  const box = inflate({ min: position, max: position }, reach);
  const set = await call.arg(0, { enough: { ...scope.enough, boxes: [box] } });
  if (set.kind !== "things") return set;
  // A thing described by another ("on the couch behind me") is meant though it does not stand.
  const isAnything = set.phrase === "thing" && call.node.of[0]!.op !== "relate";
  const judge = await judgeByViewer(relation, viewer, withinM, scope, isAnything);
  // "What is on the left?" means things that stand there; the carpet and the window only where nothing does.
  const standing = isAnything ? set.things.filter((one) => standsAlone(one) && judge(one).score > 0) : [];
  const own = standing.length > 0 ? { ...set, things: standing } : set;
  const room = await scope.memory.roomAt(position);
  const complete = room ? await completenessOf([room], scope) : set.complete;
  return related(own, relation, judge, { where: whereText(relation, undefined), complete }, scope);
}

/** The name of an expression's subject, the first that it contains. */
export function categoryOf({ of, with: options }: Expression): string {
  const { category } = options;
  if (typeof category === "string") return category;
  return of.map(categoryOf).find((name) => name !== "") ?? "";
}

/** The place of the walls in question: "the walls of the hallway". */
function placeIn({ op, of }: Expression): Expression | undefined {
  if (op === "the" && of[0]) return placeIn(of[0]);
  return op === "in" ? of[1] : undefined;
}

/** The reason why an anchor is unknown; an empty set counts as unknown as well. */
function lackingOf(anchor: Value): UnknownValue | undefined {
  if (anchor.kind === "unknown") return anchor;
  return anchor.kind === "things" && anchor.things.length === 0
    ? (anchor.lacking ?? notThere(anchor))
    : undefined;
}

/** A container that was last seen closed. */
export function isShut(thing: KnownThing): boolean {
  return holdsThings(thing.category) && attributeOf(thing, "openness")?.value === "closed";
}

async function completeAround(
  relation: Relation,
  anchors: readonly Anchor[],
  asked: string,
  scope: Scope,
): Promise<Completeness> {
  const shut =
    relation === "in"
      ? anchors.flatMap(({ thing }) => (thing && isShut(thing) ? [theThing(thing)] : []))
      : [];
  // The contents of a closed cupboard are not visible.
  if (shut.length > 0) return { share: 0, missing: shut.slice(0, 4) };
  if (HELD.has(relation)) return certainty(anchors, asked);
  const rooms = new Map<string, RoomView>();
  for (const { thing } of anchors) {
    const room = thing && (await scope.memory.roomOf(thing));
    if (room) rooms.set(room.id, room);
  }
  return rooms.size > 0 ? completenessOf([...rooms.values()], scope) : WHOLE;
}

/** How often our own detector labels a thing correctly: 164 of 173 in four houses and a real room (docs/eyes.md). */
const EYES_RIGHT = 0.95;

/** A doubtful anchor (it may not be the shelf that is meant) makes the result doubtful. */
function certainty(anchors: readonly Anchor[], asked: string): Completeness {
  const shares = anchors.map(({ thing }) => {
    if (!thing) return 1;
    if (onlyMayBe(asked, thing.state)) return thing.fit;
    return thing.state.namedBy === "eyes" && !thing.state.perceived ? EYES_RIGHT : 1;
  });
  return anchors.length === 0 ? WHOLE : { share: Math.max(...shares), missing: [] };
}

/** The radius around an anchor in which things may stand in a relation to it. */
function reachM(relation: Relation, withinM: number | undefined): number {
  if (withinM !== undefined) return withinM;
  if (relation === "between" || relation === "opposite" || relation === "facing") return 4;
  return ["left", "right", "front", "behind"].includes(relation) ? 3 : 1.5;
}

const SAID: Readonly<Partial<Record<Relation, string>>> = {
  left: "to the left of",
  right: "to the right of",
  front: "in front of",
  beside: "next to",
};

function whereText(relation: Relation, anchor: Value | undefined, second?: Value): string {
  const said = SAID[relation] ?? relation;
  const name = (value: Value): string => {
    if (value.kind === "things") return nameOfAnchor(value);
    return value.kind === "rooms" ? `the ${value.phrase}` : value.kind === "self" ? "me" : "that";
  };
  if (!anchor) return `${said} me`;
  return second ? `${said} ${name(anchor)} and ${name(second)}` : `${said} ${name(anchor)}`;
}

function nameOfAnchor({ things: [first], phrase }: ThingsValue): string {
  if (!first) return `the ${phrase}`;
  return onlyMayBe(phrase, first.state) ? `what may be the ${phrase}` : theThing(first);
}

/** The viewer's position and direction: at a thing or in a room, towards what is faced; or coming in from a room. */
async function viewerAt(
  stands: Value,
  faced: Value | undefined,
  isEntering: boolean,
  scope: Scope,
): Promise<Viewer | undefined> {
  if (isEntering && stands.kind === "rooms" && stands.rooms.length > 0 && faced?.kind === "rooms") {
    const step = entering(faced.rooms, stands.rooms);
    return step && { ...step, looksInto: stands.rooms[0]!.id };
  }
  const position = (await endsOf(stands, scope))[0]?.point;
  if (!position) return undefined;
  const towards = faced && (await endsOf(faced, scope))[0]?.point;
  if (towards) return { position, yawRad: headingFrom(position, towards) };
  if (stands.kind === "self") return { position, yawRad: stands.yawRad };
  return { position, yawRad: await outlook(stands, position, scope) };
}

/** A viewer at a door or in a corner looks into the room. */
async function outlook(stands: Value, position: Viewer["position"], { memory }: Scope): Promise<number> {
  if (stands.kind !== "things") return 0;
  const room = stands.things[0] && (await memory.roomOf(stands.things[0]));
  return room ? headingFrom(position, middleOf(room)) : 0;
}
