import { Joining } from "./joining.ts";
import type { Surface } from "./links.ts";
import { oneness } from "./oneness.ts";
import { piecesOf, type Region } from "./pieces.ts";
import type { VoxelMap } from "./voxels.ts";

/** The map cut into things. */
export interface Partition {
  readonly seen: Surface;
  readonly regions: readonly Region[];
  /** Which region each place of the surface is of. */
  readonly regionOf: Int32Array;
  /** Of each region how much speaks for it being one with the neighbour that it is likeliest one with; -Infinity for none. */
  readonly nearlyOne: Float32Array;
}

/**
 * Cuts the map into things: first into pieces inside of which nothing speaks for an edge, then pieces are joined, the
 * likeliest pair first, while what both are and how they meet says that they are one.
 */
export function partition(map: VoxelMap, categories: number, leastHits: number): Partition {
  const { seen, links, regions, regionOf } = piecesOf(map, categories, leastHits);
  return { seen, ...new Joining(regions, links, regionOf, oneness).join() };
}
