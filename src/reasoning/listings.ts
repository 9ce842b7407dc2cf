import { isGuessed, NAMES, nameBelief } from "../belief/names.ts";
import { AWAY } from "../belief/presence.ts";
import { area, type RoomView } from "../belief/room-names.ts";
import type { KnownThing } from "../belief/thing.ts";
import { extentOf, type Vec3 } from "../geometry/index.ts";
import { momentUs } from "../memory/query.ts";
import { NAMELESS } from "../schema/core.ts";
import { type Expression, LociError } from "../schema/index.ts";
import { evaluate } from "./algebra/evaluate.ts";
import { node, print } from "./algebra/notation.ts";
import type { Scope } from "./algebra/operator.ts";
import type { Value } from "./algebra/value.ts";
import { timeAt } from "./read/times.ts";
import { agoText, areaText } from "./say/figures.ts";
import { withArticle } from "./say/grammar.ts";
import { aThing, isPerson, nounOf } from "./say/naming.ts";
import { say } from "./say/say.ts";
import { surroundingsOf } from "./say/surroundings.ts";
import { happening, storeyName, whenOf } from "./say/things.ts";

/** The subject of a listing. */
export type Listing =
  | {
      readonly what: "things";
      readonly room?: string | undefined;
      readonly floor?: string | undefined;
      readonly kind?: string | undefined;
    }
  | { readonly what: "rooms" }
  | { readonly what: "people" }
  | { readonly what: "changes"; readonly since?: Since | undefined }
  | { readonly what: "route"; readonly from?: string | undefined; readonly to: string };

/** Microseconds since the epoch, ISO 8601, or words: "yesterday", "9:05", "an hour ago". */
type Since = number | string;

export type Row = Readonly<Record<string, string | number | boolean>>;

/** A plain listing: its expression, its rows, and one line for a result without rows. */
export interface Listed {
  readonly expression: string;
  readonly rows: readonly Row[];
  readonly text: string;
  /** The parts left out, a line each. */
  readonly notes?: readonly string[] | undefined;
}

/** Things, rooms, people, changes or a route as rows, by the same operators that answer questions. */
export async function listingOf(listing: Listing, scope: Scope): Promise<Listed> {
  const expression = await expressionOf(listing, scope);
  const value = await evaluate(expression, { ...scope, enough: { ...scope.enough, every: true } });
  const rows = await rowsOf(value, scope);
  const context = { nowUs: scope.memory.nowUs, surroundings: surroundingsOf(scope.memory) };
  const { text } = await say(expression, value, context);
  // Without a route there is an error: a script that drives along it must notice.
  if (listing.what === "route" && value.kind === "unknown")
    throw new LociError("unknown-id", `no way is known: ${text.replace(/\.$/, "")}`);
  return { expression: print(expression), rows, text };
}

async function expressionOf(listing: Listing, scope: Scope): Promise<Expression> {
  switch (listing.what) {
    case "things": {
      const { room, floor, kind } = listing;
      const things = node("things", [], { category: kind });
      const inRoom = room === undefined ? things : node("in", [things, await placeOf("rooms", room, scope)]);
      return floor === undefined ? inRoom : node("in", [inRoom, await placeOf("floors", floor, scope)]);
    }
    case "rooms":
      return node("rooms");
    case "people":
      return node("things", [], { category: "person" });
    case "changes": {
      const { since } = listing;
      const changes = node("changes");
      return since === undefined ? changes : node("at", [changes, timeSince(since, scope.memory.nowUs)]);
    }
    case "route": {
      const ends = listing.from === undefined ? [listing.to] : [listing.from, listing.to];
      return node("route", await Promise.all(ends.map((end) => endOf(end, scope))));
    }
  }
}

const ISO = /^\d{4}-/;

/** The time after a moment. Words for it are read as they are in a question. */
function timeSince(since: Since, nowUs: number): Expression {
  if (typeof since === "number" || ISO.test(since))
    return node("after", [node("moment", [], { atUs: momentUs(since) })]);
  const words = plain(since).split(/\s+/);
  if (words[0] !== "since") words.unshift("since");
  const time = timeAt(words, 0, nowUs);
  if (time?.length !== words.length)
    throw new LociError(
      "invalid-input",
      `expected a time such as yesterday, 9:05, an hour ago or 2026-03-02T09:00:00Z, got "${since}"`,
    );
  return time.value;
}

/** Rooms or floors of a name. An unknown name is reported: an empty listing would read as an empty room. */
async function placeOf(op: "rooms" | "floors", name: string, scope: Scope): Promise<Expression> {
  const found = node(op, [], { name: plain(name) });
  const value = await evaluate(found, scope);
  const count =
    value.kind === "rooms" ? value.rooms.length : value.kind === "floors" ? value.storeys.length : 0;
  if (count > 0) return found;
  const others = await evaluate(node("rooms"), scope);
  const names = others.kind === "rooms" ? others.rooms.map((room) => room.name).sort() : [];
  const known =
    op === "rooms" && names.length > 0 ? `; there are ${names.slice(0, MAX_NAMES).join(", ")}` : "";
  throw new LociError("unknown-id", `there is no ${op === "rooms" ? "room" : "floor"} "${name}"${known}`);
}

