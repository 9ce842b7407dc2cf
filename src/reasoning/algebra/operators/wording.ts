import { z } from "zod";
import { standsOn } from "../../../belief/holder.ts";
import { norm, printedOn } from "../../../belief/matching.ts";
import { lastPose } from "../../../belief/poses.ts";
import { AWAY } from "../../../belief/presence.ts";
import { middleOf, type RoomView } from "../../../belief/room-names.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import { trust } from "../../../belief/trust.ts";
import { distance, type Vec3 } from "../../../geometry/index.ts";
import { hangsOn, kinColour, movesItself } from "../../../ontology/index.ts";
import { nameSchema } from "../../../schema/index.ts";
import { withThe } from "../../say/grammar.ts";
import { isPerson, nounOf, theThing } from "../../say/naming.ts";
import { unopened } from "../../ways/doorways.ts";
import type { Call, Operator, Scope } from "../operator.ts";
import { attributeAt, supposed } from "../things/attributes.ts";
import { notThere } from "../things/meant.ts";
import { momentUs } from "../things/moment.ts";
import { holderText, nearText, placeOf } from "../things/place.ts";
import { bearingTo, selfAt, sideOf } from "../things/viewer.ts";
import { eventsValue } from "../time/happenings.ts";
import {
  type KnownValue,
  type ThingsValue,
  unknownValue,
  type Value,
  type WordsItem,
  wordsValue,
} from "../value.ts";
import { elementsOf } from "./elements.ts";
import { storeysCalled } from "./sources.ts";
import { nothingKnown } from "./truth.ts";

const among = z.array(nameSchema).max(26).optional();

const MOST_COMPARED = 6;

/** Words about each of the things; rivals with other words are named. */
async function ofThings(
  set: ThingsValue,
  about: string,
  say: (thing: KnownThing) => Promise<WordsItem | undefined>,
  unnoticed: string,
  scope: Scope,
  differs: (rival: KnownThing, first: KnownThing) => boolean = () => false,
): Promise<Value> {
  const [first] = set.things;
  if (!first) return nothingKnown(set) ?? notThere(set);
  const { evidence, complete } = set;
  const items = (await Promise.all(set.things.map(say))).filter((item) => item !== undefined);
  const [other, ...others] = set.rivals ?? [];
  // A thing that fits as well and has a known value.
  if (items.length === 0 && other)
    return ofThings({ ...set, things: [other], rivals: others }, about, say, unnoticed, scope, differs);
  if (items.length === 0) return unknownValue("not-yet", unnoticed, { evidence, goal: first, complete });
  const rivals: KnownThing[] = [];
  for (const [n, rival] of (set.rivals ?? []).entries()) {
    // Rivals beyond the limit count as different; they are not all reported.
    const isOther = n >= MOST_COMPARED || differs(rival, first);
    const its = isOther ? undefined : await say(rival);
    // Two bedrooms have one name and are two places.
    const isSame = its?.words === items[0]!.words && its.room?.id === items[0]!.room?.id;
    if (isOther || (its && !isSame)) rivals.push(rival);
  }
  const sure = set.isShared ? set.p : await trust(first, scope.memory, rivals.length === 0);
  return wordsValue(about, items, { ...set, p: sure * (0.4 + 0.6 * items[0]!.p) }, { rivals });
}

/** The alternative in the question that the words mean; the words themselves where none is near. */
function chosenFrom(options: readonly string[], words: string): string {
  const own = norm(words);
  return (
    options.find((one) => norm(one) === own) ??
    options.find((one) => kinColour(one, own)) ??
    options.find((one) => norm(one).split(" ").includes(own) || own.split(" ").includes(norm(one))) ??
    words
  );
}

/** If more things are meant than known, the known ones answer. */
async function attribute(call: Call): Promise<Value> {
  const given = await call.arg(0);
  if (given.kind !== "unknown") return attributeOf(given as ThingsValue, call);
  const told = given.fewer && (await attributeOf(given.fewer, call));
  return told?.kind === "words" ? { ...told, fewer: given.says } : given;
}

async function attributeOf(set: ThingsValue, call: Call): Promise<Value> {
  const { name, among: options = [] } = call.options as { readonly name: string; readonly among?: string[] };
  const say = async (thing: KnownThing) => {
    const belief = (await attributeAt(thing, name, call.scope)) ?? supposed(thing, name);
    return belief && { words: chosenFrom(options, belief.value), p: belief.p, thing, ...spotOf(thing) };
  };
  const whose = set.things[0] ? theThing(set.things[0]) : "it";
  const isDoing = name === "state" && set.things.some(({ category }) => movesItself(category));
  const unnoticed = isDoing
    ? `I cannot tell what ${whose} is doing`
    : `I cannot tell the ${name} of ${whose}`;
  return ofThings(set, name, say, unnoticed, call.scope);
}

