import { Joining, type Meeting } from "./joining.ts";
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
}

/**
 * Cuts the map into things: first into pieces inside of which nothing speaks for an edge, then pieces are joined, the
 * likeliest pair first, while what both are and how they meet says that they are one.
 */
export function partition(map: VoxelMap, categories: number, leastHits: number): Partition {
  const { seen, links, regions, regionOf } = piecesOf(map, categories, leastHits);
  const joined = new Joining(regions, links, regionOf, oneness).join();
  const parts = apart(map, categories, links, { seen, ...joined });
  return parts.regions.length > joined.regions.length ? joinedAgain(parts, links) : parts;
}

/** Parts that were cut out of a region may belong to one beside it, but not to each other. */
function joinedAgain({ seen, wasOf, ...cut }: Parted, links: Links): Partition {
  const before = new Map(
    cut.regions.map((region, n) => [region, { count: region.members.length, most: cut.nearlyOne[n]! }]),
  );
  const wholes = new WeakMap<Region, { count: number; own: Set<number> }>();
  /** The regions of which it has parts. */
  const wholesOf = (region: Region) => {
    const count = region.members.length;
    const known = wholes.get(region);
    if (known?.count === count) return known.own;
    const own = new Set(region.members.map((n) => wasOf[n]!));
    own.delete(NONE);
    wholes.set(region, { count, own });
    return own;
  };
  const score = (a: Region, b: Region, meeting: Meeting) => {
    const [first, second] = [wholesOf(a), wholesOf(b)];
    if (first.size + second.size === 0 || [...first].some((whole) => second.has(whole))) return -Infinity;
    return oneness(a, b, meeting);
  };
  const again = new Joining(cut.regions, links, cut.regionOf, score).join();
  const nearlyOne = again.nearlyOne.map((most, n) => {
    const region = again.regions[n]!;
    const known = before.get(region)!;
    return wholesOf(region).size === 0 && known.count === region.members.length ? known.most : most;
  });
  return { seen, ...again, nearlyOne };
}

/** What no region was cut into parts for. */
const NONE = -1;

interface Parted extends Partition {
  /** Of each place the region that was cut into parts of which one has it; `NONE` for the others. */
  readonly wasOf: Int32Array;
}

/** Regions of several small things are cut by the outlines that the eyes draw in them, and by the middles that they expect. */
function apart(map: VoxelMap, categories: number, links: Links, joined: Partition): Parted {
  const { seen, regionOf } = joined;
  const wanted = new Set([...joined.regions.keys()].filter((n) => maybeSeveral(joined.regions[n]!)));
  const neighbours = neighboursIn(regionOf, wanted, links);
  const regions = [...joined.regions];
  const nearlyOne = [...joined.nearlyOne];
  const wasOf = new Int32Array(seen.count).fill(NONE);
  const { rgb, weight } = map.columns;
  const colourOf = (member: number) => {
    const voxel = seen.voxels[member]!;
    return [0, 1, 2].map((k) => rgb[3 * voxel + k]! / weight[voxel]!);
  };
  for (const number of wanted) {
    const { members } = joined.regions[number]!;
    const outlined = byOutlines(members, seen, colourOf, neighbours, map.sizeM) ?? [members];
    const parts = outlined.flatMap((part) => byMiddles(part, seen, within(part, neighbours)) ?? [part]);
    if (parts.length < 2) continue;
    parts.forEach((members, n) => {
      const at = n === 0 ? number : regions.length;
      for (const member of members) {
        regionOf[member] = at;
        wasOf[member] = number;
      }
      regions[at] = regionOfMembers(map, seen, members, categories);
      nearlyOne[at] = joined.nearlyOne[number]!;
    });
  }
  return { seen, regions, regionOf, nearlyOne: Float32Array.from(nearlyOne), wasOf };
}

function within(part: readonly number[], neighbours: (member: number) => readonly number[]) {
  const own = new Set(part);
  return (member: number) => neighbours(member).filter((other) => own.has(other));
}
