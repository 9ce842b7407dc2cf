import {
  BANDS,
  BELIEVED,
  CELL_M,
  FLOOR_BAND,
  HEAD_BAND,
  HIGH_BAND,
  LOW_BAND,
  MID_BAND,
  TILE,
} from "./bands.ts";
import type { Storey } from "./composite.ts";

export const UNKNOWN = 0;
export const FREE = 1;
export const OCCUPIED = 2;

/**
 * One storey as a picture: row-major from the lowest x and y, one byte a cell. What planners, exporters and
 * drawings read.
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
  /** 1 where something stands at head height above every door: walls and lintels. */
  readonly wall: Uint8Array;
  /** 1 where any band was ever judged. */
  readonly known: Uint8Array;
}

/** Flattens a storey, cut to what is known of it; an empty one gives a raster without cells. */
export function rasterOf(storey: Storey): FloorRaster {
  const { minX, minY, width, height } = knownBounds(storey);
  const state = new Uint8Array(width * height);
  const wall = new Uint8Array(width * height);
  const known = new Uint8Array(width * height);
  for (const { tx, ty, odds } of storey.grid.tiles()) {
    for (let row = 0; row < TILE; row++) {
      const y = ty * TILE + row - minY;
      if (y < 0 || y >= height) continue;
      for (let column = 0; column < TILE; column++) {
        const x = tx * TILE + column - minX;
        if (x < 0 || x >= width) continue;
        const at = (row * TILE + column) * BANDS;
        const to = y * width + x;
        const floor = odds[at + FLOOR_BAND]!;
        const low = odds[at + LOW_BAND]!;
        const mid = odds[at + MID_BAND]!;
        const high = odds[at + HIGH_BAND]!;
        const head = odds[at + HEAD_BAND]!;
        const filled = low >= BELIEVED || mid >= BELIEVED || high >= BELIEVED || floor <= -BELIEVED;
        const stands = floor >= BELIEVED || low <= -BELIEVED;
        state[to] = filled ? OCCUPIED : stands ? FREE : UNKNOWN;
        // Where nobody saw what is at head height, what fills a cell up to there is taken for wall.
        const tall = high >= BELIEVED && mid >= BELIEVED && head > -BELIEVED;
        wall[to] = head >= BELIEVED || tall ? 1 : 0;
        known[to] = (floor | low | mid | high | head) === 0 ? 0 : 1;
      }
    }
  }
  return {
    storey: storey.index,
    floorZ: storey.floorZ,
    originX: minX * CELL_M,
    originY: minY * CELL_M,
    cellM: CELL_M,
    width,
    height,
    state,
    wall,
    known,
  };
}

/** In cells: the smallest rectangle around all that was ever judged. */
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
