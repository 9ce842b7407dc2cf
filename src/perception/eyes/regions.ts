import { Joining } from "./joining.ts";
import type { Links, Surface } from "./links.ts";
import { byMiddles, maybeSeveral, neighboursIn } from "./middles.ts";
import { oneness } from "./oneness.ts";
import { byOutlines } from "./outlines.ts";
import { piecesOf, type Region, regionOfMembers } from "./pieces.ts";
import { byStoreys } from "./storeys.ts";
import { straysOf } from "./strays.ts";
import { colourAt } from "./voxel-columns.ts";
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

/** Some of the members of a region that are one thing. */
interface Part extends Pick<Region, "side" | "carries"> {
  readonly members: readonly number[];
}

/** Regions of several small things are cut by their storeys, by the outlines that the eyes draw in them, and by the middles that they expect. */
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
  const colourOf = (member: number) => colourAt(map.columns, seen.voxels[member]!);
  const partsOf = (number: number): Part[] => {
    const { members } = joined.regions[number]!;
    const storeys = byStoreys(members, seen, map, categories);
    const sides = (storeys?.uppers ?? [members]).flatMap(
      (part) => byOutlines(part, seen, colourOf, within(part, neighbours), map.sizeM) ?? [part],
    );
    const isCut = storeys !== undefined || sides.length > 1;
    const parts = sides.flatMap((side, n): Part[] =>
      (byMiddles(side, seen, within(side, neighbours)) ?? [side]).map((members) => ({
        members,
        ...(isCut && { side: { of: number, number: n } }),
      })),
    );
    if (!storeys) return parts;
    // What stands on it draws outlines all over its top, so that it is not asked for any itself.
    const side = { of: number, number: sides.length };
    return [{ members: storeys.lower, side, carries: true }, ...parts];
  };
  for (const number of wanted) {
    const parts = partsOf(number).flatMap((part) => withoutStrays(part, seen));
    if (parts.length < 2) continue;
    parts.forEach(({ members, ...rest }, n) => {
      const at = n === 0 ? number : regions.length;
      for (const member of members) regionOf[member] = at;
      regions[at] = { ...regionOfMembers(map, seen, members, categories), ...rest };
      nearlyOne[at] = joined.nearlyOne[number]!;
    });
  }
  return { seen, regions, regionOf, nearlyOne: Float32Array.from(nearlyOne) };
}

/** A part, and apart from it what is none of it. */
function withoutStrays(part: Part, seen: Surface): Part[] {
  const strays = straysOf(part.members, seen);
  if (strays.size === 0) return [part];
  return [{ ...part, members: part.members.filter((n) => !strays.has(n)) }, { members: [...strays] }];
}

function within(part: readonly number[], neighbours: (member: number) => readonly number[]) {
  const own = new Set(part);
  return (member: number) => neighbours(member).filter((other) => own.has(other));
}
