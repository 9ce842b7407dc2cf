import { BANDS, CELL_M, LOOK, TILE, TILE_SHIFT } from "./bands.ts";

/** A square of cells: the evidence of each band, and when each was last observed. */
export interface Tile {
  readonly tx: number;
  readonly ty: number;
  /** By cell (row-major), then band. */
  readonly odds: Int8Array;
  /** By observation cell, then band: tenths of a second since the grid's epoch, plus one; 0 is never. */
  readonly looked: Uint32Array;
}

/** 84,000 m², far more than one submap of a robot that closes loops. */
const MAX_SUBMAP_TILES = 2_048;
const TIME_UNIT_US = 100_000;
/** Six years: a grid may later receive observations from before its first one. */
const EPOCH_LEAD_US = 189_216_000_000_000;
/** Tile coordinates within ±2^20, that is 6,700 km. */
const KEY_SPAN = 2 ** 21;

export function tileKey(tx: number, ty: number): number {
  return (tx + KEY_SPAN / 2) * KEY_SPAN + (ty + KEY_SPAN / 2);
}

/**
 * Cells around an origin, stored as tiles that are created where something was seen. Cell (x, y) covers [x, x+1) ×
 * [y, y+1) tenths of a metre. A full grid forgets nothing and accepts no more.
 */
export class TileGrid {
  readonly epochUs: number;
  readonly #tiles = new Map<number, Tile>();
  readonly #most: number;

  constructor(epochUs: number, mostTiles = MAX_SUBMAP_TILES) {
    this.epochUs = epochUs;
    this.#most = mostTiles;
  }

  /** A grid whose first observation is at this time. */
  static startingAt(timeUs: number): TileGrid {
    return new TileGrid(timeUs - EPOCH_LEAD_US);
  }

  get size(): number {
    return this.#tiles.size;
  }

  tiles(): IterableIterator<Tile> {
    return this.#tiles.values();
  }

  at(tx: number, ty: number): Tile | undefined {
    return this.#tiles.get(tileKey(tx, ty));
  }

  /** The tile, created if needed; undefined when the grid is full. */
  open(tx: number, ty: number): Tile | undefined {
    const key = tileKey(tx, ty);
    let tile = this.#tiles.get(key);
    if (tile === undefined && this.#tiles.size < this.#most) {
      tile = {
        tx,
        ty,
        odds: new Int8Array(TILE * TILE * BANDS),
        looked: new Uint32Array(LOOK * LOOK * BANDS),
      };
      this.#tiles.set(key, tile);
    }
    return tile;
  }

  put(tile: Tile): void {
    this.#tiles.set(tileKey(tile.tx, tile.ty), tile);
  }

  delete(tx: number, ty: number): void {
    this.#tiles.delete(tileKey(tx, ty));
  }

  odds(cellX: number, cellY: number, band: number): number {
    const tile = this.at(cellX >> TILE_SHIFT, cellY >> TILE_SHIFT);
    return tile === undefined ? 0 : tile.odds[cellIndex(cellX, cellY) * BANDS + band]!;
  }

  /** When this cell and band were last observed, or undefined. */
  lookedUs(cellX: number, cellY: number, band: number): number | undefined {
    const tile = this.at(cellX >> TILE_SHIFT, cellY >> TILE_SHIFT);
    const stamp = tile?.looked[lookIndex(cellX, cellY) * BANDS + band];
    return stamp ? this.timeOf(stamp) : undefined;
  }

  stampOf(timeUs: number): number {
    const stamp = Math.floor((timeUs - this.epochUs) / TIME_UNIT_US) + 1;
    return Math.max(1, Math.min(0xffff_ffff, stamp));
  }

  /** The latest observation of all. */
  lastUs(): number {
    let last = 0;
    for (const { looked } of this.#tiles.values()) for (const stamp of looked) if (stamp > last) last = stamp;
    return last === 0 ? -Infinity : this.timeOf(last);
  }

  /** The offset to add to another grid's times. */
  ticksUntil(other: TileGrid): number {
    return Math.round((other.epochUs - this.epochUs) / TIME_UNIT_US);
  }

  timeOf(stamp: number): number {
    return this.epochUs + (stamp - 1) * TIME_UNIT_US;
  }
}

export function cellOf(coordinateM: number): number {
  return Math.floor(coordinateM / CELL_M);
}

export function cellIndex(cellX: number, cellY: number): number {
  return (cellY & (TILE - 1)) * TILE + (cellX & (TILE - 1));
}

export function lookIndex(cellX: number, cellY: number): number {
  return ((cellY & (TILE - 1)) >> 1) * LOOK + ((cellX & (TILE - 1)) >> 1);
}
