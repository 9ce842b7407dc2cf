import type { Vec3 } from "../geometry/index.ts";
import { distanceTransform } from "./distance-transform.ts";
import { type FloorRaster, FREE, OCCUPIED } from "./raster.ts";
import { WAYS } from "./settings.ts";

const DIAGONAL = Math.SQRT2;
/** Neighbours: the four straight ones first, then the diagonals, each with its two straight neighbours. */
const STEPS_X = [1, 0, -1, 0, 1, -1, -1, 1];
const STEPS_Y = [0, 1, 0, -1, 1, 1, -1, -1];
/** Most cached paths of a plan: a listing repeats the same ones. */
const MOST_KNOWN = 2_048;
/** Most cached distance fields of a plan, each as large as its raster. */
const MOST_FIELDS = 8;

/** A path for a body of the plan's radius, between two standing places. */
export interface Path {
  readonly points: readonly Vec3[];
  readonly lengthM: number;
}

/** Lengths of the shortest paths from one place to everywhere. */
export interface DistanceField {
  /** Infinity where there is no path. */
  at(position: Vec3): number;
}

/**
 * Where a round body can move on one storey: free cells whose distance from everything occupied is at least its
 * radius. Unknown cells are not entered. Paths use eight neighbours without cutting corners.
 */
export class FloorPlan {
  readonly raster: FloorRaster;
  readonly #open: Uint8Array;
  #parts: Int32Array | undefined;
  readonly #known = new Map<number, Path>();
  readonly #fields = new Map<number, Float64Array>();

  constructor(raster: FloorRaster, radiusM: number) {
    this.raster = raster;
    const occupied = raster.state.map((state) => (state === OCCUPIED ? 1 : 0));
    const clearance = distanceTransform(occupied, raster.width, raster.height);
    // A cell's centre is half a cell nearer to the obstacle's edge than to its centre.
    const needed = radiusM / raster.cellM + 0.5;
    this.#open = raster.state.map((state, i) => (state === FREE && clearance[i]! >= needed ? 1 : 0));
  }

  /** Whether the body can stand there. */
  isOpen(position: Vec3): boolean {
    const cell = this.#cellAt(position);
    return cell >= 0 && this.#open[cell] === 1;
  }

  /** The nearest standing place, within two metres; if `from` is given, among those reachable from it. */
  nearestOpen(position: Vec3, from?: Vec3): Vec3 | undefined {
    const start = from === undefined ? -1 : this.#nearest(from);
    if (from !== undefined && start < 0) return undefined;
    const cell = this.#nearest(position, from === undefined ? undefined : this.#partOf(start));
    return cell < 0 ? undefined : this.#middleOf(cell);
  }

  /** The shortest path, straightened wherever the straight line is open. Undefined if there is none. */
  path(from: Vec3, to: Vec3): Path | undefined {
    const start = this.#nearest(from);
    const goal = this.#nearest(to);
    if (start < 0 || goal < 0 || this.#partOf(start) !== this.#partOf(goal)) return undefined;
    const key = start * this.#open.length + goal;
    const known = this.#known.get(key);
    if (known) return known;
    const path = this.#pathBetween(start, goal);
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(key, path);
    return path;
  }

  #pathBetween(start: number, goal: number): Path {
    const { came } = this.#spread(start, goal);
    const cells = [goal];
    for (let at = goal; at !== start; ) {
      at = came[at]!;
      cells.push(at);
    }
    const points = this.#pull(cells.reverse()).map((cell) => this.#middleOf(cell));
    let lengthM = 0;
    for (let i = 1; i < points.length; i++)
      lengthM += Math.hypot(points[i]!.x - points[i - 1]!.x, points[i]!.y - points[i - 1]!.y);
    return { points, lengthM };
  }

  /** Distances over eight neighbours (up to 8 % longer than the straightened path). */
  distanceField(from: Vec3): DistanceField {
    const start = this.#nearest(from);
    const cost = start < 0 ? undefined : this.#costs(start);
    return {
      at: (position) => {
        const cell = this.#cellAt(position);
        return cost === undefined || cell < 0 ? Infinity : cost[cell]! * this.raster.cellM;
      },
    };
  }

