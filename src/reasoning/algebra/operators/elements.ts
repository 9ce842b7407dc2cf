import type { RoomView } from "../../../belief/room-names.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import { evidenceFor, evidenceOfRooms } from "../../../belief/trust.ts";
import type { Interval } from "../../../geometry/index.ts";
import type { RecordOf, Stored } from "../../../schema/index.ts";
import type { Call } from "../operator.ts";
import type { KnownValue, Value } from "../value.ts";

/** One member of a set. */
export type Element =
  | { readonly kind: "thing"; readonly thing: KnownThing }
  | { readonly kind: "room"; readonly room: RoomView }
  | { readonly kind: "floor"; readonly storey: number }
  | {
      readonly kind: "event";
      readonly event: Stored<RecordOf<"event">>;
      readonly thing: KnownThing | undefined;
    }
  | { readonly kind: "span"; readonly span: Interval };

/** The members of a set, in its order; none for a value that is not a set. */
export function elementsOf(value: KnownValue): Element[] {
  switch (value.kind) {
    case "things":
      return value.things.map((thing) => ({ kind: "thing", thing }));
    case "rooms":
      return value.rooms.map((room) => ({ kind: "room", room }));
    case "floors":
      return value.storeys.map((storey) => ({ kind: "floor", storey }));
    case "events":
      return value.events.map((event, n) => ({ kind: "event", event, thing: value.things[n] }));
    case "times":
      return value.spans.map((span) => ({ kind: "span", span }));
    default:
      return [];
  }
}

/** The most members examined for one question. */
const MOST_MEMBERS = 400;

/** The value of an operator's second argument for each member of its first one. */
export async function ofEach(
  set: KnownValue,
  call: Call,
): Promise<{ readonly element: Element; readonly value: Value }[]> {
  const found: { element: Element; value: Value }[] = [];
  for (const element of elementsOf(set).slice(0, MOST_MEMBERS))
    found.push({ element, value: await call.arg(1, { it: ofElements(set, [element]) }) });
  return found;
}

/** The identity of a member: a thing is the same in every stay. */
export function idOf(element: Element): string {
  switch (element.kind) {
    case "thing":
      return element.thing.trackId;
    case "room":
      return element.room.id;
    case "floor":
      return String(element.storey);
    case "event":
      return element.event.id;
    case "span":
      return `${element.span.fromUs}-${element.span.toUs}`;
  }
}

/** The same set with other members of its kind. */
export function ofElements<T extends KnownValue>(set: T, elements: readonly Element[]): T {
  switch (set.kind) {
    case "things": {
      const things = elements.flatMap((one) => (one.kind === "thing" ? [one.thing] : []));
      return { ...set, things, evidence: evidenceFor(things), rivals: undefined };
    }
    case "rooms": {
      const rooms = elements.flatMap((one) => (one.kind === "room" ? [one.room] : []));
      return { ...set, rooms, evidence: evidenceOfRooms(rooms), everywhere: undefined };
    }
    case "floors":
      return { ...set, storeys: elements.flatMap((one) => (one.kind === "floor" ? [one.storey] : [])) };
    case "events": {
      const kept = elements.flatMap((one) => (one.kind === "event" ? [one] : []));
      return { ...set, events: kept.map(({ event }) => event), things: kept.map(({ thing }) => thing) };
    }
    case "times":
      return { ...set, spans: elements.flatMap((one) => (one.kind === "span" ? [one.span] : [])) };
    default:
      return set;
  }
}