function spotOf({ position }: KnownThing): { readonly point?: Vec3 } {
  return position ? { point: position } : {};
}

/** For up to this many things, the text on each is reported with its name: people tell boxes and slots apart by it. */
const FEW = 3;
const MOST_LABEL_CHARS = 40;

function labelledName(thing: KnownThing): string {
  const [label] = printedOn(thing.state);
  const name = nounOf(thing);
  return label === undefined || label.length > MOST_LABEL_CHARS || isPerson(thing)
    ? name
    : `${name} that says “${label}”`;
}

async function name(call: Call): Promise<Value> {
  const x = (await call.arg(0)) as KnownValue;
  const { among: options = [] } = call.options as { readonly among?: string[] };
  if (x.kind === "things") {
    // Nothing changed: that is an answer, not an absence.
    if (x.things.length === 0 && call.node.of[0]?.op === "affected")
      return eventsValue([], "", { p: x.p, complete: x.complete });
    const none = await noneOfAll(x, call);
    if (none) return none;
    const isFew = x.things.length <= FEW;
    const say = async (thing: KnownThing) => ({
      words: chosenFrom(options, isFew ? labelledName(thing) : nounOf(thing)),
      p: thing.fit,
      thing,
      ...spotOf(thing),
    });
    return ofThings(x, "name", say, "", call.scope);
  }
  if (x.kind === "events" && x.events.length === 0)
    return nothingKnown(x) ?? eventsValue([], "", { p: x.p, complete: x.complete });
  const items = await namesOf(x, call.scope, options);
  if (items.length === 0)
    return (
      (await noneOfAll(x, call)) ??
      nothingKnown(x) ??
      unknownValue("never-seen", "I know of none", { complete: x.complete })
    );
  const named = items.map((item) => ({ ...item, words: chosenFrom(options, item.words) }));
  return wordsValue("name", named, x);
}

/** Sets of which every member is known: "none of them" is an answer. */
async function noneOfAll(x: KnownValue, { scope, node }: Call): Promise<Value | undefined> {
  if (elementsOf(x).length > 0 || node.of[0]?.op !== "filter" || x.complete.share < ALL_LOOKED)
    return undefined;
  const [unseen] = x.kind === "rooms" ? await unopened(scope.memory) : [];
  if (unseen)
    return unknownValue(
      "not-yet",
      `none of the rooms that I know, but I did not see what is behind ${theThing(unseen)}${await inRoom(unseen, scope)}`,
      { complete: x.complete, goal: unseen },
    );
  // Every member of a set mentioned earlier is known, too.
  const isTold = node.of[0].of[0]?.op === "known";
  if (x.kind === "rooms" || isTold) return wordsValue("name", [{ words: "none of them", p: x.p }], x);
  if (x.kind !== "things" || x.phrase !== "robot" || x.lacking) return undefined;
  const count = (await scope.memory.agents()).length;
  return count < 2
    ? undefined
    : wordsValue("name", [{ words: count === 2 ? "neither" : "none of us", p: x.p }], x);
}

async function inRoom(thing: KnownThing, { memory }: Scope): Promise<string> {
  const room = await memory.roomOf(thing);
  return room ? ` in ${withThe(room.name)}` : "";
}

/** With this completeness no member of a closed set is missing. */
const ALL_LOOKED = 0.99;

/** “Up or down?” is reported as a place. */
function storeyWord(offered: string): string {
  return /^(?:up|down)$/.test(offered) ? `${offered}stairs` : offered;
}

async function namesOf(x: KnownValue, { memory }: Scope, options: readonly string[]): Promise<WordsItem[]> {
  if (x.kind === "rooms")
    return x.rooms.map((room) => ({ words: room.name, p: x.p, room, point: middleOf(room) }));
  if (x.kind === "events")
    return x.events.map((event) => ({ words: event.text[0] ?? event.type, p: x.p, atUs: event.validFromUs }));
  if (x.kind !== "floors") return [];
  const rooms = await memory.rooms();
  return Promise.all(
    x.storeys.map(async (storey) => {
      const called = options.find((one) => storeysCalled(one, rooms)?.includes(storey));
      return { words: called ? storeyWord(called) : await floorName(storey, rooms, { memory }), p: x.p };
    }),
  );
}