  #costs(start: number): Float64Array {
    const known = this.#fields.get(start);
    if (known) return known;
    const { cost } = this.#spread(start, -1);
    if (this.#fields.size >= MOST_FIELDS) this.#fields.clear();
    this.#fields.set(start, cost);
    return cost;
  }

  /** Whether the straight line between two places is open all along. */
  isClear(from: Vec3, to: Vec3): boolean {
    const [a, b] = [this.#cellAt(from), this.#cellAt(to)];
    return a >= 0 && b >= 0 && this.#sees(a, b);
  }

  #cellAt({ x, y }: Vec3): number {
    const { originX, originY, cellM, width, height } = this.raster;
    const u = Math.floor((x - originX) / cellM);
    const v = Math.floor((y - originY) / cellM);
    return u >= 0 && v >= 0 && u < width && v < height ? v * width + u : -1;
  }

  #middleOf(cell: number): Vec3 {
    const { originX, originY, cellM, width, floorZ } = this.raster;
    const u = cell % width;
    return { x: originX + (u + 0.5) * cellM, y: originY + ((cell - u) / width + 0.5) * cellM, z: floorZ };
  }

  /** The connected part of the open ground that contains a cell: everything reachable from it. */
  #partOf(cell: number): number {
    this.#parts ??= partsOf(this.#open, this.raster.width);
    return this.#parts[cell]!;
  }

  #nearest({ x, y }: Vec3, part?: number): number {
    const { originX, originY, cellM, width, height } = this.raster;
    const px = (x - originX) / cellM - 0.5;
    const py = (y - originY) / cellM - 0.5;
    const reach = Math.ceil((2 * WAYS.spacingM) / cellM);
    let [best, nearest] = [-1, ((2 * WAYS.spacingM) / cellM) ** 2];
    for (let v = Math.max(0, Math.ceil(py - reach)); v <= Math.min(height - 1, py + reach); v++) {
      for (let u = Math.max(0, Math.ceil(px - reach)); u <= Math.min(width - 1, px + reach); u++) {
        const squared = (u - px) ** 2 + (v - py) ** 2;
        const cell = v * width + u;
        if (squared >= nearest || !this.#open[cell]) continue;
        if (part !== undefined && this.#partOf(cell) !== part) continue;
        [best, nearest] = [cell, squared];
      }
    }
    return best;
  }

  /** Dijkstra from one cell; with a goal, A* by the octile distance, which never overestimates. */
  #spread(start: number, goal: number): { cost: Float64Array; came: Int32Array } {
    const { width, height } = this.raster;
    const open = this.#open;
    const cost = new Float64Array(open.length).fill(Infinity);
    const came = new Int32Array(open.length).fill(-1);
    const done = new Uint8Array(open.length);
    const goalX = goal % width;
    const goalY = (goal - goalX) / width;
    const ahead = (x: number, y: number): number => {
      if (goal < 0) return 0;
      const dx = Math.abs(x - goalX);
      const dy = Math.abs(y - goalY);
      return Math.max(dx, dy) + (DIAGONAL - 1) * Math.min(dx, dy);
    };
    const queue = new CellQueue();
    cost[start] = 0;
    queue.push(start, 0);
    for (let at = queue.pop(); at >= 0; at = queue.pop()) {
      if (done[at]) continue;
      done[at] = 1;
      if (at === goal) break;
      const x = at % width;
      const y = (at - x) / width;
      const here = cost[at]!;
      for (let step = 0; step < STEPS_X.length; step++) {
        const u = x + STEPS_X[step]!;
        const v = y + STEPS_Y[step]!;
        const to = v * width + u;
        if (u < 0 || v < 0 || u >= width || v >= height || !open[to] || done[to]) continue;
        const isDiagonal = u !== x && v !== y;
        if (isDiagonal && !(open[y * width + u] && open[v * width + x])) continue;
        const reached = here + (isDiagonal ? DIAGONAL : 1);
        if (reached >= cost[to]!) continue;
        cost[to] = reached;
        came[to] = at;
        queue.push(to, reached + ahead(u, v));
      }
    }
    return { cost, came };
  }

  /** Removes every corner that is not needed for clearance. */
  #pull(cells: readonly number[]): number[] {
    const kept = [cells[0]!];
    for (let i = 1; i < cells.length - 1; i++)
      if (!this.#sees(kept.at(-1)!, cells[i + 1]!)) kept.push(cells[i]!);
    if (cells.length > 1) kept.push(cells.at(-1)!);
    return kept;
  }

  /** Whether every cell touched by the line between two centres is open. */
  #sees(a: number, b: number): boolean {
    const { width } = this.raster;
    const [ax, bx] = [a % width, b % width];
    const [ay, by] = [(a - ax) / width, (b - bx) / width];
    const [dx, dy] = [Math.abs(bx - ax), Math.abs(by - ay)];
    const [sx, sy] = [bx > ax ? 1 : -1, by > ay ? 1 : -1];
    let [x, y, error] = [ax, ay, dx - dy];
    for (let left = dx + dy + 1; left > 0; left--) {
      if (!this.#open[y * width + x]) return false;
      if (error > 0) {
        x += sx;
        error -= 2 * dy;
      } else if (error < 0) {
        y += sy;
        error += 2 * dx;
      } else {
        // Through a corner: both cells beside it must be open too.
        if (left > 1 && !(this.#open[y * width + x + sx] && this.#open[(y + sy) * width + x])) return false;
        x += sx;
        y += sy;
        error += 2 * (dx - dy);
        left--;
      }
    }
    return true;
  }
}

/**
 * Numbers the connected parts of the open ground; diagonal steps need both straight ones, so straight steps suffice.
 */
function partsOf(open: Uint8Array, width: number): Int32Array {
  const parts = new Int32Array(open.length).fill(-1);
  const waiting: number[] = [];
  let count = 0;
  for (let first = 0; first < open.length; first++) {
    if (!open[first] || parts[first]! >= 0) continue;
    parts[first] = count;
    waiting.push(first);
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      const x = at % width;
      for (const to of [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width]) {
        if (to < 0 || to >= open.length || !open[to] || parts[to]! >= 0) continue;
        parts[to] = count;
        waiting.push(to);
      }
    }
    count++;
  }
  return parts;
}

