import type { TileGrid } from "./tiles.ts";

const LOWEST_CEILING_M = 2;
const BIN_M = 0.05;
const BINS = 48;
/** Tops of doors and wardrobes stand out too, but lower than any ceiling. */
const FIRST_CEILING_BIN = 4;
/** Fewer points than this say nothing about a ceiling. */
const ENOUGH = 400;
/** Walls fill all heights alike; a ceiling stands out this many times. */
const STANDS_OUT = 5;
/** Below the ceiling this much is not counted as wall, for noise. */
const CLEARANCE_M = 0.12;
const LOOK_AGAIN_EVERY = 4_096;

/**
 * One storey of one submap: cells at the bands of height over one floor. The points above two metres are counted
 * by height, so that a low ceiling is known for what it is and not taken for walls everywhere.
 */
export class Layer {
  readonly grid: TileGrid;
  /** Points by height from two metres up, in steps of five centimetres. */
  readonly highs: Uint32Array;
  #floorZ: number;
  #frames: number;
  #counted = 0;
  #ceilingM = Infinity;

  constructor(floorZ: number, grid: TileGrid, frames = 0, highs = new Uint32Array(BINS)) {
    this.#floorZ = floorZ;
    this.#frames = frames;
    this.grid = grid;
    this.highs = highs;
    this.#ceilingM = this.#findCeiling();
  }

  /** In the submap: the mean of what its frames saw. */
  get floorZ(): number {
    return this.#floorZ;
  }

  get frames(): number {
    return this.#frames;
  }

  /** One more frame stood on this floor. */
  stand(floorZ: number): void {
    this.#frames++;
    this.#floorZ += (floorZ - this.#floorZ) / this.#frames;
  }

  countHigh(heightM: number): void {
    const bin = Math.floor((heightM - LOWEST_CEILING_M) / BIN_M);
    if (bin < 0 || bin >= BINS) return;
    this.highs[bin]!++;
    if (++this.#counted % LOOK_AGAIN_EVERY === 0) this.#ceilingM = this.#findCeiling();
  }

  /** Height above the floor from which points are ceiling; infinite while none is known. */
  ceilingM(): number {
    return this.#ceilingM;
  }

  #findCeiling(): number {
    let [total, best] = [0, 0];
    for (let i = 0; i < BINS; i++) {
      total += this.highs[i]!;
      if (this.highs[i]! > this.highs[best]!) best = i;
    }
    if (total < ENOUGH || best < FIRST_CEILING_BIN) return Infinity;
    let below = 0;
    for (let i = 0; i < best - 1; i++) below += this.highs[i]!;
    const usual = below / (best - 1);
    if (this.highs[best]! < STANDS_OUT * usual || this.highs[best]! < total / 10) return Infinity;
    return LOWEST_CEILING_M + best * BIN_M - CLEARANCE_M;
  }
}