/** The name of a storey, by its record. */
export async function floorName(
  storey: number,
  rooms: readonly RoomView[],
  { memory }: Pick<Scope, "memory">,
): Promise<string> {
  const parent = rooms.find((room) => room.storey === storey)?.record.parent;
  const [floor] = parent === undefined ? [] : await memory.options.reader.get([parent]);
  if (floor?.kind === "region" && floor.name !== "") return floor.name;
  return storey === 0 ? "ground floor" : `floor ${storey}`;
}

const DETAILS = ["room", "floor", "support", "near"] as const;

async function place(call: Call): Promise<Value> {
  const x = (await call.arg(0)) as KnownValue;
  const detail = call.options["detail"] as (typeof DETAILS)[number] | undefined;
  const { among: options = [] } = call.options as { readonly among?: string[] };
  // A thing that serves a need was not named in the question.
  const isUnnamed = call.node.of[0]?.op === "serves";
  if (x.kind === "things")
    return ofThings(
      isUnnamed ? { ...x, things: x.things.slice(0, 1) } : x,
      detail ?? "place",
      async (thing) => {
        const item = await placed(thing, detail, call.scope);
        const words = item && (await chosenPlace(options, item, call.scope));
        return item && { ...item, words: isUnnamed ? `${theThing(thing)} ${words}` : words! };
      },
      `I know of ${x.things[0] ? theThing(x.things[0]) : "it"}, but not where it is`,
      call.scope,
      (rival, first) => detail === undefined && rival.roomId !== first.roomId,
    );
  if (x.kind === "rooms") return placeOfRooms(x.rooms, x, call.scope);
  if (x.kind !== "self") return unknownValue("not-understood", "I cannot say where that is");
  const each = await placesOfRobots(call.scope);
  if (detail === undefined && each.length > 1) return wordsValue("place", each, { ...x, p: 0.8 });
  const room = await call.scope.memory.roomAt(x.position);
  if (!room) return unknownValue("not-yet", "I do not know where I am");
  const words =
    detail === "floor" ? await floorName(room.storey, [room], call.scope) : `in ${withThe(room.name)}`;
  const item = { words: detail === "room" ? room.name : words, p: 0.85, room, point: x.position };
  return wordsValue(detail ?? "place", [item], { ...x, p: 0.8 });
}

/** The place of each robot, where several are asked as one; none where one robot is meant. */
async function placesOfRobots({ memory, agentId, during, viewer }: Scope): Promise<WordsItem[]> {
  if (agentId !== undefined || viewer) return [];
  const items: WordsItem[] = [];
  for (const robot of await memory.agents()) {
    const atUs = during?.fromUs ?? memory.nowUs;
    const pose = during ? await memory.poseAt(atUs, robot) : await lastPose(memory, atUs, robot);
    const room = pose && (await memory.roomAt(pose.position));
    if (room) items.push({ words: `${robot} in ${withThe(room.name)}`, p: 0.85, point: pose.position });
  }
  return items;
}

async function placed(
  thing: KnownThing,
  detail: string | undefined,
  scope: Scope,
): Promise<WordsItem | undefined> {
  const { memory } = scope;
  const room = await memory.roomOf(thing);
  const standing =
    scope.during === undefined && !thing.spot && thing.agentId === undefined
      ? await memory.standing(thing)
      : undefined;
  const rest = {
    p: standing && AWAY.has(standing.status) ? 0.5 : 0.95,
    thing,
    ...(standing && { standing }),
    ...(room && { room }),
    ...spotOf(thing),
    atUs: Math.min(momentUs(scope), await memory.lastSeenUs(thing)),
  };
  if (detail === "room") return room && { words: room.name, ...rest };
  if (detail === "floor") return room && { words: await floorName(room.storey, [room], scope), ...rest };
  const holder =
    (await holderText(thing, memory, scope.during)) ??
    (detail === "support" ? await standText(thing, scope) : undefined);
  if (detail === "near") return { words: await nearText(thing, scope), ...rest };
  if (!thing.position && !room && holder === undefined) return undefined;
  if (detail === "support" && holder !== undefined)
    return { words: [holder, ...(room ? [`in ${withThe(room.name)}`] : [])].join(" "), ...rest };
  const words =
    holder === undefined && hangsOn(thing.category) === undefined
      ? await nearText(thing, scope)
      : await placeOf(thing, memory);
  return { words, ...rest };
}

