import { polygonArea, polygonCentroid, type Vec3 } from "../geometry/index.ts";
import type { Hit } from "../memory/index.ts";
import { roomFit, roomKind } from "../ontology/index.ts";
import type { RecordOf, Stored } from "../schema/core.ts";
import type { Description } from "./description.ts";
import { codeOf, labelOf, type PlaceLabel, sameLabel } from "./labels.ts";
import { norm } from "./matching.ts";
import { PLACES } from "./settings/places.ts";

/** One of the names of a room, and how often each source gave it. */
export interface RoomName {
  readonly name: string;
  readonly count: number;
  readonly source: "person" | "sign" | "caption" | "furniture";
}

/** A room with its place; polygons are in the world. */
export interface RoomView {
  readonly id: string;
  readonly name: string;
  /** The type of room, without a number or storey. */
  readonly type: string;
  readonly record: Stored<RecordOf<"region">>;
  readonly centre: Vec3 | undefined;
  /** Counted from the lowest. */
  readonly storey: number;
  /** All names of the room, the best supported first; each of them finds it. */
  readonly names?: readonly RoomName[] | undefined;
  /** The rest of a region that the map took for one room and that was divided: its contents are found by position. */
  readonly isRest?: boolean | undefined;
}

/** Words that only say that it is a place. */
const PLAIN = /^(?:room|area|space|place|region)(?: \d+)?$/i;

/** Whether a name says nothing about its place: "room", "area 2". */
export function isPlainName(name: string): boolean {
  return PLAIN.test(name);
}

const STOREY =
  /^(upstairs|downstairs|upper|lower|ground floor|first floor|second floor|top floor|basement)(?: floor)?\s+(.*)$|^(.*?)\s+(upstairs|downstairs)$/;

/**
 * Rooms with the names that people use: without the number of the map, and with the storey where it distinguishes them.
 * `name` gives each room's other names.
 */
export function titledRooms(
  rooms: readonly Hit[],
  floors: readonly Hit[],
  name: (views: readonly RoomView[]) => readonly RoomView[] = (views) => views,
): RoomView[] {
  const storeys = storeysOf(floors);
  const all = rooms.flatMap(({ record, position }) => {
    if (record.kind !== "region") return [];
    const storey = storeys.get(record.parent ?? "") ?? 0;
    const type = typeOf(record.roomType ?? record.name, record.perceived?.text ?? record.text);
    // A name given by a person is used as it is.
    const name = record.roomType === undefined ? type : record.name;
    return [{ id: record.id, name, type, record, centre: position, storey }];
  });
  const floorsZ = all.map(floorOf);
  const views = name(all.filter((view, n) => !hangsAbove(view, floorsZ[n]!, all, floorsZ)));
  const storeysOfName = new Map<string, Set<number>>();
  for (const { name, storey } of views)
    storeysOfName.set(name, (storeysOfName.get(name) ?? new Set()).add(storey));
  return views.map((view) => {
    const apart = storeysOfName.get(view.name)!.size > 1;
    return apart ? { ...view, name: `${view.storey === 0 ? "downstairs" : "upstairs"} ${view.name}` } : view;
  });
}

