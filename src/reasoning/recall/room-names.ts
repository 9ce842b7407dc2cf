import type { Vec3 } from "../../geometry/index.ts";
import type { Hit } from "../../memory/index.ts";
import type { RecordOf, Stored } from "../../schema/core.ts";
import type { Description } from "../need.ts";
import { norm } from "./matching.ts";

/** A room with where it is; polygons are in the world. */
export interface RoomView {
  readonly id: string;
  readonly name: string;
  readonly record: Stored<RecordOf<"region">>;
  readonly centre: Vec3 | undefined;
  /** Counted from the lowest. */
  readonly storey: number;
}

const KIN: readonly (readonly string[])[] = [
  ["bathroom", "restroom", "washroom", "toilet", "wc", "bath"],
  ["living room", "lounge", "sitting room", "livingroom", "family room", "parlour"],
  ["hallway", "hall", "corridor", "entryway", "foyer", "entrance", "passage", "landing"],
  ["office", "study", "work room", "home office"],
  ["bedroom", "master bedroom", "guest room"],
  ["garage", "carport"],
  ["laundry room", "laundry", "utility room", "wash room"],
  ["children s room", "child s room", "nursery", "kid s room", "playroom"],
  ["pantry", "larder", "storeroom", "storage room"],
];

const STOREY =
  /^(upstairs|downstairs|upper|lower|ground floor|first floor|second floor|top floor|basement)(?: floor)?\s+(.*)$|^(.*?)\s+(upstairs|downstairs)$/;

/** Rooms under the names that people use: the number of a second one goes, the storey comes where it tells them apart. */
export function titledRooms(rooms: readonly Hit[], floors: readonly Hit[]): RoomView[] {
  const storeys = storeysOf(floors);
  const all = rooms.flatMap(({ record, position }) => {
    if (record.kind !== "region") return [];
    const storey = storeys.get(record.parent ?? "") ?? 0;
    return [{ id: record.id, name: baseName(record.name), record, centre: position, storey }];
  });
  const views = all.filter((view) => !hangsAbove(view, all));
  return views.map((view) => {
    const alike = views.filter(({ name }) => name === view.name);
    const apart = alike.some(({ storey }) => storey !== view.storey);
    return apart ? { ...view, name: `${view.storey === 0 ? "downstairs" : "upstairs"} ${view.name}` } : view;
  });
}

/** Floors closer together than this are landings and mistakes, not storeys. */
const STOREY_M = 1.5;

/** So far above the floor below it nobody builds a room; a landing of stairs is taken for one. */
const LANDING_M = 0.4;

/** Whether a room lies over another of its storey: the same place, seen from the stairs. */
function hangsAbove(view: RoomView, all: readonly RoomView[]): boolean {
  const floor = floorOf(view);
  const middle = middleOf(view);
  return all.some((other) => {
    const below = floor - floorOf(other);
    if (other === view || below < LANDING_M || below > STOREY_M) return false;
    const points = other.record.hull ?? [];
    return points.length >= 3 && boundsHold(points, middle);
  });
}

/** Height of a room's floor. */
export function floorOf({ record }: RoomView): number {
  return Math.min(...(record.hull ?? []).map(({ z }) => z));
}

function boundsHold(points: readonly Vec3[], { x, y }: Vec3): boolean {
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)];
  return x >= Math.min(...xs) && x <= Math.max(...xs) && y >= Math.min(...ys) && y <= Math.max(...ys);
}

function storeysOf(floors: readonly Hit[]): ReadonlyMap<string, number> {
  const sorted = [...floors].sort((a, b) => heightOf(a) - heightOf(b));
  const storeys = new Map<string, number>();
  let storey = 0;
  let baseZ = sorted[0] ? heightOf(sorted[0]) : 0;
  for (const floor of sorted) {
    if (heightOf(floor) - baseZ > STOREY_M) {
      storey++;
      baseZ = heightOf(floor);
    }
    storeys.set(floor.record.id, storey);
  }
  return storeys;
}

function heightOf({ record, position }: Hit): number {
  const hull = record.kind === "region" ? record.hull : undefined;
  return hull && hull.length > 0 ? Math.min(...hull.map(({ z }) => z)) : (position?.z ?? 0);
}

function baseName(name: string): string {
  return name.replace(/ \d+$/, "");
}

export function namedRooms(
  rooms: readonly RoomView[],
  { head, mods, owner, ordinal }: Description,
): RoomView[] {
  const whole = norm([...mods, owner === undefined ? head : `${owner}'s ${head}`].join(" "));
  const split = STOREY.exec(whole);
  const storey = split?.[1] ?? split?.[4];
  const asked = split?.[2] ?? split?.[3] ?? whole;
  const fits = (name: string) => {
    const own = norm(baseName(name));
    return own === asked || KIN.some((kin) => kin.includes(own) && kin.includes(asked));
  };
  const named = rooms.filter(({ record }) => fits(record.name));
  const loose =
    named.length > 0 ? named : rooms.filter(({ record }) => norm(record.name).includes(norm(head)));
  const found = storey === undefined ? loose : loose.filter((room) => isOn(storey, room, rooms));
  // Two bedrooms are told apart by their number only where somebody says it.
  const numbered = ordinal === undefined ? undefined : found[ordinal - 1];
  return numbered ? [numbered] : found.toSorted((a, b) => area(b) - area(a));
}

function isOn(storey: string, room: RoomView, rooms: readonly RoomView[]): boolean {
  const top = Math.max(...rooms.map((one) => one.storey));
  if (/^(?:downstairs|lower|ground floor|basement)/.test(storey)) return room.storey === 0;
  return /^top/.test(storey)
    ? room.storey === top
    : /^second/.test(storey)
      ? room.storey === Math.min(2, top)
      : room.storey > 0;
}

/** The middle of its outline, on its floor. */
export function middleOf({ record, centre }: RoomView): Vec3 {
  const points = record.hull ?? [];
  if (points.length === 0) return centre ?? { x: 0, y: 0, z: 0 };
  const mid = (of: (point: Vec3) => number) =>
    (Math.min(...points.map(of)) + Math.max(...points.map(of))) / 2;
  return { x: mid(({ x }) => x), y: mid(({ y }) => y), z: Math.min(...points.map(({ z }) => z)) };
}

/** Of what its outline encloses, square metres. */
export function area({ record }: RoomView): number {
  const points = record.hull ?? [];
  let twice = 0;
  for (const [n, a] of points.entries()) {
    const b = points[(n + 1) % points.length]!;
    twice += a.x * b.y - b.x * a.y;
  }
  return Math.abs(twice) / 2;
}
