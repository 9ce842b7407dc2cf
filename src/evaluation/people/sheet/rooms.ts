import type { HouseThing, Opening, Placement, Room } from "../../../world/house/types.ts";
import { listed } from "../../../world/questions/phrases.ts";
import { clock, type HouseFacts, looksWords, metres, span, visits } from "./facts.ts";

const MAX_NEIGHBOURS = 4;
/** A thing is read from as near as this; farther off letters blur. */
const READABLE_M = 4;

/** A room with its measures, ways out, windows and all that is in it at the end. */
export function roomLines(facts: HouseFacts, room: Room): string[] {
  const [a, , c] = room.polygon.points as [Point, Point, Point];
  const [x, y] = [c.x - a.x, c.y - a.y];
  const here = facts.things.filter(
    ({ id, type }) => type !== "door" && type !== "window" && facts.placement(id)?.room === room.id,
  );
  const unseen = here.filter(({ id }) => facts.sight.clear(id).length === 0);
  const seen = here.filter((thing) => !unseen.includes(thing));
  const isBig = ({ type }: HouseThing) => type === "furniture";
  return [
    `### ${facts.roomName(room.id)} (${facts.storey(room.floor)}): ${(x * y).toFixed(1)} m² of floor, ${metres(x)} × ${metres(y)}`,
    "",
    ...room.doors.map((id) => `- way out: ${wayOut(facts, room, id)}`),
    `- windows: ${windowWords(facts, room)}`,
    `- the robot: ${presenceWords(facts, room.id)}`,
    "",
    "Furniture and fixtures:",
    ...lines(seen.filter(isBig).map((thing) => thingLine(facts, thing))),
    "",
    "Smaller things:",
    ...lines(
      seen
        .filter((thing) => !isBig(thing) && thing.type !== "person")
        .map((thing) => thingLine(facts, thing)),
    ),
    "",
    ...(unseen.length === 0
      ? []
      : [
          "Here too, but never well in the robot's sight:",
          ...unseen.map(
            (thing) => `- ${describe(facts, thing)}; ${placeOf(facts, thing)}; ${facts.looks(thing.id)}`,
          ),
          "",
        ]),
  ];
}

type Point = { readonly x: number; readonly y: number };

const lines = (items: readonly string[]) =>
  items.length === 0 ? ["- none that the robot saw"] : items.map((item) => `- ${item}`);

/** Where the thing now is, and what the robot saw of it. */
export function thingLine(facts: HouseFacts, thing: HouseThing): string {
  const { id } = thing;
  return [describe(facts, thing), placeOf(facts, thing), ...around(facts, id), knownWords(facts, id)].join(
    "; ",
  );
}

/** "**mug 2** (coffee mug): red, ceramic, 9×8×10 cm, full, says “HOME”". */
export function describe(facts: HouseFacts, thing: HouseThing): string {
  const { id, name, category, colour, material, text } = thing;
  const other = name === category || thing.type === "person" ? "" : ` (${name})`;
  const parts = [colour, material, sizeOf(facts, id), ...statesOf(facts, thing)];
  if (text !== undefined) parts.push(`says “${text}”${nearestLook(facts, id)}`);
  return `**${facts.nameOf(id)}**${other}: ${parts.filter((part) => part !== undefined && part !== "").join(", ")}`;
}

export function statesOf(facts: HouseFacts, { id, fluents }: HouseThing): string[] {
  return fluents.flatMap((name) => {
    const value = facts.fluent(id, name);
    if (value === undefined || (name === "occupancy" && value === "free")) return [];
    return name === "power" ? `switched ${value}` : value;
  });
}

function sizeOf(facts: HouseFacts, id: string): string {
  const segments = facts.timeline.historyOf(id).segments;
  const extent = segments.findLast(({ placement }) => placement !== undefined)?.placement?.extent;
  if (extent === undefined) return "";
  const cm = (value: number) => Math.max(1, Math.round(value * 100));
  return `${cm(extent.y)}×${cm(extent.x)}×${cm(extent.z)} cm`;
}

