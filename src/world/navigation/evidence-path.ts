import type { Vec3 } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";

/** A place from which a target (or some regions) can be seen well enough. */
export interface Viewpoint {
  readonly position: Vec3;
  readonly yawRad?: number;
}

/** The shortest walk that collects all evidence; the denominator of SPL (docs/formulas.md#least-walk). */
export interface EvidencePath {
  readonly lengthM: number;
  /** Target by target in the order of the walk. */
  readonly order: readonly number[];
  readonly viewpoints: readonly Viewpoint[];
  /** True when the walk may be longer than the shortest: more than 8 targets, or a cover. */
  readonly approximate: boolean;
}

export type DistanceM = (a: Vec3, b: Vec3) => number;

export const EXACT_TARGETS = 8;
export const VIEWPOINTS_PER_TARGET = 12;

/**
 * Visits one viewpoint of every target, from a fixed start, ending anywhere. Up to 8 targets: exact, by dynamic
 * programming over subsets; more: nearest insertion and 2-opt, flagged. Undefined when a target cannot be reached.
 * More than 12 viewpoints of a target are first thinned out to 12 representatives.
 */
export function minimalEvidencePath(
  start: Vec3,
  targets: readonly (readonly Viewpoint[])[],
  distanceM: DistanceM,
): EvidencePath | undefined {
  if (targets.some((set) => set.length === 0)) return undefined;
  if (targets.length > 64)
    throw new LociError("invalid-input", `expected at most 64 targets, got ${targets.length}`);
  const sets = targets.map((set) => representatives(set, VIEWPOINTS_PER_TARGET));
  const nodes = sets.flatMap((set, target) => set.map((viewpoint) => ({ viewpoint, target })));
  const table = new DistanceTable(
    start,
    nodes.map((node) => node.viewpoint.position),
    distanceM,
  );
  const walk =
    targets.length <= EXACT_TARGETS
      ? exactWalk(nodes, targets.length, table)
      : insertedWalk(nodes, targets.length, table);
  if (walk === undefined) return undefined;
  return {
    lengthM: table.lengthOf(walk),
    order: walk.map((i) => nodes[i]!.target),
    viewpoints: walk.map((i) => nodes[i]!.viewpoint),
    approximate: targets.length > EXACT_TARGETS,
  };
}

/**
 * Sees all regions, for counting and absence questions: greedy set cover by new regions per metre, then 2-opt.
 * Always flagged approximate (watchman routes are NP-hard). `covers[i]` are the regions that candidate i sees.
 */
export function coverPath(
  start: Vec3,
  candidates: readonly Viewpoint[],
  covers: readonly ReadonlySet<string>[],
  regions: readonly string[],
  distanceM: DistanceM,
): EvidencePath | undefined {
  const left = new Set(regions);
  const table = new DistanceTable(
    start,
    candidates.map((c) => c.position),
    distanceM,
  );
  const chosen: number[] = [];
  while (left.size > 0) {
    let best = -1;
    let bestValue = 0;
    covers.forEach((seen, i) => {
      let fresh = 0;
      for (const region of seen) if (left.has(region)) fresh++;
      const away = Math.min(table.fromStart(i), ...chosen.map((j) => table.between(j, i)));
      if (fresh === 0 || away === Infinity) return;
      const value = fresh / (0.5 + away);
      if (value > bestValue) [best, bestValue] = [i, value];
    });
    if (best < 0) return undefined;
    chosen.push(best);
    for (const region of covers[best]!) left.delete(region);
  }
  const walk = untangled(chosen, table);
  return {
    lengthM: table.lengthOf(walk),
    order: walk,
    viewpoints: walk.map((i) => candidates[i]!),
    approximate: true,
  };
}

/** k-medoids by straight distance: furthest-first seeds, then a few rounds of the usual exchange. */
export function representatives(set: readonly Viewpoint[], k: number): Viewpoint[] {
  if (set.length <= k) return [...set];
  const away = (a: number, b: number): number => {
    const p = set[a]!.position;
    const q = set[b]!.position;
    const [x, y, z] = [p.x - q.x, p.y - q.y, p.z - q.z];
    return Math.sqrt(x * x + y * y + z * z);
  };
  let medoids = [0];
  while (medoids.length < k) {
    let far = -1;
    let farM = -1;
    for (let i = 0; i < set.length; i++) {
      const near = Math.min(...medoids.map((m) => away(i, m)));
      if (near > farM) [far, farM] = [i, near];
    }
    medoids.push(far);
  }
  for (let round = 0; round < 4; round++) {
    const groups: number[][] = medoids.map(() => []);
    for (let i = 0; i < set.length; i++) {
      let best = 0;
      medoids.forEach((m, j) => {
        if (away(i, m) < away(i, medoids[best]!)) best = j;
      });
      groups[best]!.push(i);
    }
    const next = groups.map((group, j) => {
      let best = medoids[j]!;
      let bestSum = Infinity;
      for (const i of group) {
        const sum = group.reduce((total, other) => total + away(i, other), 0);
        if (sum < bestSum) [best, bestSum] = [i, sum];
      }
      return best;
    });
    if (next.every((m, j) => m === medoids[j])) break;
    medoids = next;
  }
  return medoids.map((m) => set[m]!);
}