/** Whether a room lies over another of its storey: the same place, seen from the stairs. */
function hangsAbove(
  view: RoomView,
  floorZ: number,
  all: readonly RoomView[],
  floorsZ: readonly number[],
): boolean {
  return all.some((other, n) => {
    const below = floorZ - floorsZ[n]!;
    if (other === view || below < PLACES.landingM || below > PLACES.storeyM) return false;
    const points = other.record.hull ?? [];
    return points.length >= 3 && boundsHold(points, middleOf(view));
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
    if (heightOf(floor) - baseZ > PLACES.storeyM) {
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

/** The type of an unnamed room, from contents that only such rooms have. */
const TELLTALES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:toilet|bathtub|shower|washbasin)\b/, "bathroom"],
  [/\b(?:stove|oven|cooker|kitchen sink|kitchen counter|dishwasher)\b/, "kitchen"],
  [/\b(?:washing machine|tumble dryer|ironing board)\b/, "laundry"],
  [/\b(?:car|workbench|tyre)\b/, "garage"],
  [/\bdining tables?\b/, "dining room"],
  [/\b(?:toy chest|dolls?|cot)\b/, "children's room"],
  [/\b(?:double |single |king-size )?beds?\b/, "bedroom"],
  [/\b(?:sofas?|couch|televisions?|tv stand)\b/, "living room"],
  [/\b(?:office chair|filing cabinet|whiteboard|printer)\b/, "office"],
  [/\b(?:coat rack|shoe rack|front door)\b/, "hallway"],
];

function typeOf(name: string, text: readonly string[]): string {
  const own = name.replace(/ \d+$/, "");
  if (!isPlainName(own)) return own;
  const holds = text.slice(1).join(" ").toLowerCase();
  return TELLTALES.find(([things]) => things.test(holds))?.[1] ?? own;
}

const MINE = /^(?:my|our) (?:own )?room$/;
const WHOSE = /^(?:my|your|our|his|her|their|.*s['’]?) (?:own )?(?!room$)(\S+)$/;
const SLEPT_IN = ["bedroom", "children's room"];

export function namedRooms(
  rooms: readonly RoomView[],
  { head, mods, owner, ordinal, isWhole = false }: Description,
): RoomView[] {
  const whole = norm([...mods, owner === undefined ? head : `${owner}'s ${head}`].join(" "));
  const split = STOREY.exec(whole);
  const storey = split?.[1] ?? split?.[4];
  const asked = split?.[2] ?? split?.[3] ?? whole;
  const fitting = (kind: string) => {
    const fits = rooms.map((room) =>
      norm(room.type) === kind || isCalled(room, whole) ? 1 : roomFit(kind, room.type),
    );
    const best = Math.max(0, ...fits);
    // "bathroom" means a toilet where there is no bathroom.
    return best === 0 ? [] : rooms.filter((_, n) => fits[n] === best);
  };
  const own = isBuilding(asked) && !rooms.some((room) => isCalled(room, whole)) ? [...rooms] : fitting(asked);
  // The owners of rooms are not known: "my room" is any bedroom, "daddy's bedroom" a bedroom, "Anna's room" none.
  const kinds = MINE.test(asked) ? SLEPT_IN : (WHOSE.exec(asked)?.slice(1) ?? []);
  const named = own.length > 0 ? own : [...new Set(kinds.flatMap(fitting))];
  const near = named.length > 0 ? named : nearlyNamed(asked, fitting);
  const told = near.length > 0 ? near : [...byCode(rooms, asked), ...byCaptions(rooms, asked)];
  const isLoose = told.length === 0 && !isWhole;
  const loose = isLoose ? rooms.filter(({ type }) => norm(type).includes(norm(head))) : told;
  const found = storey === undefined ? loose : loose.filter((room) => isOn(storey, room, rooms));
  // A number selects one of several bedrooms only where the question gives it.
  const numbered = ordinal === undefined ? undefined : found[ordinal - 1];
  const said = [...mods, owner === undefined ? head : `${owner}'s ${head}`].join(" ");
  return withAsked(numbered ? [numbered] : found.toSorted((a, b) => area(b) - area(a)), said);
}

/** A room with a name of its own that is asked for by another is reported with both. */
function withAsked(found: readonly RoomView[], asked: string): RoomView[] {
  return found.map((room) => {
    const own = norm(room.name);
    const isOwnName = own !== norm(room.type) && !STOREY.test(own) && !own.includes(norm(asked));
    return isOwnName && found.length === 1 ? { ...room, name: `${room.name} (${asked})` } : room;
  });
}

/** A warehouse, a shop, a museum: it means all rooms. */
function isBuilding(words: string): boolean {
  return roomKind(words)?.kinds.includes("building") ?? false;
}

/** Whether it is one of a room's names; names from captions count only if they were given more than once. */
function isCalled({ name, names = [] }: RoomView, asked: string): boolean {
  const label = labelOf(asked);
  return [{ name, source: "sign", count: 1 }, ...names].some(
    (one) =>
      one.source !== "furniture" &&
      one.source !== "caption" &&
      (norm(one.name) === asked || (label !== undefined && isSameName(label, one.name))),
  );
}

function isSameName(label: PlaceLabel, name: string): boolean {
  const own = labelOf(name);
  return own !== undefined && sameLabel(label, own);
}

/** "Zone B" means aisle B by its sign, where one place has that code and no place is a zone. */
function byCode(rooms: readonly RoomView[], asked: string): RoomView[] {
  const code = labelOf(asked);
  if (!code || code.path.length === 0) return [];
  if (rooms.some(({ type }) => code.kind !== undefined && roomFit(code.kind, type) === 1)) return [];
  const found = rooms.filter(({ name }) => {
    const own = labelOf(name);
    return own !== undefined && codeOf(own) === codeOf(code);
  });
  return found.length === 1 ? found : [];
}

/** The rooms with this name in captions, where there is no other. */
function byCaptions(rooms: readonly RoomView[], asked: string): RoomView[] {
  const counts = rooms.map(({ names = [] }) =>
    names.reduce(
      (sum, { name, source, count }) =>
        source === "caption" && roomFit(asked, name) === 1 ? sum + count : sum,
      0,
    ),
  );
  const most = Math.max(...counts, 0);
  return most < 2 ? [] : rooms.filter((_, n) => counts[n]! >= most / 2);
}

const SIZED = /^(big|bigger|biggest|large|larger|largest|main|small|smaller|smallest|little|tiny) (.+)$/;
const BELONGS = /^(.+?) (?:of|for) .+$/;

/** "The big bedroom" is the largest that there is, "the sleeping room of the adults" a sleeping room. */
function nearlyNamed(asked: string, fitting: (kind: string) => RoomView[]): RoomView[] {
  const [, size, sized] = SIZED.exec(asked) ?? [];
  if (size !== undefined) {
    const bySize = fitting(sized!).toSorted((a, b) => area(b) - area(a));
    return bySize.slice(...(/^(?:small|little|tiny)/.test(size) ? [-1] : [0, 1]));
  }
  const [, whole] = BELONGS.exec(asked) ?? [];
  return whole === undefined ? [] : fitting(whole);
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

/** The middle of its area, on its floor: a corner that was seen through a door hardly moves it. */
export function middleOf(room: RoomView): Vec3 {
  const points = room.record.hull ?? [];
  if (points.length === 0) return room.centre ?? { x: 0, y: 0, z: 0 };
  return { ...polygonCentroid({ points }), z: floorOf(room) };
}

/** The area of its outline, square metres. */
export function area({ record }: RoomView): number {
  return Math.abs(polygonArea({ points: record.hull ?? [] }));
}
