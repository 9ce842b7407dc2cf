import { z } from "zod";
import { inflate } from "../../../geometry/index.ts";
import type { RoomView } from "../../memory-view/room-names.ts";
import { theThing } from "../../say/naming.ts";
import type { Operator, Scope } from "../operator.ts";
import { lesser } from "../things/coverage.ts";
import { findThings, thingsValue } from "../things/find.ts";
import { anchorsOf, judgeByAnchors, related } from "../things/related.ts";
import { type KnownValue, unknownValue, type Value } from "../value.ts";
import { isShut } from "./relating.ts";
import { thingsIn } from "./sets.ts";
import { roomsValue } from "./sources.ts";

const NONE = z.strictObject({});
const ANYTHING = { head: "object", mods: [], attributes: {}, phrase: "thing" };

/** The rooms that a value is in, in the order of the events, or each once. */
async function roomsWhere(x: KnownValue, inTurn: boolean, { memory }: Scope): Promise<RoomView[]> {
  const found: RoomView[] = [];
  const add = (room: RoomView | undefined) => {
    const known = inTurn ? found.slice(-1) : found;
    if (room && known.every(({ id }) => id !== room.id)) found.push(room);
  };
  if (x.kind === "rooms") for (const room of x.rooms) add(room);
  if (x.kind === "self") add(await memory.roomAt(x.position));
  if (x.kind === "things") for (const thing of x.things) add(await memory.roomOf(thing));
  if (x.kind === "events") {
    const rooms = await memory.rooms();
    for (const [n, event] of x.events.entries()) {
      const thing = x.things[n];
      add(rooms.find(({ id }) => id === event.regionId) ?? (thing && (await memory.roomOf(thing))));
    }
  }
  return found;
}

/** Rooms and floors of things, and what they hold. */
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
      const rivals = x.rivals && (await differing(x.rivals, rooms, call.scope));
      return {
        ...(await roomsValue(rooms, "room", call.scope)),
        p: x.p,
        complete: x.complete,
        evidence: x.evidence,
        ...(rivals && rivals.length > 0 && { rivals }),
      };
    },
  },
  {
    name: "floor",
    says: "the floors that things, rooms, events or the asked one are on",
    takes: [{ name: "of", kinds: ["things", "events", "self", "rooms"] }],
    options: NONE,
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
    options: NONE,
    gives: "things",
    reads: ["state"],
    async run(call) {
      const x = (await call.arg(0)) as KnownValue;
      if (x.kind === "rooms" || x.kind === "floors") {
        const rooms = await roomsWhere(x, false, call.scope);
        const scope = x.kind === "rooms" ? { ...call.scope, enough: { rooms } } : call.scope;
        return thingsIn(await findThings(ANYTHING, scope), x, call.scope);
      }
      return held(x, call.scope);
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

async function held(x: KnownValue, scope: Scope): Promise<Value> {
  const anchors = anchorsOf(x);
  const boxes = anchors.map(({ box }) => inflate(box, 0.3));
  const around = await findThings(ANYTHING, { ...scope, enough: { boxes } });
  const shut = anchors.flatMap(({ thing }) => (thing && isShut(thing) ? [theThing(thing)] : []));
  const complete = shut.length > 0 ? { share: 0, missing: shut.slice(0, 4) } : x.complete;
  const more = { where: "there", complete };
  const [on, inside] = await Promise.all(
    (["on", "in"] as const).map(async (relation) =>
      related(
        around,
        relation,
        await judgeByAnchors(relation, anchors, anchors, undefined, scope),
        more,
        scope,
      ),
    ),
  );
  const both = new Map([...on!.things, ...inside!.things].map((thing) => [thing.trackId, thing]));
  const value = await thingsValue([...both.values()], { ...more, phrase: "thing", scope });
  return { ...value, complete: lesser(x.complete) };
}
