import type { Box } from "../../geometry/index.ts";
import { distanceTransform } from "../distance-transform.ts";
import { type FloorRaster, FREE } from "../raster.ts";
import { ROOMS } from "../settings.ts";
import { reachWalls } from "./reach.ts";

/** 400 m of clearance, in sixteenths of a cell. */
const MAX_STEP = 65_536;

export interface Segmentation {
  /** 0, or the number of the room at each cell. */
  readonly labels: Uint16Array;
  readonly rooms: number;
}

/**
 * Segments a floor into rooms. Head-height evidence closes open doors, because a lintel counts as wall. Then a
 * watershed over the distance to the walls cuts at narrow places (Bormann et al. 2016 compare such methods), which
 * finds openings without a lintel, or those seen by cameras that never look up.
 */
export function segmentRooms(raster: FloorRaster, doors: readonly Box[] = []): Segmentation {
  const { width, height, cellM } = raster;
  if (cellM > ROOMS.wallM / 2 + 1e-9) return { labels: new Uint16Array(width * height), rooms: 0 };
  const wall = raster.wall.slice();
  closeDoors(wall, raster, doors);
  const clearance = distanceTransform(wall, width, height);
  const space = raster.known.slice();
  for (let i = 0; i < space.length; i++) if (wall[i]) space[i] = 0;
  const basins = watershed(clearance, space, raster);
  const labels = keepRooms(basins, wall, raster);
  reachWalls(labels, wall, raster);
  let rooms = 0;
  for (const label of labels) rooms = Math.max(rooms, label);
  return { labels, rooms };
}

/** A closed door counts as wall where it hangs between walls; one standing open in the room does not. */
function closeDoors(wall: Uint8Array, raster: FloorRaster, doors: readonly Box[]): void {
  const { width, height, originX, originY, cellM } = raster;
  const isWallNear = (x: number, y: number): boolean => {
    const reach = Math.round(ROOMS.doorM / cellM);
    const cx = Math.floor((x - originX) / cellM);
    const cy = Math.floor((y - originY) / cellM);
    for (let v = cy - reach; v <= cy + reach; v++)
      for (let u = cx - reach; u <= cx + reach; u++)
        if (u >= 0 && v >= 0 && u < width && v < height && wall[v * width + u]) return true;
    return false;
  };
  for (const { min, max } of doors) {
    const [sizeX, sizeY] = [max.x - min.x, max.y - min.y];
    if (Math.min(sizeX, sizeY) > ROOMS.doorM || Math.max(sizeX, sizeY) > ROOMS.widestDoorM) continue;
    const alongX = sizeX > sizeY;
    const [middleX, middleY] = [(min.x + max.x) / 2, (min.y + max.y) / 2];
    const [ax, ay] = alongX ? [min.x, middleY] : [middleX, min.y];
    const [bx, by] = alongX ? [max.x, middleY] : [middleX, max.y];
    if (!isWallNear(ax, ay) || !isWallNear(bx, by)) continue;
    const steps = Math.ceil((Math.max(sizeX, sizeY) / cellM) * 2);
    for (let i = 0; i <= steps; i++) {
      const u = Math.floor((ax + ((bx - ax) * i) / steps - originX) / cellM);
      const v = Math.floor((ay + ((by - ay) * i) / steps - originY) / cellM);
      if (u >= 0 && v >= 0 && u < width && v < height) wall[v * width + u] = 1;
    }
  }
}

/** Watershed from the widest places down; two basins that meet at a wide enough saddle are merged. */
function watershed(clearance: Float32Array, space: Uint8Array, raster: FloorRaster): Int32Array {
  const { width, height, cellM } = raster;
  const order = widestFirst(clearance, space);
  const basin = new Int32Array(space.length).fill(-1);
  const parent: number[] = [];
  const peak: number[] = [];
  const root = (b: number): number => {
    let at = b;
    while (parent[at] !== at) at = parent[at] = parent[parent[at]!]!;
    return at;
  };
  for (const at of order) {
    const x = at % width;
    const y = (at - x) / width;
    let own = -1;
    for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
      for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
        const there = basin[v * width + u]!;
        if (there < 0) continue;
        const other = root(there);
        if (own < 0) own = other;
        if (own === other) continue;
        const [high, low] = peak[own]! >= peak[other]! ? [own, other] : [other, own];
        const saddle = clearance[at]!;
        if (saddle >= ROOMS.narrowing * peak[low]! || saddle * 2 * cellM >= ROOMS.widestDoorM) {
          parent[low] = high;
          own = high;
        } else if (peak[other]! > peak[own]!) {
          own = other;
        }
      }
    }
    if (own < 0) {
      own = parent.length;
      parent.push(own);
      peak.push(clearance[at]!);
    }
    basin[at] = own;
  }
  for (const at of order) basin[at] = root(basin[at]!);
  return basin;
}

/** The cells of the space by clearance, to a sixteenth of a cell, the widest first (counting sort). */
function widestFirst(clearance: Float32Array, space: Uint8Array): Int32Array {
  const step = (i: number): number => Math.min(MAX_STEP, Math.floor(clearance[i]! * 16));
  const starts = new Int32Array(MAX_STEP + 2);
  let total = 0;
  for (let i = 0; i < space.length; i++) {
    if (!space[i]) continue;
    starts[MAX_STEP - step(i) + 1]!++;
    total++;
  }
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!;
  const order = new Int32Array(total);
  for (let i = 0; i < space.length; i++) if (space[i]) order[starts[MAX_STEP - step(i)]!++] = i;
  return order;
}

/** Numbers the basins that are rooms: large enough, with standing room and enough walls. */
function keepRooms(basins: Int32Array, wall: Uint8Array, raster: FloorRaster): Uint16Array {
  const { width, height, cellM, state } = raster;
  let count = 0;
  for (const basin of basins) count = Math.max(count, basin + 1);
  const cells = new Int32Array(count);
  const free = new Int32Array(count);
  const edge = new Int32Array(count);
  const enclosed = new Int32Array(count);
  const look = (basin: number, x: number, y: number): void => {
    const inside = x >= 0 && y >= 0 && x < width && y < height;
    if (inside && basins[y * width + x]! >= 0) return;
    edge[basin]!++;
    if (inside && wall[y * width + x]) enclosed[basin]!++;
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const basin = basins[y * width + x]!;
      if (basin < 0) continue;
      cells[basin]!++;
      if (state[y * width + x] === FREE) free[basin]!++;
      look(basin, x - 1, y);
      look(basin, x + 1, y);
      look(basin, x, y - 1);
      look(basin, x, y + 1);
    }
  }
  const numbers = new Uint16Array(count);
  let rooms = 0;
  for (let basin = 0; basin < count; basin++) {
    const isRoom =
      cells[basin]! * cellM ** 2 >= ROOMS.smallestM2 &&
      free[basin]! * cellM ** 2 >= ROOMS.smallestM2 / 2 &&
      enclosed[basin]! >= ROOMS.enclosedShare * edge[basin]!;
    if (isRoom && rooms < 0xffff) numbers[basin] = ++rooms;
  }
  const labels = new Uint16Array(basins.length);
  for (let i = 0; i < labels.length; i++) if (basins[i]! >= 0) labels[i] = numbers[basins[i]!]!;
  return labels;
}
