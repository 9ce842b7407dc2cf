import { distance, type Vec3 } from "../../geometry/index.ts";
import type { Navigator } from "../agents/index.ts";

/** A point may be this far from the lanes and still be reachable from them. */
const REACH_M = 40;

/**
 * The routes of all movers: straight lanes between crossings, such as aisles and paths. A kilometre of them is a few
 * hundred numbers, where a free-space grid would be a hundred million cells.
 */
export class Lanes implements Navigator {
  readonly crossings: readonly Vec3[];
  readonly edges: readonly (readonly [number, number])[];
  readonly #next: readonly (readonly number[])[];

  constructor(crossings: readonly Vec3[], edges: readonly (readonly [number, number])[]) {
    this.crossings = crossings;
    this.edges = edges;
    const next: number[][] = crossings.map(() => []);
    for (const [a, b] of edges) {
      next[a]!.push(b);
      next[b]!.push(a);
    }
    this.#next = next;
  }

  /** Crossings that a lane leads to from this one. */
  nextTo(crossing: number): readonly number[] {
    return this.#next[crossing]!;
  }

  /** The same lanes moved to one side, so that movers in opposite directions pass each other. */
  beside(x: number, y: number): Lanes {
    return new Lanes(
      this.crossings.map((point) => ({ ...point, x: point.x + x, y: point.y + y })),
      this.edges,
    );
  }

  standNear(pointInWorld: Vec3): Vec3 | undefined {
    return this.#join(pointInWorld)?.point;
  }

  /** From a point straight to the nearest lane, along lanes, and straight to the other point. */
  path(fromInWorld: Vec3, toInWorld: Vec3): readonly Vec3[] | undefined {
    const start = this.#join(fromInWorld);
    const end = this.#join(toInWorld);
    if (start === undefined || end === undefined) return undefined;
    const between = start.edge === end.edge ? [] : this.#through(start, end);
    return between && [fromInWorld, start.point, ...between, end.point, toInWorld];
  }

  /** Dijkstra over crossings; with a few hundred of them a linear scan for the nearest is the fastest queue. */
  #through(start: Joined, end: Joined): Vec3[] | undefined {
    const length = new Float64Array(this.crossings.length).fill(Infinity);
    const before = new Int32Array(this.crossings.length).fill(-1);
    const done = new Uint8Array(this.crossings.length);
    for (const c of this.edges[start.edge]!) length[c] = distance(start.point, this.crossings[c]!);
    for (;;) {
      let at = -1;
      for (let c = 0; c < length.length; c++)
        if (done[c] === 0 && length[c]! < (at < 0 ? Infinity : length[at]!)) at = c;
      if (at < 0) break;
      done[at] = 1;
      for (const next of this.#next[at]!) {
        const through = length[at]! + distance(this.crossings[at]!, this.crossings[next]!);
        if (through < length[next]!) [length[next], before[next]] = [through, at];
      }
    }
    const total = (c: number) => length[c]! + distance(this.crossings[c]!, end.point);
    const [a, b] = this.edges[end.edge]!;
    let last = total(a) <= total(b) ? a : b;
    if (length[last] === Infinity) return undefined;
    const way: Vec3[] = [];
    for (; last >= 0; last = before[last]!) way.unshift(this.crossings[last]!);
    return way;
  }

  #join(point: Vec3): Joined | undefined {
    let best: Joined | undefined;
    let nearest = REACH_M;
    this.edges.forEach(([a, b], edge) => {
      const on = nearestOn(this.crossings[a]!, this.crossings[b]!, point);
      const apart = distance(on, point);
      if (apart < nearest) [best, nearest] = [{ edge, point: on }, apart];
    });
    return best;
  }
}

interface Joined {
  readonly edge: number;
  readonly point: Vec3;
}

function nearestOn(a: Vec3, b: Vec3, p: Vec3): Vec3 {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const square = dx * dx + dy * dy;
  const t = square === 0 ? 0 : ((p.x - a.x) * dx + (p.y - a.y) * dy) / square;
  const share = Math.min(1, Math.max(0, t));
  return { x: a.x + dx * share, y: a.y + dy * share, z: a.z };
}
