import { FLOORS, GRID } from "./settings.ts";
import type { TileGrid } from "./tiles.ts";

/**
 * One storey of one submap: cells with height bands over one floor. Points above two metres are counted by height, so
 * that a low ceiling is recognised and not taken for walls everywhere.
 */
export class Layer {
  readonly grid: TileGrid;
  /** Points by height from two metres up, in steps of five centimetres. */
  readonly highs: Uint32Array;
  #floorZ: number;
  #frames: number;
  #counted = 0;
  #ceilingM = Infinity;

  constructor(floorZ: number, grid: TileGrid, frames = 0, highs = new Uint32Array(FLOORS.ceilingBins)) {
    this.#floorZ = floorZ;
    this.#frames = frames;
    this.grid = grid;
    this.highs = highs;
    this.#ceilingM = this.#findCeiling();
  }

  /** In the submap: the mean over its frames. */
  get floorZ(): number {
    return this.#floorZ;
  }

  get frames(): number {
    return this.#frames;
  }

  /** Adds one frame taken on this floor. */
  stand(floorZ: number): void {
    this.#frames++;
    this.#floorZ += (floorZ - this.#floorZ) / this.#frames;
  }

  countHigh(heightM: number): void {
    const bin = Math.floor((heightM - FLOORS.lowestCeilingM) / GRID.stepM);
    if (bin < 0 || bin >= FLOORS.ceilingBins) return;
    this.highs[bin]!++;
    if (++this.#counted % FLOORS.lookAgainEvery === 0) this.#ceilingM = this.#findCeiling();
  }

  /** Height above the floor from which points are ceiling; infinite if none is known. */
  ceilingM(): number {
    return this.#ceilingM;
  }

  #findCeiling(): number {
    let [total, best] = [0, 0];
    for (let i = 0; i < FLOORS.ceilingBins; i++) {
      total += this.highs[i]!;
      if (this.highs[i]! > this.highs[best]!) best = i;
    }
    if (total < FLOORS.ceilingPoints || best * GRID.stepM < 2 * GRID.cellM) return Infinity;
    let below = 0;
    for (let i = 0; i < best - 1; i++) below += this.highs[i]!;
    const usual = below / (best - 1);
    if (this.highs[best]! < FLOORS.standsOut * usual || this.highs[best]! < total / 10) return Infinity;
    return FLOORS.lowestCeilingM + best * GRID.stepM - GRID.cellM;
  }
}
