import { addNames, type Links, linksOf, type Surface, surfaceOf } from "./links.ts";
import type { VoxelMap } from "./voxels.ts";

/** Felzenszwalb and Huttenlocher (2004): how much a small piece may differ inside before it is cut, in steps × voxels. */
const TOLERANCE = 255 * 2;
/** Fewer voxels than this are a speck: it goes with the neighbour that it is most like. */
const SPECK = 6;
/** Pieces at most that are weighed against each other. */
const PIECES = 20_000;

/** A piece of the map that is one thing, as far as is known. */
export interface Region {
  /** Places in the surface. */
  readonly members: number[];
  /** Sums over members: structure, furniture, small thing. */
  readonly surface: Float32Array;
  /** Sums over members, a category each. */
  readonly names: Float32Array;
  /** Sum of the middles that the eyes expect. */
  readonly centre: Float32Array;
  /** Sum of the colours. */
  readonly colour: Float32Array;
}

/** The map cut into things. */
export interface Partition {
  readonly seen: Surface;
  readonly regions: readonly Region[];
  /** Which region each place of the surface is of. */
  readonly regionOf: Int32Array;
}

/**
 * Cuts the map into things: first into pieces inside of which nothing speaks for an edge, then pieces are joined, the
 * likeliest pair first, while what both are and how they meet says that they are one.
 */
export function partition(map: VoxelMap, categories: number, leastHits: number): Partition {
  const { seen, links, regions, regionOf } = piecesOf(map, categories, leastHits);
  return { seen, ...new Joining(regions, links, regionOf).join() };
}

/** The pieces of the map inside of which nothing speaks for an edge. */
export function piecesOf(map: VoxelMap, categories: number, leastHits: number): Partition & { links: Links } {
  const seen = surfaceOf(map, leastHits);
  const links = linksOf(map, seen);
  return { seen, links, ...gather(map, seen, cutApart(seen.count, links), categories) };
}

/** Pieces by the graph of neighbours; the weakest edges are joined over first. */
function cutApart(count: number, { count: links, a, b, cut }: Links): Int32Array {
  const parent = Int32Array.from({ length: count }, (_, n) => n);
  const size = new Int32Array(count).fill(1);
  const most = new Float32Array(count);
  for (const link of byCut(links, cut)) {
    const [x, y] = [rootOf(parent, a[link]!), rootOf(parent, b[link]!)];
    if (x === y) continue;
    const w = cut[link]!;
    if (w > Math.min(most[x]! + TOLERANCE / size[x]!, most[y]! + TOLERANCE / size[y]!)) continue;
    const [root, other] = x < y ? [x, y] : [y, x];
    parent[other] = root;
    size[root]! += size[other]!;
    most[root] = w;
  }
  for (let n = 0; n < count; n++) parent[n] = rootOf(parent, n);
  return parent;
}

/** Links from the weakest edge to the strongest, by counting. */
function byCut(links: number, cut: Uint8Array): Int32Array {
  const starts = new Int32Array(257);
  for (let n = 0; n < links; n++) starts[cut[n]! + 1]!++;
  for (let n = 0; n < 256; n++) starts[n + 1]! += starts[n]!;
  const out = new Int32Array(links);
  for (let n = 0; n < links; n++) out[starts[cut[n]!]!++] = n;
  return out;
}

function rootOf(parent: Int32Array, at: number): number {
  let root = at;
  while (parent[root] !== root) root = parent[root]!;
  for (let next = at; next !== root; ) {
    const above = parent[next]!;
    parent[next] = root;
    next = above;
  }
  return root;
}