async function standText(thing: KnownThing, { memory, during }: Scope): Promise<string | undefined> {
  const top = await standsOn(thing, memory, during);
  return top && `on ${theThing(top)}`;
}

/** The option in the question that matches the place: by its storey, its room or its support. */
async function chosenPlace(
  options: readonly string[],
  { words, room }: WordsItem,
  scope: Scope,
): Promise<string> {
  if (options.length === 0) return words;
  const floor = room && room.storey === 0 ? "downstairs" : "upstairs";
  const wordsOf = (text: string) =>
    text
      .split(/[\s,]+/)
      .map(norm)
      .filter((word) => !/^(?:|the|on|in|at|a|one)$/.test(word));
  const all = wordsOf(
    `${words} ${room?.name ?? ""} ${floor} ${room ? await floorName(room.storey, [room], scope) : ""}`,
  );
  const shares = options.map((option) => {
    const said = wordsOf(option);
    return said.filter((word) => all.includes(word)).length / Math.max(1, said.length);
  });
  const best = Math.max(...shares);
  return best > 0 ? options[shares.indexOf(best)]! : words;
}

async function placeOfRooms(rooms: readonly RoomView[], x: KnownValue, scope: Scope): Promise<Value> {
  if (rooms.length === 0)
    return unknownValue("never-seen", `I know of no ${"phrase" in x ? x.phrase : "such room"} here`);
  const storeys = new Set((await scope.memory.rooms()).map(({ storey }) => storey)).size > 1;
  const from = (await selfAt(scope))?.position;
  const items = rooms
    .map((room) => {
      const middle = middleOf(room);
      const m = from && distance(from, middle);
      const where = [
        ...(storeys ? [room.storey === 0 ? "downstairs" : "upstairs"] : []),
        ...(m === undefined ? [] : [`${m.toFixed(1)} m from here`]),
      ];
      // A habitual room is reported as a place: "in the bedroom".
      const words = x.habit ? `in ${withThe(room.name)}` : where.join(", ") || room.name;
      return { words, p: x.p, room, point: middle, m: x.habit ? 0 : (m ?? 0) };
    })
    .sort((a, b) => a.m - b.m)
    .map(({ m: _, ...item }) => item);
  return wordsValue("place", items, x);
}

/** Operators that give words. */
export const wording: readonly Operator[] = [
  {
    name: "attribute",
    says: "colour, material, text on it, owner, openness, power, fill, state … of a thing",
    takes: [{ name: "of", kinds: ["things"] }],
    options: z.strictObject({ name: nameSchema, among }),
    gives: "words",
    reads: ["event"],
    copes: true,
    run: attribute,
  },
  {
    name: "name",
    says: "what or who it is",
    takes: [{ name: "of", kinds: ["things", "rooms", "floors", "events"] }],
    options: z.strictObject({ among }),
    gives: "words",
    run: name,
  },
  {
    name: "place",
    says: "where it is: on or in what, in which room or floor, near what",
    takes: [{ name: "of", kinds: ["things", "rooms", "self"] }],
    options: z.strictObject({ detail: z.enum(DETAILS).optional(), among }),
    gives: "words",
    reads: ["state"],
    run: place,
  },
  {
    name: "direction",
    says: "on which side of the viewer it is",
    takes: [{ name: "of", kinds: ["things", "rooms"] }],
    options: z.strictObject({ among }),
    gives: "words",
    reads: ["observation"],
    async run(call) {
      const x = (await call.arg(0)) as KnownValue;
      const { among: options = [] } = call.options as { readonly among?: string[] };
      const viewer = await selfAt(call.scope);
      if (!viewer) return unknownValue("not-yet", "I do not know from where you mean");
      const side = (point: Vec3) => {
        const word = sideOf(bearingTo(viewer, point), options);
        return word === "front" ? "in front" : word;
      };
      if (x.kind === "things") {
        const say = async (thing: KnownThing) =>
          thing.position && { words: side(thing.position), p: 0.9, thing, point: thing.position };
        return ofThings(x, "direction", say, "I do not know where it is", call.scope);
      }
      const [room] = x.kind === "rooms" ? x.rooms : [];
      if (!room) return unknownValue("never-seen", "I know of no such room here");
      const point = middleOf(room);
      return wordsValue("direction", [{ words: side(point), p: 0.8, room, point }], x);
    },
  },
];
