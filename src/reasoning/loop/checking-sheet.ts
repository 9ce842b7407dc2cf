import { withThings } from "../../belief/changes.ts";
import type { EventRecord } from "../../belief/happening.ts";
import { holderOf } from "../../belief/holder.ts";
import { area, type RoomView } from "../../belief/room-names.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { distance, enclosingSides, gapBetween, type Vec3 } from "../../geometry/index.ts";
import type { Evidence } from "../../retrieval/index.ts";
import { LIMITS } from "../../schema/core.ts";
import { spanText, timeText } from "../evidence/index.ts";
import type { LoopMemory } from "./loop-memory.ts";
import { linesOf } from "./record-lines.ts";

/** Of so many things and rooms the measures are told, and of each pair of them how far apart they are. */
const MEASURED = 8;
/** So many things beside a cited one are named, and so far off (m) at most. */
const BESIDE = 4;
const BESIDE_M = 3;
/** So many of a kind, or in a room, are named; the others are counted. */
const NAMED = 12;
/** Measures and totals may take so many characters for each token of the records. */
const CHARS = 4;

/**
 * Cited records in the form needed to judge a claim: each on a line, then derived values (sides, heights, areas,
 * distances between any two, origin and destination of moves, time ago), and how many of the kind the whole memory has.
 */
export async function checkingSheet(
  cited: readonly Evidence[],
  memory: LoopMemory,
  tokens: number,
): Promise<string> {
  const { lines, shown } = await linesOf(cited, memory, { tokens });
  const left = cited.length - shown.length;
  const stays = await memory.stays(cited.flatMap(({ id, kind }) => (kind === "state" ? [id] : [])));
  const things = [...stays.values()].slice(0, MEASURED);
  const all = await memory.belief.rooms();
  const rooms = all.filter(({ id }) => cited.some((item) => item.id === id)).slice(0, MEASURED);
  const events = cited.flatMap(({ record }) => (record.kind === "event" ? [record] : []));
  const more = [
    ...(await Promise.all(things.map((thing) => measured(thing, memory)))),
    ...(await Promise.all(rooms.map((room) => measuredRoom(room, memory)))),
    ...(await happened(events.slice(0, MEASURED), memory)),
    ...betweenAll(things, rooms, memory),
    ...(await totals(things, all, memory)),
    ...(await inventory(all, memory)),
  ];
  const kept: string[] = [];
  let used = 0;
  for (const line of more) {
    used += line.length;
    if (used <= tokens * CHARS) kept.push(line);
  }
  const cut = left > 0 ? [`${shown.length} of ${cited.length} records shown`] : [];
  return [...lines, ...cut, ...(kept.length > 0 ? ["Worked out of the memory:", ...kept] : [])].join("\n");
}

/** Its box, the place and time of this very record, and its neighbours. */
async function measured(thing: KnownThing, memory: LoopMemory): Promise<string> {
  const { state, box, position } = thing;
  // Stays of one thing have one short id: the record's own tells them apart, and an answer may name it.
  const parts = [`${memory.shortOf(thing)} ${thing.name} (record ${state.id})`];
  const until = state.validToUs === null ? "now" : timeText(state.validToUs, memory.nowUs);
  parts.push(
    `${await placed(thing, memory)} from ${timeText(state.validFromUs, memory.nowUs)} until ${until}`,
  );
  const seen = (await memory.belief.presence([state.id])).get(state.id);
  if (seen?.firstSeenUs != null && seen.lastSeenUs != null)
    parts.push(
      `seen there ${spanText(seen.firstSeenUs, Math.min(seen.lastSeenUs, memory.nowUs), memory.nowUs)}`,
    );
  if (box) {
    const { x, y, z } = state.extent ?? sidesOf(box.min, box.max);
    parts.push(`${m(Math.max(x, y))} long, ${m(Math.min(x, y))} wide, ${m(z)} high`);
    parts.push(`from ${m(box.min.z)} to ${m(box.max.z)} above the ground`);
  }
  const values = Object.entries(state.attributes).map(([name, { value }]) => `${name} ${value}`);
  if (values.length > 0) parts.push(values.join(", "));
  if (position) {
    parts.push(`middle at ${at(position)}`);
    const near = await beside(thing, position, memory);
    if (near.length > 0) parts.push(`nearest: ${near.join(", ")}`);
  }
  return parts.join(" · ");
}

