import {
  BANDS,
  BELIEVED,
  CELL_M,
  FLOOR_BAND,
  HEAD_BAND,
  HIGH_BAND,
  LOOK,
  LOW_BAND,
  MID_BAND,
  TILE,
} from "./bands.ts";
import type { Storey } from "./composite.ts";
import { clearSpecks } from "./specks.ts";

export const UNKNOWN = 0;
export const FREE = 1;
export const OCCUPIED = 2;

/** A hundred by a hundred metres in cells of a tenth of a metre. */
const MOST_CELLS = 2 ** 20;

/**
 * One storey as a raster: row-major from the lowest x and y, one byte per cell. The input of planners, exporters and
 * drawings.
 */
export interface FloorRaster {
  readonly storey: number;
  readonly floorZ: number;
  /** World coordinates of the lower corner of the first cell. */
  readonly originX: number;
  readonly originY: number;
  readonly cellM: number;
  readonly width: number;
  readonly height: number;
  /** UNKNOWN, FREE (one can stand there) or OCCUPIED (by something between ankle and head, or a drop). */
  readonly state: Uint8Array;
  /** 1 where something stands at head height above every door: walls and lintels, without hanging lamps. */
  readonly wall: Uint8Array;
  /** 1 where any band was judged. */
  readonly known: Uint8Array;
}

/**
 * Flattens a storey, cropped to its known part; an empty one gives a raster without cells. Beyond a hundred by a
 * hundred metres cells are merged two by two, repeatedly, so that the size is bounded.
 */
export function rasterOf(storey: Storey, mostCells = MOST_CELLS): FloorRaster {
  const bounds = knownBounds(storey);
  let shift = 0;
  while ((bounds.width >> shift) * (bounds.height >> shift) > mostCells) shift++;
  const minX = bounds.minX >> shift;
  const minY = bounds.minY >> shift;
  const width = bounds.width === 0 ? 0 : ((bounds.minX + bounds.width - 1) >> shift) - minX + 1;
  const height = bounds.height === 0 ? 0 : ((bounds.minY + bounds.height - 1) >> shift) - minY + 1;
  const state = new Uint8Array(width * height);
  const wall = new Uint8Array(width * height);
  const known = new Uint8Array(width * height);
  for (const { tx, ty, odds } of storey.grid.tiles()) {
    for (let row = 0; row < TILE; row++) {
      const y = ((ty * TILE + row) >> shift) - minY;
      if (y < 0 || y >= height) continue;
      for (let column = 0; column < TILE; column++) {
        const x = ((tx * TILE + column) >> shift) - minX;
        if (x < 0 || x >= width) continue;
        const at = (row * TILE + column) * BANDS;
        const to = y * width + x;
        const floor = odds[at + FLOOR_BAND]!;
        const low = odds[at + LOW_BAND]!;
        const mid = odds[at + MID_BAND]!;
        const high = odds[at + HIGH_BAND]!;
        const head = odds[at + HEAD_BAND]!;
        if ((floor | low | mid | high | head) === 0) continue;
        known[to] = 1;
        const filled = low >= BELIEVED || mid >= BELIEVED || high >= BELIEVED || floor <= -BELIEVED;
        const stands = floor >= BELIEVED || low <= -BELIEVED;
        // Merged cells take the worst state: occupied before free before unknown.
        const now = filled ? OCCUPIED : stands ? FREE : UNKNOWN;
        if (now > state[to]!) state[to] = now;
        // Where head height was not observed, what fills a cell up to there counts as wall.
        const tall = high >= BELIEVED && mid >= BELIEVED && head > -BELIEVED;
        if (head >= BELIEVED || tall) wall[to] = 1;
      }
    }
  }
  const cellM = CELL_M * 2 ** shift;
  clearSpecks(wall, width, height, cellM);
  return {
    storey: storey.index,
    floorZ: storey.floorZ,
    originX: minX * cellM,
    originY: minY * cellM,
    cellM,
    width,
    height,
    state,
    wall,
    known,
  };
}

/** When each cell of a storey's raster was last observed, at any height, in microseconds; -Infinity for never. */
export function looksOf(storey: Storey, raster: FloorRaster): Float64Array {
  const { cellM, width, height } = raster;
  const shift = Math.round(Math.log2(cellM / CELL_M));
  const [minX, minY] = [Math.round(raster.originX / cellM), Math.round(raster.originY / cellM)];
  const looks = new Float64Array(width * height).fill(-Infinity);
  for (const { tx, ty, looked } of storey.grid.tiles()) {
    for (let cell = 0; cell < TILE * TILE; cell++) {
      const [column, row] = [cell % TILE, Math.floor(cell / TILE)];
      const x = ((tx * TILE + column) >> shift) - minX;
      const y = ((ty * TILE + row) >> shift) - minY;
      if (x < 0 || y < 0 || x >= width || y >= height) continue;
      const at = ((row >> 1) * LOOK + (column >> 1)) * BANDS;
      let latest = 0;
      for (let band = 0; band < BANDS; band++) latest = Math.max(latest, looked[at + band]!);
      if (latest === 0) continue;
      looks[y * width + x] = Math.max(looks[y * width + x]!, storey.grid.timeOf(latest));
    }
  }
  return looks;
}

/** In cells: the smallest rectangle around everything judged. */
function knownBounds(storey: Storey): { minX: number; minY: number; width: number; height: number } {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { tx, ty, odds } of storey.grid.tiles()) {
    for (let i = 0; i < odds.length; i++) {
      if (odds[i] === 0) continue;
      const cell = (i / BANDS) | 0;
      const x = tx * TILE + (cell % TILE);
      const y = ty * TILE + ((cell / TILE) | 0);
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
  }
  if (minX > maxX) return { minX: 0, minY: 0, width: 0, height: 0 };
  return { minX, minY, width: maxX - minX + 1, height: maxY - minY + 1 };
}