/** The most room names suggested for an unknown one. */
const MAX_NAMES = 20;

function plain(name: string): string {
  return name
    .trim()
    .toLowerCase()
    .replace(/^(?:the|an?)\s+/, "");
}

/**
 * The room that is called so, otherwise the thing, otherwise the room whose name contains the words: "the bed" is not
 * the bedroom.
 */
export async function endOf(name: string, scope: Scope): Promise<Expression> {
  const { memory } = scope;
  const words = plain(name);
  if (words === "")
    throw new LociError("invalid-input", "a way leads from and to a room or a thing; got an empty name");
  if (/^(?:here|me|you)$/.test(words)) return node("self");
  const called = { head: words, mods: [], attributes: {}, phrase: words };
  const rooms = node("rooms", [], { name: words });
  if ((await memory.roomsNamed({ ...called, isWhole: true })).length > 0) return rooms;
  const thing = node("the", [node("things", [], { category: words })]);
  if ((await memory.roomsNamed(called)).length === 0) return thing;
  return (await evaluate(thing, scope)).kind === "unknown" ? rooms : thing;
}

async function rowsOf(value: Value, scope: Scope): Promise<Row[]> {
  switch (value.kind) {
    case "things":
      // Reads all at once what each row needs.
      await scope.memory.presence(value.things.map(({ state }) => state.id));
      return sorted(await Promise.all(value.things.map((thing) => thingRow(thing, scope))));
    case "rooms": {
      const counts = await countsOf(value.rooms, scope);
      return sorted(value.rooms.map((room) => roomRow(room, counts.get(room.id) ?? 0)));
    }
    case "events":
      return value.events.map((event, n) => ({
        when: whenOf(event, scope.memory.nowUs).replace(/^at /, ""),
        what: happening(event, value.things[n]),
        p: Math.round(event.p * 100) / 100,
        id: event.id,
      }));
    case "route":
      return value.rooms.map(({ name, id }, n) => ({ step: n + 1, room: name, id }));
    default:
      return [];
  }
}

function sorted(rows: readonly Row[]): Row[] {
  return rows
    .map((row) => ({ row, key: `${row["kind"] ?? ""} ${row["name"] ?? ""} ${row["id"] ?? ""}` }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row);
}

async function thingRow(thing: KnownThing, { memory }: Scope): Promise<Row> {
  const surroundings = surroundingsOf(memory);
  const [room, on] = [await memory.roomOf(thing), await surroundings.holderOf(thing)];
  const seenUs = await memory.lastSeenUs(thing);
  const isGone = AWAY.has((await memory.standing(thing)).status);
  return {
    kind: isPerson(thing) ? "person" : kindOf(thing),
    name: isPerson(thing) ? nounOf(thing) : thing.name,
    room: room?.name ?? "",
    on: on ?? "",
    size: thing.box ? sizeText(extentOf(thing.box)) : "",
    at: thing.position
      ? [thing.position.x, thing.position.y, thing.position.z].map((m) => m.toFixed(1)).join(" ")
      : "",
    seen: isGone ? `gone, seen ${agoText(memory.nowUs - seenUs)}` : agoText(memory.nowUs - seenUs),
    id: thing.trackId,
  };
}

/** "printer", "perhaps a printer", "thing (mug?)": as sure as its name is. */
function kindOf(thing: KnownThing): string {
  const { standing, category, p } = nameBelief(thing.state);
  if (thing.category !== NAMELESS && standing !== "unnamed")
    return isGuessed(thing) ? aThing(thing) : nounOf(thing);
  if (standing === "perhaps") return `perhaps ${withArticle(category)}`;
  return p >= NAMES.hintP ? `${NAMELESS} (${category}?)` : NAMELESS;
}

/** Length, width and height in centimetres. */
function sizeText({ x, y, z }: Vec3): string {
  const sides = [Math.max(x, y), Math.min(x, y), z].map((side) => Math.max(1, Math.round(100 * side)));
  return `${sides.join(" × ")} cm`;
}

/** The number of things in each room, as "how many things are in it?" counts them; of a large building room by room. */
async function countsOf(rooms: readonly RoomView[], scope: Scope): Promise<ReadonlyMap<string, number>> {
  const all = await evaluate(node("things"), { ...scope, enough: { ...scope.enough, every: true } });
  if (all.kind !== "things") return new Map();
  if (all.times === undefined) {
    const byRoom = Map.groupBy(all.things, ({ roomId }) => roomId ?? "");
    return new Map(Array.from(byRoom, ([id, things]) => [id, things.length]));
  }
  const counts = rooms.map(async ({ id, name }) => {
    const inside = node("in", [node("things"), node("known", [], { category: name, rooms: [id] })]);
    const count = await evaluate(node("count", [inside]), scope);
    return [id, count.kind === "number" ? count.value : 0] as const;
  });
  return new Map(await Promise.all(counts));
}

function roomRow(room: RoomView, things: number): Row {
  return {
    name: room.name,
    floor: storeyName(room.storey),
    area: areaText(area(room)),
    things,
    looked: `${Math.round(room.record.coverage * 100)} %`,
    id: room.id,
  };
}
