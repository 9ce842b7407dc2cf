import { settings } from "../../schema/settings.ts";
import { addNames, type Links, linksOf, type Surface, surfaceOf } from "./links.ts";
import type { VoxelMap } from "./voxels.ts";

/** Value, unit, minimum, maximum, source. */
const PIECES = settings("eyes.pieces", {
  /** Felzenszwalb and Huttenlocher (2004): tolerated inner difference of a small piece, in steps × voxels. */
  tolerance: [255, "steps", 127, 510, "paper"],
  /** Least voxels and least mean edge vote of a piece that is a rim. */
  rimVoxels: [20, "voxels", 10, 40, "experiment"],
  rim: [0.7, "share", 0.35, 0.85, "experiment"],
  /** Depth of a rim in voxels on either side. */
  rimLayers: [3, "voxels", 1, 6, "experiment"],
});

/** A piece of the map that is one thing as far as is known: sums over its members, and its bounding box. */
export interface Region {
  /** Indices into the surface. */
  readonly members: number[];
  /** Structure, furniture, small thing. */
  readonly surface: Float32Array;
  /** One sum per category. */
  readonly names: Float32Array;
  readonly point: Float32Array;
  readonly normal: Float32Array;
  /** The predicted centres. */
  readonly centre: Float32Array;
  readonly colour: Float32Array;
  /** Probability of an outline; neighbours that are walls or floors; those of them that lie in its plane. */
  readonly edges: Float32Array;
  readonly low: Float32Array;
  readonly high: Float32Array;
  /** After a split along outlines: the original region, and the side's number. */
  readonly side?: { readonly of: number; readonly number: number };
  /** Whether something else stands on its level top (`storeys.ts`). */
  readonly carries?: boolean;
}

/** The map cut into pieces. */
export interface Pieces {
  readonly seen: Surface;
  readonly links: Links;
  readonly regions: Region[];
  /** The region of each surface voxel. */
  readonly regionOf: Int32Array;
}

/** The pieces of the map without evidence for an inner edge. */
export function piecesOf(map: VoxelMap, categories: number, leastHits: number): Pieces {
  const seen = surfaceOf(map, leastHits);
  const links = linksOf(map, seen);
  const pieces = withoutRims(cutApart(seen.count, links), seen, links);
  return { seen, links, ...gather(map, seen, pieces, categories) };
}

/** Merges the second into the first. */
export function unite(a: Region, b: Region): void {
  for (const member of b.members) a.members.push(member);
  for (const key of ["surface", "names", "point", "normal", "centre", "colour", "edges"] as const)
    for (let n = 0; n < a[key].length; n++) a[key][n]! += b[key][n]!;
  for (let k = 0; k < 3; k++) {
    a.low[k] = Math.min(a.low[k]!, b.low[k]!);
    a.high[k] = Math.max(a.high[k]!, b.high[k]!);
  }
}

/** Pieces by the neighbour graph; the weakest edges are joined first. */
function cutApart(count: number, { count: links, a, b, cut }: Links): Int32Array {
  const parent = Int32Array.from({ length: count }, (_, n) => n);
  const size = new Int32Array(count).fill(1);
  const most = new Float32Array(count);
  for (const link of byCut(links, cut)) {
    const [x, y] = [rootOf(parent, a[link]!), rootOf(parent, b[link]!)];
    if (x === y) continue;
    const w = cut[link]!;
    if (w > Math.min(most[x]! + PIECES.tolerance / size[x]!, most[y]! + PIECES.tolerance / size[y]!))
      continue;
    const [root, other] = x < y ? [x, y] : [y, x];
    parent[other] = root;
    size[root]! += size[other]!;
    most[root] = w;
  }
  for (let n = 0; n < count; n++) parent[n] = rootOf(parent, n);
  return parent;
}

/**
 * Around the edge of a thing the network predicts an edge for a few voxels on either side. These are alike and form
 * pieces of their own, which touch several things and would join them all. Each voxel of such a rim moves to the
 * adjacent piece with the weakest edge to it, layer by layer; voxels without an adjacent piece are unchanged.
 */
function withoutRims(piece: Int32Array, { boundary }: Surface, { count, a, b, cut }: Links): Int32Array {
  const size = new Int32Array(piece.length);
  const edge = new Float32Array(piece.length);
  for (let n = 0; n < piece.length; n++) {
    size[piece[n]!]!++;
    edge[piece[n]!]! += boundary[n]!;
  }
  const isRim = piece.map((root) =>
    size[root]! >= PIECES.rimVoxels && edge[root]! > PIECES.rim * size[root]! ? 1 : 0,
  );
  const best = new Int32Array(piece.length);
  const least = new Uint16Array(piece.length);
  for (let layer = 0; layer < PIECES.rimLayers; layer++) {
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

/** Links from the weakest edge to the strongest, by counting sort. */
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

/** A region with these members. */
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
