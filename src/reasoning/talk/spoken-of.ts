import { holderOf } from "../../belief/holder.ts";
import type { RoomView } from "../../belief/room-names.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { pluralOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { evaluate } from "../algebra/evaluate.ts";
import { node } from "../algebra/notation.ts";
import type { Scope } from "../algebra/operator.ts";
import type { Value } from "../algebra/value.ts";
import { nodesCalled } from "../rival-values.ts";
import { isPerson, nounOf } from "../say/naming.ts";
import type { Turn } from "./turn.ts";

/** Things, a person or rooms that were spoken of together. */
export interface Spoken {
  readonly things: readonly KnownThing[];
  readonly rooms: readonly RoomView[];
  /** What to call it in a question: "laptop", "Anna", "laptops", "upstairs hallway". */
  readonly name: string;
  /** What something is on or in, not what was asked for. */
  readonly isHolder?: boolean | undefined;
  /** The question named it; what is told in an answer is not. */
  readonly isAsked?: boolean | undefined;
}

/** So many things of a list are spoken of. */
const MOST = 24;

/** What a turn was about, the likeliest meant first: what it was answered with, then what it asked of. */
export async function spokenOf({ parts }: Turn, scope: Scope): Promise<readonly Spoken[]> {
  const found: Spoken[] = [];
  for (const { value } of parts) found.push(...(await ofValue(value, scope)));
  for (const { expression } of parts)
    for (const part of setsIn(expression))
      for (const one of await ofValue(await evaluate(part, scope), scope))
        found.push({ ...one, isAsked: true });
  const keyOf = ({ things, rooms }: Spoken) =>
    [...things.map(({ trackId }) => trackId), ...rooms.map(({ id }) => id)].sort().join(" ");
  const distinct = new Map<string, Spoken>();
  for (const one of found) if (!distinct.has(keyOf(one))) distinct.set(keyOf(one), one);
  return [...distinct.values()];
}

/** The expression that gives just that. */
export function nodeOf({ things, rooms, name }: Spoken): Expression {
  return rooms.length > 0
    ? node("known", [], { category: name, rooms: rooms.map(({ id }) => id) })
    : node("known", [], { category: name, states: things.map(({ state }) => state.id) });
}

export function ofThings(things: readonly KnownThing[]): Spoken {
  return { things: things.slice(0, MOST), rooms: [], name: nameOf(things) };
}

export function ofRooms(rooms: readonly RoomView[]): Spoken {
  return { things: [], rooms, name: rooms.length === 1 ? rooms[0]!.name : "rooms" };
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
      // What happened is not told of with a yes.
      return value.shown && value.shown.kind !== "events" ? ofValue(value.shown, scope) : [];
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

/** What a thing is on or in, and the room of things that are in one: who is told of them may go on from there. */
async function placeOf(things: readonly KnownThing[], { memory }: Scope): Promise<Spoken[]> {
  const [first, ...more] = things;
  const held = first && more.length === 0 ? await holderOf(first, memory) : undefined;
  const holder = held && (await memory.thingOfState(held.stateId, 1));
  const rooms = await Promise.all(things.slice(0, MOST).map((thing) => memory.roomOf(thing)));
  const [room, ...others] = unique(rooms.flatMap((one) => one ?? []));
  return [
    ...(holder ? [{ ...ofThings([holder]), isHolder: true }] : []),
    ...(room && others.length === 0 ? [{ ...ofRooms([room]), isHolder: true }] : []),
  ];
}

/** Each room once. */
export function unique(rooms: readonly RoomView[]): RoomView[] {
  return [...new Map(rooms.map((room) => [room.id, room])).values()];
}

/** The sets that an expression names, outer ones first; not "anything" and not what hangs on an element of another. */
function setsIn(expression: Expression): Expression[] {
  const inner = expression.of.flatMap(setsIn);
  const isBare = Object.keys(expression.with).length === 0 && expression.of.length === 0;
  if (isBare || nodesCalled("it", expression).length > 0 || !givesSet(expression)) return inner;
  return [expression, ...inner];
}

function givesSet(expression: Expression): boolean {
  const kind = kindOf(expression);
  return kind === "things" || kind === "rooms";
}
