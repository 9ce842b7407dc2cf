import { LociError } from "../../schema/core.ts";
import { FOREST, WAYS } from "../settings.ts";
import { agglomerate, type Pairs } from "./agglomerate.ts";
import { Forest, type ForestGroup, type ForestLeaf, type ForestOptions } from "./forest.ts";
import { splitEvenly } from "./split.ts";

/**
 * Builds the forest over the leaves. True cost: near linear while leaves have few neighbours within the first
 * distance (pairs are found by a grid, joined by a heap: O(n·k·log nk) for k neighbours), and bounded in dense areas
 * by first joining what lies within a quarter of the distance. It must read all n; only a descent is logarithmic, and
 * only where the forest is balanced (docs/formulas.md#forest).
 */
export function buildForest(
  leaves: readonly ForestLeaf[],
  options: ForestOptions & {
    readonly groups?: readonly ForestGroup[];
    readonly rootId?: string;
    readonly newId?: () => string;
  } = {},
): Forest {
  const share = options.distanceShare ?? 1;
  if (!(share > 0 && share <= 1))
    throw new LociError("invalid-input", `expected a distance share in (0, 1], got ${share}`);
  const forest = new Forest({ ...options, firstM: options.firstM ?? firstDistance(leaves) });
  for (const group of options.groups ?? []) forest.putGroup(group);
  forest.store.reserve(forest.store.end + 2 * leaves.length);
  const vectors = share < 1 ? new Map<number, Float32Array>() : undefined;
  const byGroup = new Map<number, number[]>();
  for (const leaf of leaves) {
    const group = leaf.group === undefined ? forest.root : forest.nodeOf(leaf.group);
    if (group === undefined || !forest.isGroup(group))
      throw new LociError("unknown-id", `leaf "${leaf.id}" is in "${leaf.group}", which is no group`);
    const node = forest.makeLeaf(leaf);
    if (vectors && leaf.vector) vectors.set(node, leaf.vector);
    const there = byGroup.get(group);
    if (there === undefined) byGroup.set(group, [node]);
    else there.push(node);
  }
  for (const [group, nodes] of byGroup) {
    const enough = group === forest.root ? 1 : forest.fanOut;
    const tops = raise(forest, nodes, { enough, share, vectors, least: options.leastChildren ?? 2 });
    for (const top of tops) forest.store.link(group, top);
  }
  refreshGroups(forest, forest.root);
  return forest;
}

interface Raising {
  readonly enough: number;
  readonly share: number;
  readonly vectors: Map<number, Float32Array> | undefined;
  readonly least: number;
}

/** Joins level by level until at most `enough` nodes are left, or the levels end. */
function raise(
  forest: Forest,
  nodes: readonly number[],
  { enough, share, vectors, least }: Raising,
): number[] {
  let tops = [...nodes];
  for (
    let level = 1;
    tops.length > enough && level < FOREST.maxLevels && forest.widthOf(level) <= forest.lastM;
    level++
  ) {
    const cluster = joined(forest, tops, forest.widthOf(level), share, vectors);
    const members = new Map<number, number[]>();
    for (const [i, node] of tops.entries()) {
      const there = members.get(cluster[i]!);
      if (there === undefined) members.set(cluster[i]!, [node]);
      else there.push(node);
    }
    if (members.size === tops.length) continue;
    tops = Array.from(members.values(), (list) => {
      if (list.length === 1) return list[0]!;
      const mixed = vectors && mixVectors(vectors, list, forest);
      const node = clusterOf(forest, level, dissolved(forest, list, least));
      if (mixed) vectors?.set(node, mixed);
      return node;
    });
  }
  // A group of far places may still exceed its fan-out.
  while (tops.length > enough && enough > 1) {
    const halves = splitEvenly(forest.store, tops, Math.min(enough, Math.ceil(tops.length / forest.fanOut)));
    tops = halves.map((half) => (half.length === 1 ? half[0]! : clusterOf(forest, FOREST.maxLevels, half)));
  }
  return tops;
}

