import { isKindOf } from "../../ontology/index.ts";
import { isBorne } from "./bearing.ts";
import type { Surface } from "./links.ts";
import { isLikeWall } from "./patches.ts";
import type { Region } from "./pieces.ts";
import type { VoxelMap } from "./voxels.ts";

/**
 * Least probability of being a thing with a name or something standing on it, and with neither: below that most are
 * fragments.
 */
const BELIEVED_NAMED = 0.4;
const BELIEVED_NAMELESS = 0.62;
/**
 * The same for a region with this mean edge vote and this share of voxels beside a wall: the network calls posts,
 * rails and rims along a wall a bookcase.
 */
const BELIEVED_ALONG_WALL = 0.7;
const MOSTLY_RIM = 0.7;
const ALONG_WALL = 0.4;
/**
 * A region with this edge vote that is unnamed or smaller than this is a leftover of its neighbours, unless it is
 * named confidently and likely a thing.
 */
const RIM = 0.8;
const RIM_M = 0.25;
const BELIEVED_RIM = 0.6;
/**
 * A region below this size with this edge vote and less than this connectivity is specks of other things: in
 * 7-Scenes' kitchen specks have 3.6 to 7.1, things 7.5 and more.
 */
const SPECKS_M = 0.3;
const SPECKS_RIM = 0.45;
const SPECKS = 7.3;
/**
 * Regions with a clear majority name are not specks, by one name's share of votes or by two names': mugs and cups of
 * ten voxels have .57 and more, specks below .5; what is a toothbrush cup or a soap dispenser has .85.
 */
const SURELY_CALLED = 0.55;
const SURELY_EITHER = 0.8;
/**
 * Nor is a level region whose normals agree by this share: a tablet on a sofa is a sheet of few voxels with 6 to 7
 * neighbours.
 */
const SHEET = 0.98;
/** Requires this many observations: in one frame anything is a thin sheet. */
const SPECKS_LOOKS = 1.5;
/** Doors are wider than this, unless seen in part, with wall beside this share of their voxels. */
const DOOR_M = 0.45;
const DOOR_FLUSH_SHARE = 0.05;
/** Doors are never narrower than this, even with wall beside them: folds of curtains are. */
const DOOR_LEAST_M = 0.2;
/** A door in the plane of its wall is recognised with this visible height and this share of the votes. */
const DOOR_HIGH_M = 1;
const SURELY_DOOR = 0.6;
/**
 * A region with this share of voxels continued by wall belongs to the wall, if the outline there is weaker than this
 * and the wall votes are above this.
 */
const FLUSH_SHARE = 0.1;
const NO_OUTLINE = 0.2;
const PATCH_SHARE = 0.15;
/**
 * What reaches this far out of the wall does not belong to it: depth and pose errors are smaller, and furniture
 * stands out more.
 */
const PATCH_M = 0.15;

type Flush = Pick<Surface, "flush" | "boundary">;

/** A candidate thing, with what decides whether it is reported. */
export interface Candidate {
  readonly label: string | undefined;
  /** Its probability of being a thing (`thingness`). */
  readonly score: number;
  readonly longM: number;
  readonly wideM: number;
  readonly highM: number;
  /** The largest share of votes for one name. */
  readonly loudest: number;
  /** The share of the two strongest names together. */
  readonly loudestTwo: number;
  /** Mean number of observations of its voxels. */
  readonly looks: number;
  /** Of its largest region (`Partition`). */
  readonly closeness: number;
  readonly region: Pick<Region, "members" | "surface" | "normal" | "edges" | "carries">;
}

/**
 * Whether a region is reported as a thing. Four shapes never are, whatever their probability, because simulated
 * houses have too few of them for `thingness` to learn: specks, rims, patches of walls and free ends of walls. For
 * the others the probability decides.
 */
export function isShown(seen: Flush, candidate: Candidate): boolean {
  const { label, score, longM, wideM, region } = candidate;
  if (areSpecks(candidate)) return false;
  if (isLeftOver(candidate)) return false;
  if (!isDoorInWall(candidate) && isPatchOfWall(seen, region, wideM)) return false;
  if (isDoor(label) && isEndOfWall(seen, region, longM)) return false;
  if (isRimOfWall(region)) return score >= BELIEVED_ALONG_WALL;
  return score >= (label === undefined && !region.carries ? BELIEVED_NAMELESS : BELIEVED_NAMED);
}

