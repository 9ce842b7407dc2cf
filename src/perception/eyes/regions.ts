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

/** The segmented map. */
export interface Partition {
  readonly seen: Surface;
  readonly regions: readonly Region[];
  /** The region of each surface voxel. */
  readonly regionOf: Int32Array;
  /** For each region, the log-odds of being one with its best neighbour; -Infinity for none. */
  readonly nearlyOne: Float32Array;
  /**
   * For each region, the mean number of the 26 neighbours of a voxel that are in it too: 8 for a sheet, 10 and more
   * with camera noise. Less means that it is connected by edges and corners only, like specks left where several
   * things meet.
   */
  readonly closeness: Float32Array;
}

/**
 * Segments the map into things: first into pieces without inner edges; then pieces are joined, likeliest pair first,
 * while their features and contact support it.
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

/** Members of a region that form one thing. */
interface Part extends Pick<Region, "side" | "carries"> {
  readonly members: readonly number[];
}

/** Splits regions of several small things by storeys, by predicted outlines, and by predicted centres. */
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
    // Things standing on it cause outlines all over its top, so it is not split by outlines itself.
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

/** Separates a part from its strays. */
function withoutStrays(part: Part, seen: Surface): Part[] {
  const strays = straysOf(part.members, seen);
  if (strays.size === 0) return [part];
  return [{ ...part, members: part.members.filter((n) => !strays.has(n)) }, { members: [...strays] }];
}

function within(part: readonly number[], neighbours: (member: number) => readonly number[]) {
  const own = new Set(part);
  return (member: number) => neighbours(member).filter((other) => own.has(other));
}