/** Dissolves clusters with few children, smallest first, while there is room for their children. */
function dissolved(forest: Forest, list: readonly number[], least: number): number[] {
  const { store } = forest;
  const small = list
    .filter((node) => !forest.isLeaf(node) && store.children[node]! < least)
    .sort((a, b) => store.children[a]! - store.children[b]! || a - b);
  const out = new Set(list);
  for (const node of small) {
    if (out.size - 1 + store.children[node]! > forest.fanOut) break;
    out.delete(node);
    for (const child of store.childrenOf(node)) {
      store.unlink(child);
      out.add(child);
    }
    forest.drop(node);
  }
  return [...out];
}

/** One cluster, or a cluster of clusters where it has too many children. */
function clusterOf(forest: Forest, level: number, children: readonly number[]): number {
  if (children.length <= forest.fanOut) return forest.makeCluster(level, children);
  const parts = splitEvenly(
    forest.store,
    children,
    Math.min(forest.fanOut, Math.ceil(children.length / forest.fanOut)),
  );
  return forest.makeCluster(
    level,
    parts.map((part) => (part.length === 1 ? part[0]! : clusterOf(forest, level, part))),
  );
}

function refreshGroups(forest: Forest, group: number): void {
  for (const child of forest.childrenOf(group)) if (forest.isGroup(child)) refreshGroups(forest, child);
  forest.store.refresh(group);
}

/** For each top, the representative of its cluster at this width. */
function joined(
  forest: Forest,
  tops: readonly number[],
  widthM: number,
  share: number,
  vectors: Map<number, Float32Array> | undefined,
): Int32Array {
  const { store } = forest;
  let buckets = bucketsOf(forest, tops, widthM);
  if (crowd(buckets) <= FOREST.crowded * tops.length) {
    return agglomerate(tops.length, pairsOf(forest, tops, buckets, widthM, share, vectors));
  }
  // Dense: the content of a small cell is one cluster to begin with, as far as the width allows.
  const corners = bucketsOf(forest, tops, widthM / FOREST.corner);
  const seedOf = new Int32Array(tops.length);
  const seeds: number[] = [];
  const owners: number[] = [];
  for (const cell of corners.cells.values()) {
    const first = seeds.length;
    for (const i of cell) {
      let seed = first;
      const alone = store.make(-2);
      store.absorb(alone, tops[i]!);
      while (seed < seeds.length && store.linkage(seeds[seed]!, alone) > widthM) seed++;
      if (seed === seeds.length) {
        seeds.push(alone);
        owners.push(i);
      } else {
        store.absorb(seeds[seed]!, alone);
        store.free(alone);
      }
      seedOf[i] = seed;
    }
  }
  buckets = bucketsOf(forest, seeds, widthM);
  const cluster = agglomerate(seeds.length, pairsOf(forest, seeds, buckets, widthM, 1, undefined));
  for (const seed of seeds) store.free(seed);
  return seedOf.map((seed) => owners[cluster[seed]!]!);
}

interface Buckets {
  readonly cells: Map<number, number[]>;
  readonly key: (x: number, y: number) => number;
  readonly cellOf: (i: number) => readonly [number, number];
}

function bucketsOf(forest: Forest, nodes: readonly number[], sideM: number): Buckets {
  const { store } = forest;
  const key = (x: number, y: number): number => x * 2 ** 26 + y;
  const cellOf = (i: number): readonly [number, number] => [
    Math.floor(store.x(nodes[i]!) / sideM),
    Math.floor(store.y(nodes[i]!) / sideM),
  ];
  const cells = new Map<number, number[]>();
  for (let i = 0; i < nodes.length; i++) {
    const [x, y] = cellOf(i);
    const there = cells.get(key(x, y));
    if (there === undefined) cells.set(key(x, y), [i]);
    else there.push(i);
  }
  return { cells, key, cellOf };
}

/** An upper bound of the pairs to examine. */
function crowd({ cells, key, cellOf }: Buckets): number {
  let pairs = 0;
  for (const cell of cells.values()) {
    const [x, y] = cellOf(cell[0]!);
    for (let dy = -1; dy <= 1; dy++)
      for (let dx = -1; dx <= 1; dx++) pairs += cell.length * (cells.get(key(x + dx, y + dy))?.length ?? 0);
  }
  return pairs / 2;
}

