import type { Vec3 } from "../../geometry/index.ts";
import { distanceTransform } from "../../map/distance-transform.ts";
import { type FloorRaster, FREE, OCCUPIED, UNKNOWN } from "../../map/raster.ts";

/** Costs of a straight and of a diagonal step in tenths of a cell: integers, so that a ring of buckets sorts them. */
const STRAIGHT = 10;
const DIAGONAL = 14;
/** Cost factor where a body only just fits, and may not if the map is slightly off. */
const TIGHT = 3;
const RING = 64;
/** How much nearer than its radius, in cells, an obstacle may be: noise inflates obstacles beside doors. */
const SWOLLEN = 0.5;
/** From a place that is not open, a body counts as standing on the nearest open cell within this distance. */
const SNAP_M = 0.8;
/** How far a body may have to drive over unobserved floor to reach the map. */
const START_M = 1.2;
const UNREACHED = 0x7fffffff;

/** Path lengths over a terrain from one place. */
export interface Field {
  /** Tenths of cells by cell; UNREACHED where there is no path. */
  readonly cost: Int32Array;
  metresTo(cell: number): number;
}

/**
 * One storey as a round body can traverse it, as known at one moment: cells that are free, known, and far enough from
 * everything occupied. Frontiers are found and path lengths are measured on it; a new one is built when the map has
 * changed.
 */
export class Terrain {
  readonly raster: FloorRaster;
  /** 1 where the body's centre may be; 2 where it only just fits: it may pass there, not stop. */
  readonly open: Uint8Array;
  /** Cells to the nearest occupied one. */
  readonly clearance: Float32Array;

  constructor(raster: FloorRaster, radiusM: number) {
    this.raster = raster;
    const { state, width, height, cellM } = raster;
    const occupied = state.map((value) => (value === OCCUPIED ? 1 : 0));
    const clearance = distanceTransform(occupied, width, height);
    const radius = radiusM / cellM;
    const openness = (cells: number): number =>
      cells >= radius + 0.5 ? 1 : cells >= radius - SWOLLEN ? 2 : 0;
    this.clearance = clearance;
    this.open = state.map((value, i) => (value === FREE ? openness(clearance[i]!) : 0));
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

  /** The open cell nearest to a place, −1 if none is near. */
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

  /** Path lengths between stands, symmetric; each is computed once. */
  between(places: readonly { readonly x: number; readonly y: number }[]): number[][] {
    const cells = places.map((place) => this.cellAt(place));
    const metres = places.map(() => places.map(() => 0));
    for (const [n, place] of places.slice(0, -1).entries()) {
      const field = this.field(place, cells.slice(n + 1));
      for (let to = n + 1; to < cells.length; to++)
        metres[n]![to] = metres[to]![n] = field.metresTo(cells[to]!);
    }
    return metres;
  }

  /**
   * Shortest paths from a place to everywhere, over eight neighbours without cutting corners (up to 8 % longer than
   * the straightened path); or only as far as the given cells.
   */
  field(from: { readonly x: number; readonly y: number }, until?: readonly number[]): Field {
    const { cellM } = this.raster;
    const cost = new Int32Array(this.open.length).fill(UNREACHED);
    this.#spread(this.#startsAt(from), cost, until && new Set(until));
    return {
      cost,
      metresTo: (cell) =>
        cell < 0 || cost[cell] === UNREACHED ? Infinity : (cost[cell]! * cellM) / STRAIGHT,
    };
  }

  /**
   * Open cells that a body reaches directly from where it stands. It does not see the floor at its feet, and noise
   * leaves isolated free cells there. All cells without an obstacle in between count, because the nearest one may be
   * such an island.
   */
  #startsAt(from: { readonly x: number; readonly y: number }): { cell: number; cost: number }[] {
    const { originX, originY, cellM, width, height } = this.raster;
    const here = this.cellAt(from);
    const nearest = this.nearestOpen(from);
    if (nearest < 0) return [];
    if (nearest === here) return [{ cell: here, cost: 0 }];
    const [px, py] = [(from.x - originX) / cellM - 0.5, (from.y - originY) / cellM - 0.5];
    const costOf = (cell: number): number =>
      Math.round(Math.hypot((cell % width) - px, Math.floor(cell / width) - py) * STRAIGHT);
    const starts = [{ cell: nearest, cost: costOf(nearest) }];
    const reach = START_M / cellM;
    for (let v = Math.max(0, Math.ceil(py - reach)); v <= Math.min(height - 1, py + reach); v++)
      for (let u = Math.max(0, Math.ceil(px - reach)); u <= Math.min(width - 1, px + reach); u++) {
        const cell = v * width + u;
        const cost = costOf(cell);
        if (this.open[cell] !== 1 || here < 0 || cost > reach * STRAIGHT || !this.isClear(here, cell))
          continue;
        starts.push({ cell, cost });
      }
    return starts;
  }