/** Whether letters could be made out at all. */
function nearestLook(facts: HouseFacts, id: string): string {
  const distances = facts.sight.clear(id).flatMap(({ positionInWorld, timeUs }) => {
    const centre = facts.placement(id, timeUs)?.centre;
    return centre === undefined ? [] : Math.hypot(centre.x - positionInWorld.x, centre.y - positionInWorld.y);
  });
  if (distances.length === 0) return "";
  const near = distances.filter((distance) => distance <= READABLE_M).length;
  return near >= 3 ? "" : " (hardly readable for the robot)";
}

function placeOf(facts: HouseFacts, { id, type }: HouseThing): string {
  const placement = facts.placement(id)!;
  const over = overFloor(facts, placement);
  const up = over < 0.05 || type === "person" ? "" : `, ${metres(over)} above the floor`;
  const at = `@${placement.centre.x.toFixed(1)},${placement.centre.y.toFixed(1)}`;
  return `${facts.placeWords(placement)}${up} ${at}`.trim();
}

export function overFloor(facts: HouseFacts, { centre, extent, room }: Placement): number {
  return centre.z - extent.z / 2 - (facts.room(room)?.floorZM ?? 0);
}

function around(facts: HouseFacts, id: string): string[] {
  const under = facts.above(id).map((other) => `the ${facts.nameOf(other)}`);
  const beside = facts
    .neighbours(id)
    .filter((other) => facts.sight.clear(other).length > 0)
    .slice(0, MAX_NEIGHBOURS)
    .map((other) => facts.nameOf(other));
  return [
    ...(under.length === 0 ? [] : [`under ${listed(under)}`]),
    ...(beside.length === 0 ? [] : [`next to ${listed(beside)}`]),
  ];
}

/** What the robot saw of it, and whether where it now is. */
function knownWords(facts: HouseFacts, id: string): string {
  const all = facts.sight.clear(id);
  const since = facts.sinceUs(id);
  if (since <= facts.timeline.startUs) return facts.looks(id);
  const here = facts.sight.clear(id, since);
  const there = `here since ${clock(since)}`;
  if (here.length > 0) return `${there}; here ${looksWords(here)}`;
  const before = all.at(-1)!;
  return `${there}, which the robot NEVER SAW: it last saw it ${facts.fullPlace(facts.placement(id, before.timeUs)!, before.timeUs)} at ${clock(before.timeUs)}`;
}

function wayOut(facts: HouseFacts, room: Room, openingId: string): string {
  const opening = facts.house.openings.find(({ id }) => id === openingId)!;
  const other = opening.rooms.find((id) => id !== room.id) ?? null;
  const to = other === null ? "outside (the front door)" : `the ${facts.roomName(other)}`;
  if (opening.kind === "arch" || opening.thing === undefined)
    return `open archway without a door to ${to}, ${metres(opening.widthM)} wide`;
  return `door to ${to}, ${doorWords(facts, opening)}`;
}

function doorWords(facts: HouseFacts, { thing: id }: Opening): string {
  const thing = facts.timeline.thing(id!);
  const changes = facts.timeline.historyOf(id!).fluents.openness ?? [];
  const was = changes.length < 2 ? "all the time" : "now (see what happened)";
  const state = facts.fluent(id!, "openness");
  return `${thing.colour} ${thing.material}, ${state} ${was}; ${facts.looks(id!)}`;
}

function windowWords(facts: HouseFacts, room: Room): string {
  const windows = facts.house.openings.filter(({ id }) => room.windows.includes(id));
  if (windows.length === 0) return "none";
  const each = windows.map(({ thing: id, widthM, heightM }) => {
    const { colour } = facts.timeline.thing(id!);
    return `${colour}, ${metres(widthM)} wide, ${metres(heightM)} high, ${facts.looks(id!)}`;
  });
  return `${windows.length} (${each.join(" | ")})`;
}

function presenceWords(facts: HouseFacts, roomId: string): string {
  const inside = visits(facts.sight.inRoom(roomId));
  if (inside.length === 0) return "was never in it (at most it looked in from outside)";
  return `was in it ${inside.map(span).join(", ")}`;
}