/** Cells by cost, then number. */
class CellQueue {
  readonly #cells: number[] = [];
  readonly #costs: number[] = [];

  push(cell: number, cost: number): void {
    let at = this.#cells.length;
    this.#cells.push(cell);
    this.#costs.push(cost);
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#less(at, above)) break;
      this.#swap(at, above);
      at = above;
    }
  }

  pop(): number {
    const top = this.#cells[0];
    if (top === undefined) return -1;
    const [cell, cost] = [this.#cells.pop()!, this.#costs.pop()!];
    if (this.#cells.length > 0) {
      this.#cells[0] = cell;
      this.#costs[0] = cost;
      for (let at = 0; ; ) {
        let child = 2 * at + 1;
        if (child >= this.#cells.length) break;
        if (child + 1 < this.#cells.length && this.#less(child + 1, child)) child++;
        if (!this.#less(child, at)) break;
        this.#swap(at, child);
        at = child;
      }
    }
    return top;
  }

  #less(i: number, j: number): boolean {
    const a = this.#costs[i]!;
    const b = this.#costs[j]!;
    return a < b || (a === b && this.#cells[i]! < this.#cells[j]!);
  }

  #swap(i: number, j: number): void {
    const [cell, cost] = [this.#cells[i]!, this.#costs[i]!];
    this.#cells[i] = this.#cells[j]!;
    this.#costs[i] = this.#costs[j]!;
    this.#cells[j] = cell;
    this.#costs[j] = cost;
  }
}