function gather(map: VoxelMap, seen: Surface, piece: Int32Array, categories: number) {
  const numbers = new Map<number, number>();
  const regions: Region[] = [];
  const regionOf = new Int32Array(seen.count);
  for (let n = 0; n < seen.count; n++) {
    let number = numbers.get(piece[n]!);
    if (number === undefined) {
      number = regions.length;
      numbers.set(piece[n]!, number);
      regions.push({
        members: [],
        surface: new Float32Array(3),
        names: new Float32Array(categories),
        centre: new Float32Array(3),
        colour: new Float32Array(3),
      });
    }
    regionOf[n] = number;
    const region = regions[number]!;
    const voxel = seen.voxels[n]!;
    region.members.push(n);
    for (let k = 0; k < 3; k++) {
      region.surface[k]! += seen.surface[3 * n + k]!;
      region.centre[k]! += seen.centre[3 * n + k]!;
      region.colour[k]! += map.columns.rgb[3 * voxel + k]! / map.columns.weight[voxel]!;
    }
    addNames(map, voxel, region.names);
  }
  return { regions, regionOf };
}

/** How two pieces meet: links between them, and what speaks for an edge along them. */
export interface Meeting {
  links: number;
  cut: number;
  crease: number;
}

export class Joining {
  readonly #regions: (Region | undefined)[];
  readonly #version: Int32Array;
  /** Of each piece those that it meets. */
  readonly #meetings: Map<number, Meeting>[];
  readonly #regionOf: Int32Array;
  readonly #queue: Pair[] = [];

  constructor(regions: readonly Region[], { count, a, b, cut, crease }: Links, regionOf: Int32Array) {
    this.#regions = [...regions];
    this.#version = new Int32Array(regions.length);
    this.#regionOf = regionOf;
    this.#meetings = regions.map(() => new Map());
    if (regions.length > PIECES) return;
    for (let n = 0; n < count; n++) {
      const [x, y] = [regionOf[a[n]!]!, regionOf[b[n]!]!];
      if (x === y) continue;
      const meeting = this.#meetings[x]!.get(y) ?? { links: 0, cut: 0, crease: 0 };
      meeting.links++;
      meeting.cut += cut[n]! / 255;
      meeting.crease += crease[n]! / 255;
      this.#meetings[x]!.set(y, meeting);
      this.#meetings[y]!.set(x, meeting);
    }
  }

