import type { HouseThing, Opening, Placement, Room } from "../../../world/house/types.ts";
import { listed } from "../../../world/questions/phrases.ts";
import type { Sight } from "../../../world/questions/sight.ts";
import { clock, looksWords, metres, ON_FLOOR, type PlaceFacts, span, visits } from "./facts.ts";

const MAX_NEIGHBOURS = 4;
/** Text is legible within this distance. */
const READABLE_M = 4;
/** Anything lower stands on the floor. */
const LOW_M = 0.05;

/** A room with its size, exits, windows and its content at the end. */
export function roomLines(facts: PlaceFacts, room: Room): string[] {
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
    ...presenceLines(facts, room.id),
    "",
    "Furniture and fixtures:",
    ...lines(facts, seen.filter(isBig)),
    "",
    "Smaller things:",
    ...lines(
      facts,
      seen.filter((thing) => !isBig(thing) && thing.type !== "person"),
    ),
    "",
    ...(unseen.length === 0
      ? []
      : [
          `Here too, but never well in ${facts.robots.length === 1 ? "the robot's" : "any robot's"} sight:`,
          ...unseen.map(
            (thing) => `- ${describe(facts, thing)}; ${placeOf(facts, thing)}; ${facts.looks(thing.id)}`,
          ),
          "",
        ]),
  ];
}

type Point = { readonly x: number; readonly y: number };

export function lines(facts: PlaceFacts, things: readonly HouseThing[]): string[] {
  if (things.length === 0)
    return [`- none that ${facts.robots.length === 1 ? "the robot" : "any robot"} saw`];
  return things.map((thing) => `- ${thingLine(facts, thing)}`);
}

/** The thing's current place, and what the robot saw of it. */
function thingLine(facts: PlaceFacts, thing: HouseThing): string {
  const { id } = thing;
  return [describe(facts, thing), placeOf(facts, thing), ...around(facts, id), knownWords(facts, id)].join(
    "; ",
  );
}

/** "**mug 2** (coffee mug): red, ceramic, 9×8×10 cm, full, says “HOME”". */
export function describe(facts: PlaceFacts, thing: HouseThing): string {
  const { id, name, category, colour, material, text } = thing;
  const other = name === category || thing.type === "person" ? "" : ` (${name})`;
  const parts = [colour, material, sizeOf(facts, id), ...statesOf(facts, thing)];
  if (text !== undefined) parts.push(`says “${text}”${nearestLook(facts, id)}`);
  return `**${facts.nameOf(id)}**${other}: ${parts.filter((part) => part !== undefined && part !== "").join(", ")}`;
}

export function statesOf(facts: PlaceFacts, { id, fluents }: HouseThing): string[] {
  return fluents.flatMap((name) => {
    const value = facts.fluent(id, name);
    if (value === undefined || (name === "occupancy" && value === "free")) return [];
    return name === "power" ? `switched ${value}` : value;
  });
}

function sizeOf(facts: PlaceFacts, id: string): string {
  const segments = facts.timeline.historyOf(id).segments;
  const extent = segments.findLast(({ placement }) => placement !== undefined)?.placement?.extent;
  if (extent === undefined) return "";
  const cm = (value: number) => Math.max(1, Math.round(value * 100));
  return `${cm(extent.y)}×${cm(extent.x)}×${cm(extent.z)} cm`;
}

/** Whether its letters were legible at any time. */
function nearestLook(facts: PlaceFacts, id: string): string {
  const distances = facts.sight.clear(id).flatMap(({ positionInWorld, timeUs }) => {
    const centre = facts.placement(id, timeUs)?.centre;
    return centre === undefined ? [] : Math.hypot(centre.x - positionInWorld.x, centre.y - positionInWorld.y);
  });
  if (distances.length === 0) return "";
  const readableM = READABLE_M * (facts.timeline.thing(id).lettering ?? 1);
  const near = distances.filter((distance) => distance <= readableM).length;
  return near >= 3 ? "" : ` (hardly readable for ${facts.robots.length === 1 ? "the robot" : "the robots"})`;
}

function placeOf(facts: PlaceFacts, { id, type }: HouseThing): string {
  const placement = facts.placement(id)!;
  const isLow = overFloor(facts, placement) < LOW_M;
  const words = facts.placeWords(placement);
  const where = words === ON_FLOOR && !isLow ? "hanging" : words;
  if (isLow || type === "person") return `${where} ${spotOf(placement)}`.trim();
  return `${where}, ${heightAndSpot(facts, id)}`;
}

