import type { Vec3 } from "../../geometry/index.ts";
import { distanceTransform } from "../../map/distance-transform.ts";
import { type FloorRaster, FREE, OCCUPIED, UNKNOWN } from "../../map/raster.ts";

/** Costs of a straight and of a diagonal step in tenths of a cell: whole numbers, so that a ring of buckets sorts them. */
const STRAIGHT = 10;
const DIAGONAL = 14;
const RING = 16;
/** From a place that is not open, a body is taken to stand at the nearest open cell within this. */
const SNAP_M = 0.8;
const UNREACHED = 0x7fffffff;

/** Lengths of ways over a terrain from one place. */
export interface Field {
  /** Tenths of cells by cell; UNREACHED where no way leads. */
  readonly cost: Int32Array;
  metresTo(cell: number): number;
}

/**
 * One storey as a round body can go over it, by what is known at one moment: cells that are free, known, and far enough
 * from everything occupied. It is what frontiers are found on and ways are measured by; a new one is made when the map
 * has changed.
 */
export class Terrain {
  readonly raster: FloorRaster;
  /** 1 where the middle of the body may be. */
  readonly open: Uint8Array;
  /** Cells to the nearest occupied one. */
  readonly clearance: Float32Array;

  constructor(raster: FloorRaster, radiusM: number) {
    this.raster = raster;
    const { state, width, height, cellM } = raster;
    const occupied = state.map((value) => (value === OCCUPIED ? 1 : 0));
    const clearance = distanceTransform(occupied, width, height);
    const needed = radiusM / cellM + 0.5;
    this.clearance = clearance;
    this.open = state.map((value, i) => (value === FREE && clearance[i]! >= needed ? 1 : 0));
  }

  isUnknown(cell: number): boolean {
    return this.raster.state[cell] === UNKNOWN;
  }

  isOccupied(cell: number): boolean {
    return this.raster.state[cell] === OCCUPIED;
  }

  cellAt({ x, y }: { readonly x: number; readonly y: number }): number {
    const { originX, originY, cellM, width, height } = this.raster;
    const u = Math.floor((x - originX) / cellM);
    const v = Math.floor((y - originY) / cellM);
    return u >= 0 && v >= 0 && u < width && v < height ? v * width + u : -1;
  }

  middleOf(cell: number): Vec3 {
    const { originX, originY, cellM, width, floorZ } = this.raster;
    const u = cell % width;
    return { x: originX + (u + 0.5) * cellM, y: originY + ((cell - u) / width + 0.5) * cellM, z: floorZ };
  }

  /** The open cell nearest to a place, −1 where none is near. */
  nearestOpen(place: { readonly x: number; readonly y: number }, withinM = SNAP_M): number {
    const { originX, originY, cellM, width, height } = this.raster;
    const [px, py] = [(place.x - originX) / cellM - 0.5, (place.y - originY) / cellM - 0.5];
    const reach = withinM / cellM;
    let [best, nearest] = [-1, reach * reach];
    for (let v = Math.max(0, Math.ceil(py - reach)); v <= Math.min(height - 1, py + reach); v++) {
      for (let u = Math.max(0, Math.ceil(px - reach)); u <= Math.min(width - 1, px + reach); u++) {
        const squared = (u - px) ** 2 + (v - py) ** 2;
        if (squared >= nearest || this.open[v * width + u] !== 1) continue;
        [best, nearest] = [v * width + u, squared];
      }
    }
    return best;
  }

  /** Ways from a place to everywhere, by eight neighbours without cutting corners (up to 8 % over the straightened way). */
  field(from: { readonly x: number; readonly y: number }): Field {
    const { cellM } = this.raster;
    const cost = new Int32Array(this.open.length).fill(UNREACHED);
    const start = this.nearestOpen(from);
    if (start >= 0) this.#spread(start, cost);
    return {
      cost,
      metresTo: (cell) =>
        cell < 0 || cost[cell] === UNREACHED ? Infinity : (cost[cell]! * cellM) / STRAIGHT,
    };
  }

  /** The cells of the way that a field knows to a cell, from where it begins; empty where none leads. */
  way({ cost }: Field, to: number): number[] {
    if (to < 0 || cost[to] === UNREACHED) return [];
    const { width, height } = this.raster;
    const cells = [to];
    for (let at = to; cost[at]! > 0; ) {
      const [x, y] = [at % width, Math.floor(at / width)];
      let [next, least] = [-1, cost[at]!];
      for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++)
        for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
          const cell = v * width + u;
          const step = u !== x && v !== y ? DIAGONAL : STRAIGHT;
          if (cost[cell] === UNREACHED || cost[cell]! + step !== cost[at] || cost[cell]! >= least) continue;
          [next, least] = [cell, cost[cell]!];
        }
      if (next < 0) return [];
      cells.push(next);
      at = next;
    }
    return cells.reverse();
  }

  /** Whether the body can drive straight from one cell to another. */
  isStraight(a: number, b: number): boolean {
    for (const cell of this.line(a, b)) if (this.open[cell] !== 1) return false;
    return true;
  }

  /** Whether nothing occupied stands between two cells. */
  isClear(a: number, b: number): boolean {
    for (const cell of this.line(a, b)) if (this.isOccupied(cell)) return false;
    return true;
  }

  /** The cells between two, both included. */
  *line(a: number, b: number): Generator<number> {
    const { width } = this.raster;
    const [ax, bx] = [a % width, b % width];
    const [ay, by] = [(a - ax) / width, (b - bx) / width];
    const count = Math.max(Math.abs(bx - ax), Math.abs(by - ay));
    for (let n = 0; n <= count; n++) {
      const share = count === 0 ? 0 : n / count;
      yield Math.round(ay + (by - ay) * share) * width + Math.round(ax + (bx - ax) * share);
    }
  }

  /** Dial's ring of buckets: every step costs less than the ring is long. */
  #spread(start: number, cost: Int32Array): void {
    const { width, height } = this.raster;
    const { open } = this;
    const ring: number[][] = Array.from({ length: RING }, () => []);
    cost[start] = 0;
    ring[0]!.push(start);
    let waiting = 1;
    for (let at = 0; waiting > 0; at++) {
      const bucket = ring[at % RING]!;
      for (let i = 0; i < bucket.length; i++) {
        const cell = bucket[i]!;
        waiting--;
        if (cost[cell] !== at) continue;
        const x = cell % width;
        const y = (cell - x) / width;
        for (let dy = -1; dy <= 1; dy++) {
          for (let dx = -1; dx <= 1; dx++) {
            const [u, v] = [x + dx, y + dy];
            const to = v * width + u;
            if (u < 0 || v < 0 || u >= width || v >= height || open[to] !== 1) continue;
            const isDiagonal = dx !== 0 && dy !== 0;
            if (isDiagonal && (open[y * width + u] !== 1 || open[v * width + x] !== 1)) continue;
            const reached = at + (isDiagonal ? DIAGONAL : STRAIGHT);
            if (reached >= cost[to]!) continue;
            cost[to] = reached;
            ring[reached % RING]!.push(to);
            waiting++;
          }
        }
      }
      bucket.length = 0;
    }
  }
}
