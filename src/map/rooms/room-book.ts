import {
  boxFromPoints,
  type Point2,
  type Polygon,
  polygonArea,
  polygonBounds,
  polygonCentroid,
  polygonContains,
  type Vec3,
} from "../../geometry/index.ts";
import { contentId } from "../../schema/core.ts";
import type { FloorRaster } from "../raster.ts";
import { GRID, ROOM_HEIGHT_M, ROOMS } from "../settings.ts";
import { outlinesOf } from "./outline.ts";
import type { Segmentation } from "./segment.ts";
import { PLAIN_ROOM, type RoomThings, roomTypeOf, signedRoom } from "./types.ts";

export interface Room {
  readonly id: string;
  readonly storey: number;
  readonly sinceUs: number;
  /** In the map's world; heights from the floor to the ceiling. */
  polygon: Polygon;
  type: string;
  name: string;
  areaM2: number;
  /** Share of it that was observed. */
  coverage: number;
}

interface Sheet {
  readonly raster: FloorRaster;
  /** The room at each cell, as an index into `rooms`, plus one. */
  readonly labels: Uint16Array;
  readonly rooms: readonly Room[];
}

/**
 * The rooms of all storeys, with stable names: a segment that covers an old room is that room, however its border
 * moved. Types come from the things inside and may change as more of them are seen.
 */
export class RoomBook {
  readonly #key: readonly string[];
  readonly #sheets = new Map<number, Sheet>();
  readonly #rooms = new Map<string, Room>();
  #ended: Room[] = [];

  constructor(sceneId: string, root: string, labels: readonly string[] = []) {
    this.#key = [sceneId, root, ...labels];
  }

  all(): IterableIterator<Room> {
    return this.#rooms.values();
  }

  get(id: string): Room | undefined {
    return this.#rooms.get(id);
  }

  restore(room: Room): void {
    this.#rooms.set(room.id, room);
  }

  /**
   * Updates the rooms of a storey from a new segmentation. Without a time nothing begins or ends: a map just opened
   * knows only the rooms in its memory.
   */
  redraw(raster: FloorRaster, { labels, rooms: count }: Segmentation, timeUs?: number): void {
    const owners = this.#match(raster, labels, count);
    const taken = new Set(owners.filter((room) => room !== undefined).map(({ id }) => id));
    for (const room of this.#rooms.values()) {
      if (timeUs === undefined || room.storey !== raster.storey || taken.has(room.id)) continue;
      this.#rooms.delete(room.id);
      this.#ended.push(room);
    }
    const cells = new Int32Array(count + 1);
    const known = new Int32Array(count + 1);
    for (let i = 0; i < labels.length; i++) {
      cells[labels[i]!]!++;
      if (raster.known[i]) known[labels[i]!]!++;
    }
    const rooms: Room[] = [];
    const outlines = outlinesOf(labels, count, raster);
    const number = new Uint16Array(count + 1);
    for (let label = 1; label <= count; label++) {
      const points = outlines[label];
      if (points === undefined || (timeUs === undefined && owners[label] === undefined)) continue;
      const areaM2 = cells[label]! * raster.cellM ** 2;
      const coverage = Math.round((100 * known[label]!) / cells[label]!) / 100;
      const polygon = { points, minZ: raster.floorZ, maxZ: raster.floorZ + ROOM_HEIGHT_M };
      const room = owners[label] ?? {
        id: contentId("room", ...this.#key, raster.storey, timeUs ?? 0, label),
        storey: raster.storey,
        sinceUs: timeUs ?? 0,
        polygon,
        type: PLAIN_ROOM,
        name: "",
        areaM2,
        coverage,
      };
      if (timeUs !== undefined && looksDifferent(room, polygon, areaM2)) {
        room.polygon = polygon;
        room.areaM2 = areaM2;
        room.coverage = coverage;
      }
      this.#rooms.set(room.id, room);
      rooms.push(room);
      number[label] = rooms.length;
    }
    this.#sheets.set(raster.storey, { raster, labels: labels.map((label) => number[label]!), rooms });
  }

  /** The room at a point of a storey; points slightly outside count, because walls have two sides. */
  roomAt(storey: number, { x, y }: Vec3): Room | undefined {
    const sheet = this.#sheets.get(storey);
    if (sheet === undefined) return undefined;
    const { originX, originY, cellM, width, height } = sheet.raster;
    const u = Math.floor((x - originX) / cellM);
    const v = Math.floor((y - originY) / cellM);
    const reach = Math.round(ROOMS.nearM / cellM);
    let [best, nearest] = [0, (reach + 0.5) ** 2];
    for (let b = Math.max(0, v - reach); b <= Math.min(height - 1, v + reach); b++) {
      for (let a = Math.max(0, u - reach); a <= Math.min(width - 1, u + reach); a++) {
        const label = sheet.labels[b * width + a]!;
        const squared = (a - u) ** 2 + (b - v) ** 2;
        if (label > 0 && squared < nearest) [best, nearest] = [label, squared];
      }
    }
    return best > 0 ? sheet.rooms[best - 1] : undefined;
  }

  /** Types and names by the signs in a room, else by its things; the first of a type has its plain name. */
  name(
    thingsOf: (roomId: string) => RoomThings,
    signsIn: (roomId: string) => readonly string[] = () => [],
  ): void {
    const rooms = [...this.#rooms.values()].sort((a, b) => a.sinceUs - b.sinceUs || (a.id < b.id ? -1 : 1));
    const plain = new Map<Room, string>();
    for (const room of rooms) {
      const sign = signedRoom(signsIn(room.id));
      room.type = sign?.type ?? roomTypeOf({ ...thingsOf(room.id), ...sidesOf(room.polygon.points) });
      plain.set(room, sign?.name ?? room.type);
    }
    const names = new Set(
      rooms.filter((room) => isNameOf(room.name, plain.get(room)!)).map(({ name }) => name),
    );
    for (const room of rooms) {
      const own = plain.get(room)!;
      // A second bedroom, once the first turned out to be another type, becomes the bedroom.
      const isLeftOver = room.name !== own && !names.has(own);
      if (isNameOf(room.name, own) && !isLeftOver) continue;
      names.delete(room.name);
      let name = own;
      for (let n = 2; names.has(name); n++) name = `${own} ${n}`;
      names.add(name);
      room.name = name;
    }
  }

  /** Rooms that no longer exist, reported once. */
  takeEnded(): Room[] {
    const ended = this.#ended;
    this.#ended = [];
    return ended;
  }

  /** For each label the old room that it covers best, each room once. */
  #match(raster: FloorRaster, labels: Uint16Array, count: number): (Room | undefined)[] {
    const pairs: { room: Room; label: number; shared: number }[] = [];
    const old = [...this.#rooms.values()].filter(({ storey }) => storey === raster.storey);
    const size = new Int32Array(count + 1);
    for (const label of labels) size[label]!++;
    for (const room of old) {
      const shared = new Int32Array(count + 1);
      const total = this.#eachCell(room, raster, (cell) => {
        if (cell >= 0) shared[labels[cell]!]!++;
      });
      for (let label = 1; label <= count; label++)
        if (shared[label]! > ROOMS.sameShare * Math.min(total, size[label]!))
          pairs.push({ room, label, shared: shared[label]! });
    }
    pairs.sort((a, b) => b.shared - a.shared || (a.room.id < b.room.id ? -1 : 1));
    const owners: (Room | undefined)[] = new Array(count + 1).fill(undefined);
    const taken = new Set<string>();
    for (const { room, label } of pairs) {
      if (owners[label] !== undefined || taken.has(room.id)) continue;
      owners[label] = room;
      taken.add(room.id);
    }
    return owners;
  }

