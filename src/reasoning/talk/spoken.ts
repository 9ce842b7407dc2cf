import { holderThing, standsOn } from "../../belief/holder.ts";
import type { RoomView } from "../../belief/room-names.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { pluralOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { evaluate } from "../algebra/evaluate.ts";
import { node } from "../algebra/notation.ts";
import type { Scope } from "../algebra/operator.ts";
import type { Value } from "../algebra/value.ts";
import { isNamed, isPerson, nounOf } from "../say/naming.ts";
import { holdsIt } from "./parts.ts";
import type { Turn } from "./turn.ts";

/** How it came up: told in the answer, shown with a yes or no, or named in the question. */
export type Role = "told" | "shown" | "asked";

export type Pronoun = "he" | "she";

/** Things, a person or rooms that were mentioned together. */
export interface Spoken {
  readonly things: readonly KnownThing[];
  readonly rooms: readonly RoomView[];
  /** Its name in a question: "laptop", "Anna", "laptops", "upstairs hallway". */
  readonly name: string;
  readonly role: Role;
  /** What a person was called in between. */
  readonly pronoun?: Pronoun | undefined;
  /** It came up as the place of something: its support, its container, its room. */
  readonly isHolder?: boolean | undefined;
  /** The number of turns ago. */
  readonly ago: number;
}

/** An expression without open places, and what it costs to take it. */
export interface Filled {
  readonly expression: Expression;
  readonly cost: number;
}

/** The most things of a list that are kept. */
const MOST = 24;

/** The number of past turns with possible referents. */
const MOST_TURNS = 3;

/** The topics of the last turns, the last turn's first. */
export async function spokenIn(turns: readonly Turn[], scope: Scope): Promise<readonly Spoken[]> {
  const last = turns.slice(-MOST_TURNS).toReversed();
  const each = await Promise.all(last.map((turn, ago) => spokenOf(turn, ago, scope)));
  const pronouns = new Map<string, Pronoun>();
  for (const [n, { question }] of last.entries()) {
    const pronoun = pronounIn(question);
    const whom = each[n]!.filter((one) => one.role === "asked" && one.things.length === 1).filter(isOfPeople);
    if (pronoun && whom.length === 1) pronouns.set(keyOf(whom[0]!), pronoun);
  }
  return each.flat().map((one) => ({ ...one, pronoun: pronouns.get(keyOf(one)) }));
}

export function pronounIn(text: string): Pronoun | undefined {
  const [she, he] = [/\b(?:she|hers?)\b/i.test(text), /\b(?:he|him|his)\b/i.test(text)];
  return she === he ? undefined : she ? "she" : "he";
}

function isOfPeople({ things }: Spoken): boolean {
  return things.every(isPerson);
}

/** The topics of a turn: of its answer, then of its question. */
async function spokenOf({ parts }: Turn, ago: number, scope: Scope): Promise<readonly Spoken[]> {
  const found = new Map<string, Spoken>();
  // What the question names is more than the place of something.
  const add = (one: Spoken) => {
    const known = found.get(keyOf(one));
    if (!known || (known.isHolder && !one.isHolder)) found.set(keyOf(one), { ...one, ago });
  };
  for (const { value } of parts) for (const one of await ofValue(value, scope)) add(one);
  for (const { expression } of parts)
    for (const part of setsIn(expression))
      for (const one of await ofValue(await evaluate(part, scope), scope)) add({ ...one, role: "asked" });
  return [...found.values()];
}

/** The same for the same things and rooms, whatever their order. */
export function keyOf({ things, rooms }: Spoken): string {
  return [...things.map(({ trackId }) => trackId), ...rooms.map(({ id }) => id)].sort().join(" ");
}

/** The expression that gives exactly that. */
export function nodeOf({ things, rooms, name }: Spoken): Expression {
  // A slot is identified by its code: the thing that bears it is the shelf.
  const [slot, ...more] = things;
  if (slot?.slot && isRackPlace(slot) && more.length === 0)
    return node("called", [], { name: slot.slot.code });
  if (slot?.agentId !== undefined) return node("robots", [], { names: things.map((one) => one.name) });
  // A person is identified by name, at any place and time.
  if (slot && more.length === 0 && isPerson(slot) && isNamed(slot))
    return node("the", [node("things", [], { name: nounOf(slot) })]);
  return rooms.length > 0
    ? node("known", [], { category: name, rooms: rooms.map(({ id }) => id) })
    : node("known", [], { category: name, states: things.map(({ state }) => state.id) });
}

function isRackPlace({ slot, name }: KnownThing): boolean {
  return slot !== undefined && slot.code === name;
}

export function ofThings(things: readonly KnownThing[]): Spoken {
  return { things: things.slice(0, MOST), rooms: [], name: nameOf(things), role: "told", ago: 0 };
}