  /** The cells of a field's path to a cell, from its start; empty if there is none. */
  way({ cost }: Field, to: number): number[] {
    if (to < 0 || cost[to] === UNREACHED) return [];
    const { width, height } = this.raster;
    const cells = [to];
    for (let at = to; ; ) {
      const [x, y] = [at % width, Math.floor(at / width)];
      let [next, least] = [-1, cost[at]!];
      for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++)
        for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
          const cell = v * width + u;
          const step = (u !== x && v !== y ? DIAGONAL : STRAIGHT) * (this.open[at] === 2 ? TIGHT : 1);
          if (cost[cell] === UNREACHED || cost[cell]! + step !== cost[at] || cost[cell]! >= least) continue;
          [next, least] = [cell, cost[cell]!];
        }
      // No path leads on from the start cell.
      if (next < 0) break;
      cells.push(next);
      at = next;
    }
    return cells.reverse();
  }

  /** Whether nothing occupied lies between two cells. */
  isClear(a: number, b: number): boolean {
    const { state } = this.raster;
    return this.#isAllAlong(a, b, (cell) => state[cell] !== OCCUPIED);
  }

  /** Whether no wall lies between two cells; the last one may be a wall. */
  isInSight(a: number, b: number): boolean {
    const { wall } = this.raster;
    return this.#isAllAlong(a, b, (cell) => cell === b || wall[cell] !== 1);
  }

  /** Whether a predicate holds for all cells between two, inclusive; the hot loop of every plan. */
  #isAllAlong(a: number, b: number, holds: (cell: number) => boolean): boolean {
    const { width } = this.raster;
    const [ax, bx] = [a % width, b % width];
    const [ay, by] = [(a - ax) / width, (b - bx) / width];
    const count = Math.max(1, Math.abs(bx - ax), Math.abs(by - ay));
    const [dx, dy] = [(bx - ax) / count, (by - ay) / count];
    for (let n = 0; n <= count; n++)
      if (!holds(Math.round(ay + dy * n) * width + Math.round(ax + dx * n))) return false;
    return true;
  }

  /** Dial's ring of buckets: every step costs less than the ring is long. */
  #spread(
    starts: readonly { readonly cell: number; readonly cost: number }[],
    cost: Int32Array,
    until?: Set<number>,
  ): void {
    const { width, height } = this.raster;
    const { open } = this;
    const ring: number[][] = Array.from({ length: RING }, () => []);
    const later = starts.toSorted((a, b) => b.cost - a.cost);
    let waiting = 0;
    for (let at = later.at(-1)?.cost ?? 0; waiting > 0 || later.length > 0; at++) {
      while (later.length > 0 && later.at(-1)!.cost <= at) {
        const { cell } = later.pop()!;
        if (cost[cell]! <= at) continue;
        cost[cell] = at;
        ring[at % RING]!.push(cell);
        waiting++;
      }
      const bucket = ring[at % RING]!;
      for (let i = 0; i < bucket.length; i++) {
        const cell = bucket[i]!;
        waiting--;
        if (cost[cell] !== at) continue;
        if (until?.delete(cell) && until.size === 0) return;
        const x = cell % width;
        const y = (cell - x) / width;
        for (let dy = -1; dy <= 1; dy++) {
          const row = (y + dy) * width;
          if (y + dy < 0 || y + dy >= height) continue;
          for (let dx = -1; dx <= 1; dx++) {
            const to = row + x + dx;
            const fit = open[to];
            if (x + dx < 0 || x + dx >= width || fit === 0) continue;
            let step = STRAIGHT;
            if (dx !== 0 && dy !== 0) {
              if (open[cell + dx] === 0 || open[row + x] === 0) continue;
              step = DIAGONAL;
            }
            const reached = at + (fit === 2 ? step * TIGHT : step);
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