  /** Visits the cells of the new raster that an old room covered; -1 for those no longer on it. */
  #eachCell(room: Room, raster: FloorRaster, visit: (cell: number) => void): number {
    const { originX, originY, cellM, width, height } = raster;
    const sheet = this.#sheets.get(room.storey);
    const number = sheet === undefined ? -1 : sheet.rooms.indexOf(room) + 1;
    let total = 0;
    if (sheet !== undefined && number > 0 && sheet.raster.cellM === cellM) {
      const dx = Math.round((sheet.raster.originX - originX) / cellM);
      const dy = Math.round((sheet.raster.originY - originY) / cellM);
      for (let i = 0; i < sheet.labels.length; i++) {
        if (sheet.labels[i] !== number) continue;
        const u = (i % sheet.raster.width) + dx;
        const v = Math.floor(i / sheet.raster.width) + dy;
        visit(u >= 0 && v >= 0 && u < width && v < height ? v * width + u : -1);
        total++;
      }
      return total;
    }
    const points = { points: room.polygon.points };
    const { min, max } = polygonBounds(points);
    const within = (metres: number, most: number) => Math.max(0, Math.min(most, Math.floor(metres / cellM)));
    const [fromU, toU] = [within(min.x - originX, width), within(max.x - originX, width - 1)];
    const [fromV, toV] = [within(min.y - originY, height), within(max.y - originY, height - 1)];
    for (let v = fromV; v <= toV; v++) {
      for (let u = fromU; u <= toU; u++) {
        const p = { x: originX + (u + 0.5) * cellM, y: originY + (v + 0.5) * cellM, z: 0 };
        if (!polygonContains(points, p)) continue;
        visit(v * width + u);
        total++;
      }
    }
    return total;
  }
}

function isNameOf(name: string, type: string): boolean {
  return name === type || (name.startsWith(`${type} `) && /^\d+$/.test(name.slice(type.length + 1)));
}

function looksDifferent(room: Room, polygon: Polygon, areaM2: number): boolean {
  const [before, after] = [polygonCentroid(room.polygon), polygonCentroid(polygon)];
  const ratio = Math.abs(polygonArea(polygon) / (polygonArea(room.polygon) || 1) - 1);
  const [old, now] = [room.polygon.points, polygon.points];
  // A corner that moved away shows in its distance to the nearest of the others.
  const hasMoved = now.some((a) => old.every((b) => Math.hypot(a.x - b.x, a.y - b.y) > GRID.cellM));
  return (
    Math.hypot(before.x - after.x, before.y - after.y) > GRID.cellM ||
    ratio > ROOMS.redrawShare ||
    hasMoved ||
    Math.abs(areaM2 - room.areaM2) > ROOMS.redrawShare * areaM2 ||
    Math.abs((room.polygon.minZ ?? 0) - (polygon.minZ ?? 0)) > GRID.cellM / 2
  );
}

/** Length and width of the room's box; good enough to recognise a passage, which follows the walls. */
function sidesOf(points: readonly Point2[]): { lengthM: number; widthM: number } {
  const box = boxFromPoints(points.map(({ x, y }) => ({ x, y, z: 0 })));
  if (box === undefined) return { lengthM: 0, widthM: 0 };
  const [dx, dy] = [box.max.x - box.min.x, box.max.y - box.min.y];
  return { lengthM: Math.max(dx, dy), widthM: Math.max(GRID.cellM, Math.min(dx, dy)) };
}
