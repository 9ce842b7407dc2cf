import type { Belief } from "../../belief/belief.ts";
import { looksDuring } from "../../belief/poses.ts";
import { floorOf, type RoomView } from "../../belief/room-names.ts";
import { isLiveAt, type KnownThing } from "../../belief/thing.ts";
import { centreOf, distance, extentOf, lerp, type Vec3 } from "../../geometry/index.ts";
import { namesFor } from "../../ontology/index.ts";
import { LIMITS } from "../../schema/core.ts";

/** A passage from one room into another: a door that was seen, or a place where a person or robot walked through. */
export interface Doorway {
  readonly a: RoomView;
  readonly b: RoomView;
  readonly at: Vec3;
  readonly door?: KnownThing | undefined;
}

const DOORS = ["door", "doorway"];
/** Positions this far to either side of a door are in the rooms that it joins (m). */
const BESIDE_M = [0.35, 0.7] as const;
/** The longest time between two observations for a step from one room into the next; stairs take longer. */
const STEP_US = 5_000_000;
const STAIRS_US = 60_000_000;
/** Positions closer together than this count as one. */
const STRIDE_M = 0.25;
/** The most places of a map that are read. */
const MOST_PLACES = 4_000;
/** A crossing this near to a door is assigned to the door (m). */
const AT_DOOR_M = 1.2;

/**
 * The connections of rooms, by the doors that were seen and the paths that were walked. A passage without either is not
 * included.
 */
export function doorwaysOf(memory: Belief, agentId?: string): Promise<readonly Doorway[]> {
  return memory.once(`doorways ${agentId ?? ""}`, () => readDoorways(memory, agentId));
}

async function readDoorways(memory: Belief, agentId: string | undefined): Promise<readonly Doorway[]> {
  const names = DOORS.flatMap((name) => [name, ...namesFor(name).same, ...namesFor(name).kinds]);
  const doors = (await memory.ofCategory(...names)).filter((door) => isLiveAt(door, memory.nowUs));
  const found: Doorway[] = [];
  for (const door of doors) {
    const sides = await roomsBeside(door, memory);
    if (sides) found.push({ a: sides[0], b: sides[1], at: onFloor(centreOf(door.box!), ...sides), door });
  }
  const walked = await edgesOf(memory);
  for (const step of walked ?? (await stepsOf(memory, agentId))) {
    const known = found.some(
      (one) =>
        joins(one, step.a, step.b) && (one.door === undefined || distance(one.at, step.at) < 2 * AT_DOOR_M),
    );
    if (!known) found.push({ ...step, door: doorAt(step.at, doors) });
  }
  return found;
}

/** Doors inside the house without an observed room behind them: they join no two known rooms. */
export async function unopened(memory: Belief): Promise<readonly KnownThing[]> {
  const known = new Set((await doorwaysOf(memory)).flatMap(({ door }) => door?.trackId ?? []));
  const doors = await memory.ofCategory("door", ...namesFor("door").same);
  return doors.filter((door) => isLiveAt(door, memory.nowUs) && !known.has(door.trackId));
}

export function joins({ a, b }: Doorway, one: RoomView, other: RoomView): boolean {
  return (a.id === one.id && b.id === other.id) || (a.id === other.id && b.id === one.id);
}

/** The door that contains a point of a route. */
export function doorAt(point: Vec3, doors: readonly KnownThing[]): KnownThing | undefined {
  const away = ({ box, position }: KnownThing) => {
    const centre = box ? centreOf(box) : position;
    return centre ? Math.hypot(centre.x - point.x, centre.y - point.y) : Infinity;
  };
  const sameStorey = doors.filter(({ box }) => !box || (point.z > box.min.z - 1 && point.z < box.max.z));
  const [nearest] = sameStorey.toSorted((a, b) => away(a) - away(b));
  return nearest && away(nearest) < AT_DOOR_M ? nearest : undefined;
}

/** The two rooms on either side of a door: a step to each side, across its thinner side first. */
async function roomsBeside(door: KnownThing, memory: Belief): Promise<[RoomView, RoomView] | undefined> {
  if (!door.box) return undefined;
  const centre = centreOf(door.box);
  const { x, y } = extentOf(door.box);
  const across = { x: 1, y: 0 };
  const along = { x: 0, y: 1 };
  for (const axis of x <= y ? [across, along] : [along, across])
    for (const stepM of BESIDE_M) {
      const beside = (side: number) =>
        memory.roomAt({
          ...centre,
          x: centre.x + side * axis.x * stepM,
          y: centre.y + side * axis.y * stepM,
        });
      const [a, b] = [await beside(1), await beside(-1)];
      if (a && b && a.id !== b.id) return [a, b];
    }
  return undefined;
}

/** A point on the floor of its room, or halfway between the floors of two. */
export function onFloor(point: Vec3, ...rooms: readonly RoomView[]): Vec3 {
  const floors = rooms.map(floorOf).filter(Number.isFinite);
  return floors.length === 0 ? point : { ...point, z: floors.reduce((sum, z) => sum + z, 0) / floors.length };
}

/** Where the places of a map are joined across two rooms, once for each pair; undefined where there are no places. */
async function edgesOf(memory: Belief): Promise<Doorway[] | undefined> {
  const hits = await memory.search({ kinds: ["place"], limit: MOST_PLACES, rank: "id" });
  if (hits.length === 0) return undefined;
  const rooms = new Map((await memory.rooms()).map((room) => [room.id, room]));
  const byId = new Map(hits.map((hit) => [hit.record.id, hit]));
  const found: Doorway[] = [];
  for (const { record, position } of hits) {
    const a = record.kind === "place" ? rooms.get(record.regionId ?? "") : undefined;
    if (!a || !position || record.kind !== "place") continue;
    for (const { to } of record.edges) {
      const other = byId.get(to);
      const b = other?.record.kind === "place" ? rooms.get(other.record.regionId ?? "") : undefined;
      if (!b || a.id === b.id || !other?.position || found.some((one) => joins(one, a, b))) continue;
      found.push({ a, b, at: onFloor(lerp(position, other.position, 0.5), a, b) });
    }
  }
  return found;
}

/** Where a step went from one room into another, once for each pair of rooms. */
async function stepsOf(memory: Belief, agentId: string | undefined): Promise<Doorway[]> {
  const looks = await looksDuring(memory, { fromUs: -LIMITS.timeUs, toUs: memory.nowUs + 1 }, agentId);
  const steps: Doorway[] = [];
  let last: { readonly room: RoomView; readonly timeUs: number; readonly position: Vec3 } | undefined;
  let before: Vec3 | undefined;
  for (const { timeUs, position } of looks) {
    if (before && last && distance(before, position) < STRIDE_M) {
      last = { ...last, timeUs };
      continue;
    }
    before = position;
    const room = await memory.roomAt(position);
    if (!room) continue;
    if (last && last.room.id !== room.id) {
      const isStairs = last.room.storey !== room.storey;
      const { room: from, position: was, timeUs: wasUs } = last;
      if (
        timeUs - wasUs <= (isStairs ? STAIRS_US : STEP_US) &&
        !steps.some((step) => joins(step, from, room))
      )
        steps.push({ a: from, b: room, at: onFloor(lerp(was, position, 0.5), from, room) });
    }
    last = { room, timeUs, position };
  }
  return steps;
}
