import { addNames, type Links, linksOf, type Surface, surfaceOf } from "./links.ts";
import type { VoxelMap } from "./voxels.ts";

/** Felzenszwalb and Huttenlocher (2004): how much a small piece may differ inside before it is cut, in steps × voxels. */
const TOLERANCE = 255;

/** A piece of so many voxels is a rim when they are said to be the end of something this much, in the mean. */
const RIM_VOXELS = 20;
const RIM = 0.7;
/** How many voxels deep a rim is on either side. */
const RIM_LAYERS = 3;

/** A piece of the map that is one thing, as far as is known: sums over its members, and the box around them. */
export interface Region {
  /** Places in the surface. */
  readonly members: number[];
  /** Structure, furniture, small thing. */
  readonly surface: Float32Array;
  /** A category each. */
  readonly names: Float32Array;
  readonly point: Float32Array;
  readonly normal: Float32Array;
  /** The middles that the eyes expect. */
  readonly centre: Float32Array;
  readonly colour: Float32Array;
  /** Probability of an outline; neighbours that are walls or floors; those of them that lie in one plane with it. */
  readonly edges: Float32Array;
  readonly low: Float32Array;
  readonly high: Float32Array;
  /** Of what an outline parts from others: the region of which all of them were, and which side of the outlines it is. */
  readonly side?: { readonly of: number; readonly number: number };
  /** Whether something else stands on its level top (`storeys.ts`). */
  readonly carries?: boolean;
}

/** The map cut into pieces. */
export interface Pieces {
  readonly seen: Surface;
  readonly links: Links;
  readonly regions: Region[];
  /** Which region each place of the surface is of. */
  readonly regionOf: Int32Array;
}

/** The pieces of the map inside of which nothing speaks for an edge. */
export function piecesOf(map: VoxelMap, categories: number, leastHits: number): Pieces {
  const seen = surfaceOf(map, leastHits);
  const links = linksOf(map, seen);
  const pieces = withoutRims(cutApart(seen.count, links), seen, links);
  return { seen, links, ...gather(map, seen, pieces, categories) };
}

/** What the second has becomes the first's. */
export function unite(a: Region, b: Region): void {
  for (const member of b.members) a.members.push(member);
  for (const key of ["surface", "names", "point", "normal", "centre", "colour", "edges"] as const)
    for (let n = 0; n < a[key].length; n++) a[key][n]! += b[key][n]!;
  for (let k = 0; k < 3; k++) {
    a.low[k] = Math.min(a.low[k]!, b.low[k]!);
    a.high[k] = Math.max(a.high[k]!, b.high[k]!);
  }
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

/**
 * Where things end, the eyes say so for a few voxels on either side, and these are alike: they become pieces of their own
 * which lie around several things and join them all. Each voxel of such a rim goes to the piece beside it that it is
 * parted from least, layer by layer; what no piece is near to stays as it is.
 */
function withoutRims(piece: Int32Array, { boundary }: Surface, { count, a, b, cut }: Links): Int32Array {
  const size = new Int32Array(piece.length);
  const edge = new Float32Array(piece.length);
  for (let n = 0; n < piece.length; n++) {
    size[piece[n]!]!++;
    edge[piece[n]!]! += boundary[n]!;
  }
  const isRim = piece.map((root) => (size[root]! >= RIM_VOXELS && edge[root]! > RIM * size[root]! ? 1 : 0));
  const best = new Int32Array(piece.length);
  const least = new Uint16Array(piece.length);
  for (let layer = 0; layer < RIM_LAYERS; layer++) {
    least.fill(256);
    const offer = (to: number, from: number, w: number) => {
      if (isRim[to] === 0 || isRim[from] === 1 || w >= least[to]!) return;
      least[to] = w;
      best[to] = piece[from]!;
    };
    for (let n = 0; n < count; n++) {
      offer(a[n]!, b[n]!, cut[n]!);
      offer(b[n]!, a[n]!, cut[n]!);
    }
    for (let n = 0; n < piece.length; n++) {
      if (least[n]! === 256) continue;
      piece[n] = best[n]!;
      isRim[n] = 0;
    }
  }
  return piece;
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
      regions.push(empty(categories));
    }
    regionOf[n] = number;
    add(map, seen, regions[number]!, n);
  }
  return { regions, regionOf };
}

/** A region of these members. */
export function regionOfMembers(
  map: VoxelMap,
  seen: Surface,
  members: readonly number[],
  categories: number,
): Region {
  const region = empty(categories);
  for (const n of members) add(map, seen, region, n);
  return region;
}

function add(map: VoxelMap, seen: Surface, region: Region, n: number): void {
  const { rgb, weight } = map.columns;
  const voxel = seen.voxels[n]!;
  region.members.push(n);
  for (let k = 0; k < 3; k++) {
    const at = 3 * n + k;
    region.surface[k]! += seen.surface[at]!;
    region.point[k]! += seen.point[at]!;
    region.normal[k]! += seen.normal[at]!;
    region.centre[k]! += seen.centre[at]!;
    region.colour[k]! += rgb[3 * voxel + k]! / weight[voxel]!;
    region.low[k] = Math.min(region.low[k]!, seen.point[at]!);
    region.high[k] = Math.max(region.high[k]!, seen.point[at]!);
  }
  region.edges[0]! += seen.boundary[n]!;
  region.edges[1]! += seen.beside[n]!;
  region.edges[2]! += seen.flush[n]!;
  addNames(map, voxel, region.names);
}

function empty(categories: number): Region {
  const three = () => new Float32Array(3);
  return {
    members: [],
    surface: three(),
    names: new Float32Array(categories),
    point: three(),
    normal: three(),
    centre: three(),
    colour: three(),
    edges: three(),
    low: three().fill(Infinity),
    high: three().fill(-Infinity),
  };
}