/** The candidates that are reported, and those that support one of them: plinths, trays and stands. */
export function shownAmong<C extends Candidate & { readonly region: Region }>(
  map: VoxelMap,
  seen: Surface,
  candidates: readonly C[],
): C[] {
  const isOne = (one: C) => isShown(seen, one) && !isLikeWall(map, seen, one.region, one.label);
  const shown = candidates.filter(isOne);
  const bearing = candidates.filter((one) => {
    const { region } = one;
    if (shown.includes(one) || !isOne({ ...one, region: { ...region, carries: true } })) return false;
    const own = new Set(region.members.map((n) => seen.voxels[n]!));
    return shown.some((other) => isOver(other.region, region) && isBorne(map, seen, other.region, own));
  });
  return [...shown, ...bearing];
}

/** Whether any part of it can stand on the other. */
function isOver({ low, high }: Region, below: Region): boolean {
  const isBeside = [0, 1].some((k) => low[k]! > below.high[k]! || below.low[k]! > high[k]!);
  return !isBeside && low[2]! > below.low[2]! && high[2]! > below.high[2]!;
}

function areSpecks({ longM, highM, loudest, loudestTwo, looks, closeness, region }: Candidate): boolean {
  if (looks < SPECKS_LOOKS || Math.max(longM, highM) >= SPECKS_M) return false;
  if (loudest >= SURELY_CALLED || loudestTwo >= SURELY_EITHER) return false;
  if (region.normal[2]! > SHEET * region.members.length) return false;
  return rimOf(region) > SPECKS_RIM && closeness < SPECKS;
}

/** Rims of things that no neighbour absorbed: unnamed, or too small for their name. */
function isLeftOver({ label, longM, score, loudest, region }: Candidate): boolean {
  if (label !== undefined && (longM >= RIM_M || (score >= BELIEVED_RIM && loudest >= SURELY_CALLED)))
    return false;
  return rimOf(region) > RIM;
}

function isRimOfWall(region: Candidate["region"]): boolean {
  return rimOf(region) > MOSTLY_RIM && region.edges[1]! > ALONG_WALL * region.members.length;
}

/**
 * Whether a region is a patch of a wall, whatever its name: it continues in the wall's plane without an outline
 * there, and has some wall votes. The network calls tiles with sockets a whiteboard; leaflets have edges, and boards
 * have no wall votes.
 */
function isPatchOfWall(
  { flush, boundary }: Flush,
  { members, surface }: Candidate["region"],
  wideM: number,
): boolean {
  if (wideM > PATCH_M || surface[0]! < PATCH_SHARE * members.length) return false;
  const beside = members.filter((n) => flush[n]! > 0);
  const outline = beside.reduce((sum, n) => sum + boundary[n]!, 0);
  return beside.length >= FLUSH_SHARE * members.length && outline < NO_OUTLINE * beside.length;
}

/**
 * Closed doors lie in their wall's plane and are continued by it: a region of a door's height and confident name is
 * not a patch.
 */
function isDoorInWall({ label, loudest, highM }: Candidate): boolean {
  return isDoor(label) && loudest >= SURELY_DOOR && highM >= DOOR_HIGH_M;
}

/** Whether a "door" is the free end of a wall, or a fold: narrower than doors, without wall beside it. */
function isEndOfWall({ flush }: Flush, { members }: Candidate["region"], longM: number): boolean {
  if (longM < DOOR_LEAST_M) return true;
  const beside = members.reduce((sum, n) => sum + (flush[n]! > 0 ? 1 : 0), 0);
  return longM < DOOR_M && beside < DOOR_FLUSH_SHARE * members.length;
}

function rimOf({ edges, members }: Candidate["region"]): number {
  return edges[0]! / members.length;
}

export function isDoor(label: string | undefined): boolean {
  return label !== undefined && isKindOf(label, "door");
}
