import {
  type Box,
  boxFromPoints,
  type Point2,
  polygonArea,
  polygonContains,
  type Vec3,
} from "../geometry/index.ts";
import { contentId } from "../schema/core.ts";
import type { Labelled } from "./labelled.ts";
import { codeOf, type PlaceLabel } from "./labels.ts";
import type { CodedPlace } from "./rack-place.ts";
import { area, floorOf, type RoomView } from "./room-names.ts";
import { PLACES } from "./settings/places.ts";

/** A room with the name that is written in it. */
export interface SignedRoom {
  readonly room: RoomView;
  readonly label?: PlaceLabel | undefined;
  /** The number of labels that say so. */
  readonly count: number;
}

/**
 * Divides and names rooms by their signs. Where racks are numbered, each row is a room of its own, whatever walls the
 * map saw. A sign names the room that it leads into: of the adjacent rooms the one with the fewest other names. A name
 * whose room the map did not find gets the size of the others of its kind.
 */
export function signedRooms(
  rooms: readonly RoomView[],
  rows: readonly CodedPlace[],
  signs: readonly Labelled[],
): SignedRoom[] {
  const byName = Map.groupBy(signs, ({ label }) => label.name);
  const parted = partedByRows(rooms, rows, byName);
  const named = assigned(parted, byName);
  return withPeers(named, byName);
}

function partedByRows(
  rooms: readonly RoomView[],
  rows: readonly CodedPlace[],
  signs: ReadonlyMap<string, readonly Labelled[]>,
): SignedRoom[] {
  const wide = rows.filter(
    ({ box: { min, max } }) => Math.min(max.x - min.x, max.y - min.y) >= PLACES.leastSideM,
  );
  const hosts = Map.groupBy(wide, ({ box }) => hostOf(box, rooms)?.id);
  return rooms.flatMap((room): SignedRoom[] => {
    const own = hosts.get(room.id) ?? [];
    if (own.length === 0) return [{ room, count: 0 }];
    const [only, other] = own;
    if (!other && shareOf(room, only!.box) >= PLACES.fills)
      return [{ room, label: rowLabel(only!, signs), count: only!.count }];
    const parts = own.map((row) => ({
      room: partOf(room, row.box, row.code),
      label: rowLabel(row, signs),
      count: row.count,
    }));
    const rest = own.reduce((left: RoomView | undefined, { box }) => left && without(left, box), room);
    return [...parts, ...(rest ? [{ room: rest, count: 0 }] : [])];
  });
}

/** The name of a row: from the sign with its letter, otherwise its letter alone. */
function rowLabel({ code, path }: CodedPlace, signs: ReadonlyMap<string, readonly Labelled[]>): PlaceLabel {
  const sign = [...signs.values()]
    .flat()
    .find(({ label }) => label.kind !== undefined && codeOf(label) === code);
  return sign ? sign.label : { name: `aisle ${code}`, kind: "aisle", path };
}

/** Assigns each name to one room and each room to one name, the least doubtful first. */
function assigned(
  parts: readonly SignedRoom[],
  signs: ReadonlyMap<string, readonly Labelled[]>,
): SignedRoom[] {
  const taken = new Map<RoomView, SignedRoom>(
    parts.filter(({ label }) => label).map((part) => [part.room, part]),
  );
  const open = new Map(
    [...signs].filter(([name]) => ![...taken.values()].some(({ label }) => label!.name === name)),
  );
  const free = parts.filter(({ label }) => !label).map(({ room }) => room);
  const touching = free.map((room) => ({
    room,
    names: [...open].filter(([, own]) => own.some(({ box }) => isBeside(box, room))),
  }));
  for (const { room, names } of touching) {
    const [first, second] = names;
    // A name with several rooms left is assigned to none.
    if (first && !second) taken.set(room, { room, label: first[1][0]!.label, count: first[1].length });
  }
  return parts.map((part) => taken.get(part.room) ?? part);
}

/** A name without a room is placed relative to its sign as the others of its kind are. */
function withPeers(
  named: readonly SignedRoom[],
  signs: ReadonlyMap<string, readonly Labelled[]>,
): SignedRoom[] {
  let all = [...named];
  const has = (name: string) => all.some(({ label }) => label?.name === name);
  for (const [name, [sign]] of signs) {
    if (has(name) || !sign) continue;
    const peers = named.filter(({ label }) => label?.kind === sign.label.kind && signs.has(label!.name));
    const offsets = peers.map(({ room, label }) => {
      const { box } = signs.get(label!.name)![0]!;
      const own = boxFromPoints(room.record.hull ?? []) ?? box;
      return [own.min.x - box.min.x, own.min.y - box.min.y, own.max.x - box.max.x, own.max.y - box.max.y];
    });
    if (offsets.length === 0) continue;
    const [x0, y0, x1, y1] = [0, 1, 2, 3].map((n) => median(offsets.map((one) => one[n]!))) as [
      number,
      number,
      number,
      number,
    ];
    const { min, max } = sign.box;
    const box = {
      min: { x: min.x + x0, y: min.y + y0, z: min.z },
      max: { x: max.x + x1, y: max.y + y1, z: max.z },
    };
    const host = hostOf(
      box,
      all.filter(({ label }) => !label).map(({ room }) => room),
    );
    if (!host) continue;
    const part = { room: partOf(host, box, name), label: sign.label, count: signs.get(name)!.length };
    const rest = without(host, box);
    all = all.flatMap((one) =>
      one.room === host ? [part, ...(rest ? [{ room: rest, count: 0 }] : [])] : [one],
    );
  }
  return all;
}