interface Node {
  readonly viewpoint: Viewpoint;
  readonly target: number;
}

/** Held–Karp over targets with a choice of viewpoint in each: O(2^t · n²). */
function exactWalk(nodes: readonly Node[], targets: number, table: DistanceTable): number[] | undefined {
  const count = nodes.length;
  const full = (1 << targets) - 1;
  if (targets === 0) return [];
  const best = new Float64Array((full + 1) * count).fill(Infinity);
  const before = new Int32Array((full + 1) * count).fill(-1);
  nodes.forEach((node, i) => {
    best[(1 << node.target) * count + i] = table.fromStart(i);
  });
  for (let mask = 1; mask <= full; mask++) {
    for (let i = 0; i < count; i++) {
      const here = best[mask * count + i]!;
      if (here === Infinity) continue;
      for (let j = 0; j < count; j++) {
        const bit = 1 << nodes[j]!.target;
        if ((mask & bit) !== 0) continue;
        const at = (mask | bit) * count + j;
        const length = here + table.between(i, j);
        if (length < best[at]!) {
          best[at] = length;
          before[at] = i;
        }
      }
    }
  }
  let last = -1;
  for (let i = 0; i < count; i++)
    if (best[full * count + i]! < (last < 0 ? Infinity : best[full * count + last]!)) last = i;
  if (last < 0) return undefined;
  const walk: number[] = [];
  for (let mask = full, i = last; i >= 0; ) {
    walk.push(i);
    const previous = before[mask * count + i]!;
    mask &= ~(1 << nodes[i]!.target);
    i = previous;
  }
  return walk.reverse();
}

/** The nearest unvisited target goes where it lengthens the walk least; then 2-opt. */
function insertedWalk(nodes: readonly Node[], targets: number, table: DistanceTable): number[] | undefined {
  const walk: number[] = [];
  const left = new Set(Array.from({ length: targets }, (_, i) => i));
  while (left.size > 0) {
    let nearest = -1;
    let nearestM = Infinity;
    nodes.forEach((node, i) => {
      if (!left.has(node.target)) return;
      const away = Math.min(table.fromStart(i), ...walk.map((j) => table.between(j, i)));
      if (away < nearestM) [nearest, nearestM] = [i, away];
    });
    if (nearest < 0) return undefined;
    let place = 0;
    let placeM = Infinity;
    for (let p = 0; p <= walk.length; p++) {
      const length = table.lengthOf([...walk.slice(0, p), nearest, ...walk.slice(p)]);
      if (length < placeM) [place, placeM] = [p, length];
    }
    walk.splice(place, 0, nearest);
    left.delete(nodes[nearest]!.target);
  }
  return untangled(walk, table);
}

/** 2-opt on an open walk from the start, at most 50 rounds. */
function untangled(walk: readonly number[], table: DistanceTable): number[] {
  let best = [...walk];
  let bestM = table.lengthOf(best);
  for (let round = 0, improved = true; improved && round < 50; round++) {
    improved = false;
    for (let i = 0; i < best.length - 1; i++) {
      for (let j = i + 1; j < best.length; j++) {
        const turned = [...best.slice(0, i), ...best.slice(i, j + 1).reverse(), ...best.slice(j + 1)];
        const length = table.lengthOf(turned);
        if (length < bestM - 1e-9) {
          [best, bestM] = [turned, length];
          improved = true;
        }
      }
    }
  }
  return best;
}

/** Cached distances; paths are as long back as forth. */
class DistanceTable {
  readonly #start: Vec3;
  readonly #points: readonly Vec3[];
  readonly #distance: DistanceM;
  readonly #known = new Map<number, number>();

  constructor(start: Vec3, points: readonly Vec3[], distanceM: DistanceM) {
    this.#start = start;
    this.#points = points;
    this.#distance = distanceM;
  }

  fromStart(i: number): number {
    return this.#ask(-1, i);
  }

  between(i: number, j: number): number {
    return i === j ? 0 : i < j ? this.#ask(i, j) : this.#ask(j, i);
  }

  lengthOf(walk: readonly number[]): number {
    let sum = 0;
    walk.forEach((node, i) => {
      sum += i === 0 ? this.fromStart(node) : this.between(walk[i - 1]!, node);
    });
    return sum;
  }

  #ask(i: number, j: number): number {
    const key = (i + 1) * (this.#points.length + 1) + j;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const length = this.#distance(i < 0 ? this.#start : this.#points[i]!, this.#points[j]!);
    this.#known.set(key, length);
    return length;
  }
}