export function ofRooms(rooms: readonly RoomView[]): Spoken {
  const name = rooms.length === 1 ? rooms[0]!.name : "rooms";
  return { things: [], rooms, name, role: "told", ago: 0 };
}

function nameOf(things: readonly KnownThing[]): string {
  const [first] = things;
  if (!first) return "things";
  if (things.length === 1) return isPerson(first) ? nounOf(first) : first.category;
  return things.every(({ category }) => category === first.category) ? pluralOf(first.category) : "things";
}

async function ofValue(value: Value, scope: Scope): Promise<Spoken[]> {
  switch (value.kind) {
    case "things":
      return value.things.length > 0 ? [ofThings(value.things), ...(await placeOf(value.things, scope))] : [];
    case "rooms":
      return value.rooms.length > 0 && !value.everywhere ? [ofRooms(value.rooms)] : [];
    case "words": {
      const things = value.items.flatMap(({ thing }) => thing ?? []);
      const rooms = value.items.flatMap(({ room }) => room ?? []);
      if (things.length === 0) return rooms.length > 0 ? [ofRooms(unique(rooms))] : [];
      return [ofThings(things), ...(await placeOf(things, scope))];
    }
    case "truth":
      // Events are not reported with a yes.
      return value.shown && value.shown.kind !== "events" ? ofShown(value.shown, scope) : [];
    case "number":
      return value.of ? [ofThings(value.of)] : [];
    case "events": {
      const things = value.things.flatMap((thing) => thing ?? []);
      return things.length > 0 ? [ofThings(things)] : [];
    }
    case "unknown": {
      const things = value.fewer?.things ?? value.choices ?? (value.goal ? [value.goal] : []);
      return things.length > 0 ? [ofThings(things)] : [];
    }
    case "route":
      return value.to.thing ? [ofThings([value.to.thing])] : [ofRooms(value.rooms.slice(-1))];
    default:
      return [];
  }
}

/** A thing that fits this much worse (share) than another is not the one that is gone on with. */
const AS_LIKELY = 0.9;

/** What a yes or no was told of: all of it, and of several things the likeliest, since "a towel" was asked for. */
async function ofShown(shown: Value, scope: Scope): Promise<Spoken[]> {
  const [all, ...more] = await ofValue(shown, scope);
  const [first, second] = all?.things ?? [];
  const isPlain = first !== undefined && second !== undefined && second.fit < AS_LIKELY * first.fit;
  const likeliest = isPlain ? await ofValue({ ...shown, things: [first] } as Value, scope) : [];
  return [...(all ? [all] : []), ...likeliest, ...more].map((one) => ({ ...one, role: "shown" as const }));
}

/** The support of a thing, and the room of things that share one: the next question may continue from there. */
async function placeOf(things: readonly KnownThing[], { memory }: Scope): Promise<Spoken[]> {
  const [first, ...more] = things;
  const holder =
    first && more.length === 0
      ? ((await holderThing(first, memory)) ?? (await standsOn(first, memory)))
      : undefined;
  // Where a robot is now was not asked, where it only saw something.
  if (first?.agentId !== undefined) return [];
  const rooms = await Promise.all(things.slice(0, MOST).map((thing) => memory.roomOf(thing)));
  const [room, ...others] = unique(rooms.flatMap((one) => one ?? []));
  return [
    ...(holder ? [{ ...ofThings([holder]), isHolder: true }] : []),
    ...(room && others.length === 0 ? [{ ...ofRooms([room]), isHolder: true }] : []),
  ];
}

/** Each room once. */
function unique(rooms: readonly RoomView[]): RoomView[] {
  return [...new Map(rooms.map((room) => [room.id, room])).values()];
}

/** Each thing once. */
export function uniqueThings(things: readonly KnownThing[]): KnownThing[] {
  return [...new Map(things.map((thing) => [thing.trackId, thing])).values()];
}

/**
 * The sets that an expression names, outer ones first; without "anything" and sets that depend on an element of
 * another.
 */
function setsIn(expression: Expression): Expression[] {
  const among = CHOOSES.has(expression.op) ? expression.of.slice(0, 1) : expression.of;
  const inner = among.flatMap(setsIn);
  const isBare = Object.keys(expression.with).length === 0 && expression.of.length === 0;
  if (isBare || holdsIt(expression) || !givesSet(expression)) return inner;
  return [expression, ...inner];
}

/** Operators that select from a set by a predicate: the predicate is not mentioned. */
const CHOOSES: ReadonlySet<string> = new Set(["filter", "most", "least", "nth"]);

function givesSet(expression: Expression): boolean {
  const kind = kindOf(expression);
  return kind === "things" || kind === "rooms";
}