/** The room in which most of a box lies, at least half of it. */
function hostOf(box: Box, rooms: readonly RoomView[]): RoomView | undefined {
  const shares = rooms.map((room) => ({ room, share: shareIn(room, box) }));
  const best = shares.sort((a, b) => b.share - a.share)[0];
  return best && best.share >= PLACES.fills ? best.room : undefined;
}

/** The share of a box that lies in a room, seen from above. */
function shareIn({ record }: RoomView, { min, max }: Box): number {
  if (!record.hull || record.hull.length < 3) return 0;
  let inside = 0;
  for (let u = 0; u < PLACES.samples; u++)
    for (let v = 0; v < PLACES.samples; v++) {
      const at = (n: number, from: number, to: number) => from + ((n + 0.5) / PLACES.samples) * (to - from);
      const point = { x: at(u, min.x, max.x), y: at(v, min.y, max.y), z: 0 };
      if (polygonContains({ points: record.hull }, point)) inside++;
    }
  return inside / PLACES.samples ** 2;
}

/** The share of a room that a box fills. */
function shareOf(room: RoomView, box: Box): number {
  const { min, max } = box;
  return (shareIn(room, box) * (max.x - min.x) * (max.y - min.y)) / Math.max(1e-6, area(room));
}

function isBeside({ min, max }: Box, { record }: RoomView): boolean {
  const middle = { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: 0 };
  const hull = record.hull ?? [];
  if (hull.length < 3) return false;
  return polygonContains({ points: hull }, middle) || borderM(middle, hull) <= PLACES.besideM;
}

/** The distance from a point to an outline, metres. */
function borderM(point: Vec3, hull: readonly Point2[]): number {
  return Math.min(
    ...hull.map((a, n) => {
      const b = hull[(n + 1) % hull.length]!;
      const [dx, dy] = [b.x - a.x, b.y - a.y];
      const along = ((point.x - a.x) * dx + (point.y - a.y) * dy) / Math.max(1e-9, dx * dx + dy * dy);
      const t = Math.min(1, Math.max(0, along));
      return Math.hypot(point.x - a.x - t * dx, point.y - a.y - t * dy);
    }),
  );
}

/** A part of a room, within a box, as a room of its own. */
function partOf(room: RoomView, { min, max }: Box, name: string): RoomView {
  const z = floorOf(room);
  const hull = [
    { x: min.x, y: min.y, z },
    { x: max.x, y: min.y, z },
    { x: max.x, y: max.y, z },
    { x: min.x, y: max.y, z },
  ];
  const centre = { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z };
  const id = contentId("room", room.id, name);
  return { ...room, id, centre, record: { ...room.record, hull } };
}

/** The rest of a room without a box at its side; undefined where the rest is no room any more. */
function without(room: RoomView, { min, max }: Box): RoomView | undefined {
  const hull = room.record.hull ?? [];
  const sides = [
    clipped(hull, (p) => min.x - p.x),
    clipped(hull, (p) => p.x - max.x),
    clipped(hull, (p) => min.y - p.y),
    clipped(hull, (p) => p.y - max.y),
  ];
  const left = sides.sort((a, b) => sizeOf(b) - sizeOf(a))[0]!;
  const box = boxFromPoints(left);
  if (!box || Math.min(box.max.x - box.min.x, box.max.y - box.min.y) < PLACES.leastSideM / 2)
    return undefined;
  return { ...room, isRest: true, record: { ...room.record, hull: left } };
}

function sizeOf(points: readonly Point2[]): number {
  return points.length < 3 ? 0 : Math.abs(polygonArea({ points }));
}

/** A polygon clipped to where `inside` is not negative (Sutherland and Hodgman, 1974). */
function clipped(points: readonly Vec3[], inside: (point: Vec3) => number): Vec3[] {
  return points.flatMap((b, n) => {
    const a = points.at(n - 1)!;
    const [da, db] = [inside(a), inside(b)];
    const t = da / (da - db);
    const cut = { x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y), z: b.z };
    if (da >= 0 !== db >= 0) return db >= 0 ? [cut, b] : [cut];
    return db >= 0 ? [b] : [];
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
