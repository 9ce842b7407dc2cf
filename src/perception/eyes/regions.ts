import { Joining } from "./joining.ts";
import type { Links, Surface } from "./links.ts";
import { byMiddles, maybeSeveral, neighboursIn } from "./middles.ts";
import { oneness } from "./oneness.ts";
import { byOutlines } from "./outlines.ts";
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
  /**
   * Of each region how many of the 26 places beside one are of it too, in the mean: a sheet has 8, and with the noise of a camera 10
   * and more; what has less hangs together by edges and corners, as specks do that are left over where several things meet.
   */
  readonly closeness: Float32Array;
}

/**
 * Cuts the map into things: first into pieces inside of which nothing speaks for an edge, then pieces are joined, the
 * likeliest pair first, while what both are and how they meet says that they are one.
 */
export function partition(map: VoxelMap, categories: number, leastHits: number): Partition {
  const { seen, links, regions, regionOf } = piecesOf(map, categories, leastHits);
  const joined = new Joining(regions, links, regionOf, oneness).join();
  const cut = apart(map, categories, links, { seen, ...joined });
  return { ...cut, closeness: closenessOf(cut, links) };
}

export function closenessOf(
  { regions, regionOf }: Pick<Partition, "regions" | "regionOf">,
  { count, a, b }: Links,
): Float32Array {
  const within = new Float32Array(regions.length);
  for (let n = 0; n < count; n++) {
    const region = regionOf[a[n]!]!;
    if (region === regionOf[b[n]!]) within[region]! += 2;
  }
  return within.map((links, n) => links / regions[n]!.members.length);
}

/** Regions of several small things are cut by the outlines that the eyes draw in them, and by the middles that they expect. */
function apart(
  map: VoxelMap,
  categories: number,
  links: Links,
  joined: Omit<Partition, "closeness">,
): Omit<Partition, "closeness"> {
  const { seen, regionOf } = joined;
  const wanted = new Set([...joined.regions.keys()].filter((n) => maybeSeveral(joined.regions[n]!)));
  const neighbours = neighboursIn(regionOf, wanted, links);
  const regions = [...joined.regions];
  const nearlyOne = [...joined.nearlyOne];
  const { rgb, weight } = map.columns;
  const colourOf = (member: number) => {
    const voxel = seen.voxels[member]!;
    return [0, 1, 2].map((k) => rgb[3 * voxel + k]! / weight[voxel]!);
  };
  for (const number of wanted) {
    const { members } = joined.regions[number]!;
    const outlined = byOutlines(members, seen, colourOf, neighbours, map.sizeM);
    const parts = (outlined ?? [members]).flatMap((side, n) => {
      const parts = byMiddles(side, seen, within(side, neighbours)) ?? [side];
      return parts.map((members) => ({ members, ...(outlined && { side: { of: number, number: n } }) }));
    });
    if (parts.length < 2) continue;
    parts.forEach(({ members, ...side }, n) => {
      const at = n === 0 ? number : regions.length;
      for (const member of members) regionOf[member] = at;
      regions[at] = { ...regionOfMembers(map, seen, members, categories), ...side };
      nearlyOne[at] = joined.nearlyOne[number]!;
    });
  }
  return { seen, regions, regionOf, nearlyOne: Float32Array.from(nearlyOne) };
}

function within(part: readonly number[], neighbours: (member: number) => readonly number[]) {
  const own = new Set(part);
  return (member: number) => neighbours(member).filter((other) => own.has(other));
}
