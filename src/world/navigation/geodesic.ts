import { distance, type Vec3 } from "../../geometry/index.ts";
import { CELL_M, type FreeSpace } from "./free-space.ts";

const DIAGONAL = Math.SQRT2;

/** Distances from one node to all others over the grid: 8 neighbours, no cutting of corners, stairs at length. */
export interface DistanceField {
  readonly from: number;
  /** Infinity where there is no path (or, with targets, where the search did not need to go). */
  readonly distanceM: Float64Array;
  /** Predecessor of each node, −1 at the start and for unreached nodes. */
  readonly before: Int32Array;
}

/**
 * Dijkstra; with `targets` it stops as soon as all of them are settled. Ties are broken by node, so paths are
 * deterministic.
 */
export function distanceField(space: FreeSpace, from: number, targets?: readonly number[]): DistanceField {
  const count = space.free.length;
  const distanceM = new Float64Array(count).fill(Infinity);
  const before = new Int32Array(count).fill(-1);
  const settled = new Uint8Array(count);
  const wanted = targets === undefined ? undefined : new Set(targets.filter((node) => node >= 0));
  const queue = new NodeQueue(distanceM);
  if (from >= 0 && space.free[from] === 1) {
    distanceM[from] = 0;
    queue.push(from);
  }
  const { columns, rows, free } = space;
  const perFloor = columns * rows;
  const relax = (node: number, next: number, lengthM: number): void => {
    const through = distanceM[node]! + lengthM;
    if (free[next] === 1 && through < distanceM[next]!) {
      distanceM[next] = through;
      before[next] = node;
      queue.push(next);
    }
  };
  for (let node = queue.pop(); node >= 0; node = queue.pop()) {
    if (settled[node] === 1) continue;
    settled[node] = 1;
    if (wanted?.delete(node) && wanted.size === 0) break;
    const cell = node % perFloor;
    const column = cell % columns;
    const row = (cell - column) / columns;
    const west = column > 0 && free[node - 1] === 1;
    const east = column < columns - 1 && free[node + 1] === 1;
    const south = row > 0 && free[node - columns] === 1;
    const north = row < rows - 1 && free[node + columns] === 1;
    if (west) relax(node, node - 1, CELL_M);
    if (east) relax(node, node + 1, CELL_M);
    if (south) relax(node, node - columns, CELL_M);
    if (north) relax(node, node + columns, CELL_M);
    if (south && west) relax(node, node - columns - 1, CELL_M * DIAGONAL);
    if (south && east) relax(node, node - columns + 1, CELL_M * DIAGONAL);
    if (north && west) relax(node, node + columns - 1, CELL_M * DIAGONAL);
    if (north && east) relax(node, node + columns + 1, CELL_M * DIAGONAL);
    for (const { from: low, to: high, lengthM } of space.stairs) {
      if (node === low) relax(node, high, lengthM);
      if (node === high) relax(node, low, lengthM);
    }
  }
  return { from, distanceM, before };
}

/** The grid path to a node, straightened wherever the line of sight on the floor allows. */
export function pathTo(space: FreeSpace, field: DistanceField, to: number): Vec3[] | undefined {
  if (to < 0 || field.distanceM[to] === Infinity) return undefined;
  const nodes: number[] = [];
  for (let node = to; node >= 0; node = field.before[node]!) nodes.push(node);
  return pulled(
    space,
    nodes.reverse().map((node) => space.pointOf(node)),
  );
}

/** Length of a path. */
export function pathLengthM(path: readonly Vec3[]): number {
  let sum = 0;
  for (let i = 1; i < path.length; i++) sum += distance(path[i - 1]!, path[i]!);
  return sum;
}

/** From each corner straight to the furthest point still in line; stairs keep their two ends. */
function pulled(space: FreeSpace, points: readonly Vec3[]): Vec3[] {
  const kept: Vec3[] = [points[0]!];
  let at = 0;
  while (at < points.length - 1) {
    let next = at + 1;
    const floor = points[at]!.z;
    for (let i = at + 2; i < points.length && points[i]!.z === floor; i++) {
      if (space.isClear(points[at]!, points[i]!)) next = i;
      else if (i - next > 40) break;
    }
    kept.push(points[next]!);
    at = next;
  }
  return kept;
}

/** A binary heap of nodes by distance, then by number. Entries may be stale; the caller skips settled nodes. */
class NodeQueue {
  readonly #distance: Float64Array;
  readonly #nodes: number[] = [];
  readonly #keys: number[] = [];

  constructor(distanceM: Float64Array) {
    this.#distance = distanceM;
  }

  push(node: number): void {
    const nodes = this.#nodes;
    const keys = this.#keys;
    const key = this.#distance[node]!;
    let i = nodes.length;
    nodes.push(node);
    keys.push(key);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (!(key < keys[parent]! || (key === keys[parent] && node < nodes[parent]!))) break;
      nodes[i] = nodes[parent]!;
      keys[i] = keys[parent]!;
      i = parent;
    }
    nodes[i] = node;
    keys[i] = key;
  }

  /** −1 when empty. */
  pop(): number {
    const nodes = this.#nodes;
    const keys = this.#keys;
    const top = nodes[0];
    if (top === undefined) return -1;
    const node = nodes.pop()!;
    const key = keys.pop()!;
    const count = nodes.length;
    if (count === 0) return top;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= count) break;
      const right = child + 1;
      if (
        right < count &&
        (keys[right]! < keys[child]! || (keys[right] === keys[child] && nodes[right]! < nodes[child]!))
      )
        child = right;
      if (!(keys[child]! < key || (keys[child] === key && nodes[child]! < node))) break;
      nodes[i] = nodes[child]!;
      keys[i] = keys[child]!;
      i = child;
    }
    nodes[i] = node;
    keys[i] = key;
    return top;
  }
}