  /** Every pair that meets, for those who fit the weights. */
  *pairs(): Generator<readonly [number, number, Meeting]> {
    for (const [x, others] of this.#meetings.entries())
      for (const [y, meeting] of others) if (x < y) yield [x, y, meeting];
  }

  join(): Omit<Partition, "seen"> {
    for (let x = 0; x < this.#regions.length; x++)
      for (const y of this.#meetings[x]!.keys()) if (x < y) this.#consider(x, y);
    for (let pair = this.#pop(); pair; pair = this.#pop()) {
      const { x, y, versions } = pair;
      if (!this.#regions[x] || !this.#regions[y]) continue;
      if (this.#version[x]! + this.#version[y]! !== versions) continue;
      this.#unite(x, y);
    }
    return this.#numbered();
  }

  #consider(x: number, y: number): void {
    const [a, b] = [this.#regions[x]!, this.#regions[y]!];
    const score = oneness(a, b, this.#meetings[x]!.get(y)!);
    if (score > 0) push(this.#queue, { score, x, y, versions: this.#version[x]! + this.#version[y]! });
  }

  #pop(): Pair | undefined {
    return pop(this.#queue);
  }

  /** The second becomes part of the first, and everything about the first is weighed anew. */
  #unite(x: number, y: number): void {
    const [a, b] = [this.#regions[x]!, this.#regions[y]!];
    for (const member of b.members) a.members.push(member);
    for (const key of ["surface", "names", "centre", "colour"] as const)
      for (let n = 0; n < a[key].length; n++) a[key][n]! += b[key][n]!;
    this.#regions[y] = undefined;
    this.#version[x]! += 1;
    const [mine, theirs] = [this.#meetings[x]!, this.#meetings[y]!];
    mine.delete(y);
    for (const [z, meeting] of theirs) {
      if (z === x) continue;
      this.#meetings[z]!.delete(y);
      const known = mine.get(z);
      if (known) {
        known.links += meeting.links;
        known.cut += meeting.cut;
        known.crease += meeting.crease;
      } else {
        mine.set(z, meeting);
        this.#meetings[z]!.set(x, meeting);
      }
    }
    theirs.clear();
    for (const z of mine.keys()) this.#consider(x, z);
  }

  #numbered(): Omit<Partition, "seen"> {
    const regions = this.#regions.filter((region) => region !== undefined);
    regions.forEach((region, number) => {
      for (const member of region.members) this.#regionOf[member] = number;
    });
    return { regions, regionOf: this.#regionOf };
  }
}

/** What `oneness` weighs, and how much: fitted on pieces of simulated rooms (docs/eyes.md#weights). */
const WEIGHTS = [0.3, -0.49, 1.76, -1.43, 0.16, -2.98, 1.03, -0.59, -2.96, 2.3, 1.9];

/**
 * How much more likely than not two pieces that meet are one thing, as log-odds: by what each is taken for, where its
 * middle is expected, its colour, and what lies between them.
 */
function oneness(a: Region, b: Region, meeting: Meeting): number {
  return featuresOf(a, b, meeting).reduce((sum, value, n) => sum + value * WEIGHTS[n]!, 0);
}

/** What two pieces have in common and what lies between them, each from 0 to about 1. */
export function featuresOf(a: Region, b: Region, { links, cut, crease }: Meeting): number[] {
  const [na, nb] = [a.members.length, b.members.length];
  const small = Math.min(na, nb);
  return [
    1,
    likeness(a.names, b.names),
    likeness(a.surface, b.surface),
    Math.min(1, apart(a.centre, na, b.centre, nb) / 0.6),
    Math.min(1, links / (6 * Math.sqrt(small))),
    cut / links,
    crease / links,
    small < SPECK ? 1 : 0,
    Math.min(1, apart(a.colour, na, b.colour, nb) / 120),
    // Two pieces of furniture that touch and are called the same are one; two books are two.
    likeness(a.names, b.names) * Math.min(a.surface[1]! / na, b.surface[1]! / nb),
    Math.log10(small) / 4,
  ];
}

/** Bhattacharyya's coefficient of two distributions, given as sums. */
function likeness(a: Float32Array, b: Float32Array): number {
  let [sum, all, others] = [0, 0, 0];
  for (let n = 0; n < a.length; n++) {
    sum += Math.sqrt(a[n]! * b[n]!);
    all += a[n]!;
    others += b[n]!;
  }
  return all > 0 && others > 0 ? sum / Math.sqrt(all * others) : 0;
}

/** The distance between two means, given as sums. */
function apart(a: Float32Array, na: number, b: Float32Array, nb: number): number {
  let square = 0;
  for (let k = 0; k < 3; k++) square += (a[k]! / na - b[k]! / nb) ** 2;
  return Math.sqrt(square);
}

interface Pair {
  readonly score: number;
  readonly x: number;
  readonly y: number;
  readonly versions: number;
}

/** Of equals the one that was found first, so that the outcome is the same every time. */
function isBefore(a: Pair, b: Pair): boolean {
  return a.score > b.score || (a.score === b.score && (a.x < b.x || (a.x === b.x && a.y < b.y)));
}

function push(heap: Pair[], pair: Pair): void {
  let at = heap.length;
  heap.push(pair);
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (!isBefore(pair, heap[above]!)) break;
    heap[at] = heap[above]!;
    at = above;
  }
  heap[at] = pair;
}

function pop(heap: Pair[]): Pair | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (!first || !last || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let next = 2 * at + 1;
    if (next >= heap.length) break;
    if (next + 1 < heap.length && isBefore(heap[next + 1]!, heap[next]!)) next++;
    if (!isBefore(heap[next]!, last)) break;
    heap[at] = heap[next]!;
    at = next;
  }
  heap[at] = last;
  return first;
}
