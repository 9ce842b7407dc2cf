import { z } from "zod";
import type { RoomView } from "../../../belief/room-names.ts";
import { movesItself } from "../../../ontology/index.ts";
import type { Expression } from "../../../schema/index.ts";
import { node } from "../notation.ts";
import type { Operator, Scope } from "../operator.ts";
import { momentOf } from "../time/spans.ts";
import { staysIn } from "../time/whereabouts.ts";
import { type KnownValue, theseRooms, unknownValue } from "../value.ts";

/** The rooms that a value is in, in the order of the events, or each once. */
async function roomsWhere(x: KnownValue, inTurn: boolean, scope: Scope): Promise<RoomView[]> {
  const { memory } = scope;
  const found: RoomView[] = [];
  const add = (room: RoomView | undefined) => {
    const known = inTurn ? found.slice(-1) : found;
    if (room && known.every(({ id }) => id !== room.id)) found.push(room);
  };
  if (x.kind === "rooms") for (const room of x.rooms) add(room);
  if (x.kind === "self") add(await memory.roomAt(x.position));
  if (x.kind === "things")
    for (const thing of x.things) {
      // Over a longer time people are in several rooms.
      const isOnTheWay = scope.during && movesItself(thing.category) && momentOf(scope) === undefined;
      const stays = isOnTheWay ? await staysIn(undefined, thing, scope) : undefined;
      for (const { regionId } of stays?.events ?? [])
        add(await memory.roomOf({ roomId: regionId, position: undefined }));
      if (!stays || stays.events.length === 0) add(await memory.roomOf(thing));
    }
  if (x.kind === "events") {
    const rooms = await memory.rooms();
    for (const [n, event] of x.events.entries()) {
      const thing = x.things[n];
      add(rooms.find(({ id }) => id === event.regionId) ?? (thing && (await memory.roomOf(thing))));
    }
  }
  return found;
}

/** Rooms and floors of things, and their contents. */
export const regions: readonly Operator[] = [
  {
    name: "room",
    says: "the rooms that things, events or the asked one are in, each once or in turn",
    takes: [{ name: "of", kinds: ["things", "events", "self", "rooms"] }],
    options: z.strictObject({ inTurn: z.boolean().optional() }),
    gives: "rooms",
    reads: ["region"],
    async run(call) {
      const x = (await call.arg(0)) as KnownValue;
      const rooms = await roomsWhere(x, call.options["inTurn"] === true, call.scope);
      if (rooms.length === 0)
        return unknownValue("not-yet", "I do not know in which room that is", { evidence: x.evidence });
      return theseRooms(rooms, "room", x, { rivals: await differing(x.rivals ?? [], rooms, call.scope) });
    },
  },
  {
    name: "floor",
    says: "the floors that things, rooms, events or the asked one are on",
    takes: [{ name: "of", kinds: ["things", "events", "self", "rooms"] }],
    gives: "floors",
    reads: ["region"],
    async run(call) {
      const x = (await call.arg(0)) as KnownValue;
      const rooms = await roomsWhere(x, false, call.scope);
      if (rooms.length === 0)
        return unknownValue("not-yet", "I do not know on which floor that is", { evidence: x.evidence });
      const storeys = [...new Set(rooms.map(({ storey }) => storey))].sort((a, b) => a - b);
      return { kind: "floors", storeys, phrase: "floor", p: x.p, complete: x.complete, evidence: x.evidence };
    },
  },
  {
    name: "contents",
    says: "the things on or in it",
    takes: [{ name: "of", kinds: ["things", "rooms", "floors"] }],
    gives: "things",
    reads: ["state"],
    async run(call) {
      const [of] = call.node.of as [Expression];
      const { kind } = await call.arg(0);
      if (kind !== "things") return call.value(node("in", [node("things"), of]));
      const held = (["on", "in"] as const).map((relation) =>
        node("relate", [node("things"), of], { relation }),
      );
      return call.value(node("or", held));
    },
  },
];

async function differing(
  rivals: NonNullable<KnownValue["rivals"]>,
  rooms: readonly RoomView[],
  { memory }: Scope,
) {
  const ids = new Set(rooms.map(({ id }) => id));
  const others = await Promise.all(rivals.map(async (one) => ({ one, room: await memory.roomOf(one) })));
  return others.filter(({ room }) => !ids.has(room?.id ?? "")).map(({ one }) => one);
}