async function placed(thing: KnownThing, memory: LoopMemory): Promise<string> {
  const room = await memory.belief.roomOf(thing);
  const held = await holderOf(thing, memory.belief);
  const holder = held && (await memory.belief.thingOfState(held.stateId, 1));
  const place = room ? `in the ${room.name}` : "room unknown";
  return held ? `${held.relation} the ${holder?.name ?? held.category} ${place}` : place;
}

async function beside(thing: KnownThing, position: Vec3, memory: LoopMemory): Promise<string[]> {
  const space = { type: "radius", centre: position, radiusM: BESIDE_M } as const;
  const around = await memory.belief.around(space);
  return around
    .flatMap((other) =>
      other.trackId === thing.trackId || !other.position
        ? []
        : [{ other, apartM: distance(position, other.position) }],
    )
    .sort((a, b) => a.apartM - b.apartM || (a.other.trackId < b.other.trackId ? -1 : 1))
    .slice(0, BESIDE)
    .map(({ other, apartM }) => `${other.name} ${m(apartM)}`);
}

async function measuredRoom(room: RoomView, memory: LoopMemory): Promise<string> {
  const inside = await memory.belief.everything({ roomId: room.id, all: true });
  const parts = [`${memory.evidence.ids.of(room.id, "room")} ${room.name} (room)`];
  const outline = room.record.hull ?? [];
  if (outline.length > 2) {
    const [long, short] = enclosingSides(outline);
    parts.push(`${m(long)} long, ${m(short)} wide, area ${area(room).toFixed(1)} m²`);
  }
  if (room.centre) parts.push(`middle at ${at(room.centre)}`);
  parts.push(`${inside.length} things in it: ${namesOf(inside)}`);
  return parts.join(" · ");
}

/** The details of an event: origin and destination, old and new value, person, place, and time ago. */
async function happened(events: readonly EventRecord[], memory: LoopMemory): Promise<string[]> {
  const rooms = await memory.belief.rooms();
  const lines: string[] = [];
  for (const { event, thing } of await withThings(events, memory.belief)) {
    const { type, validFromUs, detail, regionId } = event;
    const ago = agoText(memory.nowUs - validFromUs);
    const parts = [
      `${memory.evidence.ids.of(event.id, "event")} ${type} at ${timeText(validFromUs, memory.nowUs)}`,
    ];
    parts.push(`${ago} ago`);
    if (thing) parts.push(`of ${memory.shortOf(thing)} ${thing.name}`);
    if (typeof detail["agentId"] === "string") parts.push(`by ${detail["agentId"]}`);
    const room = rooms.find(({ id }) => id === regionId);
    if (room) parts.push(`${type === "enter" ? "into" : "in"} the ${room.name}`);
    if (type === "state-change")
      parts.push(`${detail["attribute"]} from ${detail["from"]} to ${detail["to"]}`);
    if (type === "move" && thing) parts.push(...(await moved(thing, validFromUs, memory)));
    lines.push(parts.join(" · "));
  }
  return lines;
}

async function moved({ trackId }: KnownThing, atUs: number, memory: LoopMemory): Promise<string[]> {
  const stays = await memory.belief.stays(trackId);
  const before = stays.findLast(({ state }) => state.validFromUs <= atUs);
  const after = stays.find(({ state }) => state.validFromUs > atUs);
  return [
    ...(before ? [`before it was ${await placed(before, memory)}`] : []),
    ...(after ? [`after it was ${await placed(after, memory)}`] : []),
  ];
}

/** How far apart any two are, by their middles and by their nearest sides. */
function betweenAll(things: readonly KnownThing[], rooms: readonly RoomView[], memory: LoopMemory): string[] {
  const placed = [
    ...things.flatMap((thing) =>
      thing.position ? [{ name: nameAt(thing, memory), centre: thing.position, box: thing.box }] : [],
    ),
    ...rooms.flatMap(({ name, centre }) => (centre ? [{ name, centre, box: undefined }] : [])),
  ];
  return placed.flatMap((one, n) =>
    placed.slice(n + 1).map((other) => {
      const gap = one.box && other.box ? `, ${m(gapBetween(one.box, other.box))} between their sides` : "";
      return `from ${one.name} to ${other.name}: ${m(apartM(one, other))} between their middles${gap}`;
    }),
  );
}