/** "0.90 m above the floor @3.4,1.3". */
export function heightAndSpot(facts: PlaceFacts, id: string): string {
  const placement = facts.placement(id)!;
  return `${metres(overFloor(facts, placement))} above the floor ${spotOf(placement)}`;
}

const spotOf = ({ centre }: Placement) => `@${centre.x.toFixed(1)},${centre.y.toFixed(1)}`;

export function overFloor(facts: PlaceFacts, { centre, extent, room }: Placement): number {
  return centre.z - extent.z / 2 - (facts.room(room)?.floorZM ?? 0);
}

function around(facts: PlaceFacts, id: string): string[] {
  const under = facts.above(id).map((other) => facts.the(other));
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

/** What each robot saw of it, and whether at its current place. */
export function knownWords(facts: PlaceFacts, id: string): string {
  const since = facts.sinceUs(id);
  if (since <= facts.timeline.startUs) return facts.looks(id);
  const there = `here since ${clock(since)}`;
  if (facts.robots.length === 1) {
    const here = facts.sight.clear(id, since);
    if (here.length > 0) return `${there}; here ${looksWords(here)}`;
    return `${there}, which the robot NEVER SAW: it ${lastSaw(facts, facts.sight, id)}`;
  }
  if (facts.sight.clear(id).length === 0) return `${there}; ${facts.looks(id)}`;
  const own = facts.robots.map(({ name, sight }) => {
    const here = sight.clear(id, since);
    return here.length > 0
      ? `here ${looksWords(here, ` by ${name}`)}`
      : `${name} ${lastSaw(facts, sight, id)}`;
  });
  const last = facts.sight.clear(id).at(-1)!;
  return `${there}; ${own.join("; ")}; last by ${last.agentId} at ${clock(last.timeUs)}`;
}

function lastSaw(facts: PlaceFacts, sight: Sight, id: string): string {
  const before = sight.clear(id).at(-1);
  if (before === undefined) return "never saw it anywhere";
  const { timeUs } = before;
  return `last saw it ${facts.fullPlace(facts.placement(id, timeUs)!, timeUs)} at ${clock(timeUs)}`;
}

function wayOut(facts: PlaceFacts, room: Room, openingId: string): string {
  const opening = facts.house.openings.find(({ id }) => id === openingId)!;
  const other = opening.rooms.find((id) => id !== room.id) ?? null;
  const to = other === null ? "outside (the front door)" : `the ${facts.roomName(other)}`;
  if (opening.kind === "arch" || opening.thing === undefined)
    return `open archway without a door to ${to}, ${metres(opening.widthM)} wide`;
  return `door to ${to}, ${doorWords(facts, opening)}`;
}

function doorWords(facts: PlaceFacts, { thing: id }: Opening): string {
  const thing = facts.timeline.thing(id!);
  const changes = facts.timeline.historyOf(id!).fluents.openness ?? [];
  const was = changes.length < 2 ? "all the time" : "now (see what happened)";
  const state = facts.fluent(id!, "openness");
  return `${thing.colour} ${thing.material}, ${state} ${was}; ${facts.looks(id!)}`;
}

function windowWords(facts: PlaceFacts, room: Room): string {
  const windows = facts.house.openings.filter(({ id }) => room.windows.includes(id));
  if (windows.length === 0) return "none";
  const each = windows.map(({ thing: id, widthM, heightM }) => {
    const { colour } = facts.timeline.thing(id!);
    return `${colour}, ${metres(widthM)} wide, ${metres(heightM)} high, ${facts.looks(id!)}`;
  });
  return `${windows.length} (${each.join(" | ")})`;
}

export function presenceLines(facts: PlaceFacts, roomId: string): string[] {
  return facts.robots.map(({ name, sight }) => `- ${name}: ${presenceWords(sight, roomId)}`);
}

function presenceWords(sight: Sight, roomId: string): string {
  const inside = visits(sight.inRoom(roomId));
  if (inside.length === 0) return "was never in it (at most it looked in from outside)";
  return `was in it ${inside.map(span).join(", ")}`;
}