/** All pairs that are near enough to be in one cluster. */
function pairsOf(
  forest: Forest,
  nodes: readonly number[],
  { cells, key, cellOf }: Buckets,
  widthM: number,
  share: number,
  vectors: Map<number, Float32Array> | undefined,
): Pairs {
  const { store } = forest;
  let room = Math.max(1, 2 * nodes.length);
  let a = new Int32Array(room);
  let b = new Int32Array(room);
  let distance = new Float64Array(room);
  let count = 0;
  const limit = share + (1 - share) * (1 - FOREST.farCosine);
  for (const cell of cells.values()) {
    const [x, y] = cellOf(cell[0]!);
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        for (const j of cells.get(key(x + dx, y + dy)) ?? []) {
          for (const i of cell) {
            if (i >= j) continue;
            const apart = store.linkage(nodes[i]!, nodes[j]!);
            if (apart > widthM) continue;
            let mixed = apart;
            if (vectors !== undefined) {
              mixed = (apart / widthM) * share + (1 - cosine(vectors, nodes[i]!, nodes[j]!)) * (1 - share);
              if (mixed > limit) continue;
            }
            if (count === room) {
              room *= 2;
              a = grown(a, new Int32Array(room));
              b = grown(b, new Int32Array(room));
              distance = grown(distance, new Float64Array(room));
            }
            a[count] = i;
            b[count] = j;
            distance[count++] = mixed;
          }
        }
      }
    }
  }
  return { count, a, b, distance };
}

function grown<T extends Int32Array | Float64Array>(old: T, room: T): T {
  room.set(old);
  return room;
}

function cosine(vectors: Map<number, Float32Array>, a: number, b: number): number {
  const [u, v] = [vectors.get(a), vectors.get(b)];
  if (u === undefined || v === undefined) return 0;
  let dot = 0;
  for (let i = 0; i < u.length; i++) dot += u[i]! * v[i]!;
  return dot;
}

/** The mean direction of a cluster's content. */
function mixVectors(
  vectors: Map<number, Float32Array>,
  members: readonly number[],
  forest: Forest,
): Float32Array | undefined {
  let sum: Float64Array | undefined;
  for (const member of members) {
    const vector = vectors.get(member);
    if (vector === undefined) continue;
    sum ??= new Float64Array(vector.length);
    for (let i = 0; i < vector.length; i++) sum[i]! += vector[i]! * forest.leavesUnder(member);
  }
  const length = Math.sqrt(sum?.reduce((total, value) => total + value * value, 0) ?? 0);
  return sum !== undefined && length > 0 ? Float32Array.from(sum, (value) => value / length) : undefined;
}

/** Twice the median distance to the nearest other leaf, over an even sample. */
function firstDistance(leaves: readonly ForestLeaf[]): number {
  const step = Math.max(1, Math.floor(leaves.length / FOREST.maxSample));
  const sample = leaves.filter((_, i) => i % step === 0);
  const sorted = [...leaves].sort((p, q) => p.position.x - q.position.x);
  const xs = sorted.map(({ position }) => position.x);
  const spacings: number[] = [];
  for (const { position: p } of sample) {
    let best = Infinity;
    const from = lowerBound(xs, p.x);
    for (const way of [-1, 1]) {
      for (let i = way < 0 ? from - 1 : from; i >= 0 && i < sorted.length; i += way) {
        const q = sorted[i]!.position;
        if (Math.abs(q.x - p.x) >= best) break;
        const apart = Math.hypot(q.x - p.x, q.y - p.y, q.z - p.z);
        if (apart > 0 && apart < best) best = apart;
      }
    }
    if (best < Infinity) spacings.push(best);
  }
  spacings.sort((p, q) => p - q);
  return 2 * (spacings[spacings.length >> 1] ?? WAYS.spacingM);
}

function lowerBound(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
