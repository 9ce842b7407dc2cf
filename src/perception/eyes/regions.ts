import { Joining } from "./joining.ts";
import type { Links, Surface } from "./links.ts";
import { byMiddles, maybeSeveral, neighboursIn } from "./middles.ts";
import { oneness } from "./oneness.ts";
import { piecesOf, type Region, regionOfMembers } from "./pieces.ts";
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
  const joined = new Joining(regions, links, regionOf, oneness).join();
  return apart(map, categories, links, { seen, ...joined });
}

/** Regions of several small things in one plane are cut by the middles that the eyes expect. */
function apart(map: VoxelMap, categories: number, links: Links, joined: Partition): Partition {
  const { seen, regionOf } = joined;
  const wanted = new Set([...joined.regions.keys()].filter((n) => maybeSeveral(joined.regions[n]!)));
  const neighbours = neighboursIn(regionOf, wanted, links);
  const regions = [...joined.regions];
  const nearlyOne = [...joined.nearlyOne];
  for (const number of wanted) {
    const parts = byMiddles(joined.regions[number]!, seen, neighbours);
    parts?.forEach((members, n) => {
      const at = n === 0 ? number : regions.length;
      for (const member of members) regionOf[member] = at;
      regions[at] = regionOfMembers(map, seen, members, categories);
      nearlyOne[at] = joined.nearlyOne[number]!;
    });
  }
  return { seen, regions, regionOf, nearlyOne: Float32Array.from(nearlyOne) };
}