/** The middle of a room lies on its floor, so that height counts between things alone. */
function apartM(
  one: { readonly centre: Vec3; readonly box: unknown },
  other: { readonly centre: Vec3; readonly box: unknown },
): number {
  const isLevel = !one.box || !other.box;
  return isLevel
    ? Math.hypot(one.centre.x - other.centre.x, one.centre.y - other.centre.y)
    : distance(one.centre, other.centre);
}

/** The number of things of the cited kinds, and of rooms: "all", "only" and "how many" are judged by it. */
async function totals(
  things: readonly KnownThing[],
  rooms: readonly RoomView[],
  memory: LoopMemory,
): Promise<string[]> {
  const lines: string[] = [];
  for (const category of new Set(things.map((thing) => thing.category))) {
    const ever = await memory.things({
      during: { fromUs: -LIMITS.timeUs, toUs: memory.nowUs + 1 },
      categories: [category],
    });
    const now = await memory.things({
      during: { fromUs: memory.nowUs, toUs: memory.nowUs + 1 },
      categories: [category],
    });
    const named = ever.slice(0, NAMED).map(({ record, chain }) => {
      const name = record.kind === "state" ? record.name : category;
      return chain?.[0] === undefined ? name : `${name} in the ${chain[0]}`;
    });
    const more = ever.length > NAMED ? ` and ${ever.length - NAMED} more` : "";
    lines.push(
      `of the kind ${category} there were ever seen ${ever.length} (${named.join(", ")}${more}); known to be there now: ${now.length}`,
    );
  }
  if (rooms.length > 0)
    lines.push(
      `rooms known: ${rooms.length} (${rooms
        .slice(0, NAMED)
        .map(({ name }) => name)
        .join(", ")})`,
    );
  return lines;
}

/** Of a thing that has been in more places, which of them is meant. */
function nameAt(thing: KnownThing, memory: LoopMemory): string {
  const name = `${memory.shortOf(thing)} ${thing.name}`;
  const { validToUs } = thing.state;
  return validToUs === null ? name : `${name} where it was until ${timeText(validToUs, memory.nowUs)}`;
}

/** Of a memory of so few things all are told, since a claim may speak of all there is. */
const FEW = 48;

/** All things known to be there now, by room, with the facts that their names do not contain. */
async function inventory(rooms: readonly RoomView[], memory: LoopMemory): Promise<string[]> {
  const things = await memory.belief.everything({ all: true });
  if (things.length > FEW) return [];
  const byRoom = new Map<string, string[]>(rooms.map(({ name }) => [name, []]));
  for (const thing of things) {
    const room = (await memory.belief.roomOf(thing))?.name ?? "no known room";
    const own = thing.name.toLowerCase();
    const values = Object.values(thing.state.attributes).map(({ value }) => String(value));
    const more = values.filter((value) => !own.includes(value.toLowerCase()));
    const line = more.length > 0 ? `${thing.name} (${more.join(", ")})` : thing.name;
    byRoom.set(room, [...(byRoom.get(room) ?? []), line]);
  }
  return [...byRoom].map(([room, names]) => `all known now in the ${room}: ${names.join(", ") || "nothing"}`);
}

function namesOf(things: readonly KnownThing[]): string {
  const more = things.length > NAMED ? ` and ${things.length - NAMED} more` : "";
  return `${things
    .slice(0, NAMED)
    .map(({ name }) => name)
    .join(", ")}${more}`;
}

/** "6 min 0 s". */
function agoText(us: number): string {
  const s = Math.max(0, Math.round(us / 1e6));
  const [days, hours, minutes] = [
    Math.floor(s / 86_400),
    Math.floor(s / 3_600) % 24,
    Math.floor(s / 60) % 60,
  ];
  const parts = [
    days > 0 && `${days} d`,
    hours > 0 && `${hours} h`,
    minutes > 0 && `${minutes} min`,
    `${s % 60} s`,
  ];
  return parts.filter((part) => part !== false).join(" ");
}

function sidesOf(min: Vec3, max: Vec3): Vec3 {
  return { x: max.x - min.x, y: max.y - min.y, z: max.z - min.z };
}

const m = (metres: number) => `${metres.toFixed(2)} m`;
const at = ({ x, y, z }: Vec3) => `x ${x.toFixed(2)}, y ${y.toFixed(2)}, z ${z.toFixed(2)}`;
