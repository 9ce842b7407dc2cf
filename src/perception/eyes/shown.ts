import { isKindOf } from "../../ontology/index.ts";
import { isBorne } from "./bearing.ts";
import type { Surface } from "./links.ts";
import { isLikeWall } from "./patches.ts";
import type { Region } from "./pieces.ts";
import type { VoxelMap } from "./voxels.ts";

/** How likely it must be a thing of its own what has a name or something standing on it, and what has neither: less is mostly pieces. */
const BELIEVED_NAMED = 0.4;
const BELIEVED_NAMELESS = 0.62;
/** The same of what is the end of something by this much, in the mean, and beside a wall in this share of its places: posts, rails and rims along a wall are a bookcase to the eyes. */
const BELIEVED_ALONG_WALL = 0.7;
const MOSTLY_RIM = 0.7;
const ALONG_WALL = 0.4;
/** What is the end of something by this much, and has no name or is smaller than this, is what its neighbours left over, unless it is surely called something and likely a thing. */
const RIM = 0.8;
const RIM_M = 0.25;
const BELIEVED_RIM = 0.6;
/** What is smaller than this, is the end of something by this much, and hangs together by less than this is specks of other things: in 7-Scenes' kitchen they have 3.6 to 7.1, and its things 7.5 and more. */
const SPECKS_M = 0.3;
const SPECKS_RIM = 0.45;
const SPECKS = 7.3;
/** They are none that the eyes call by one name with this share of their votes, or by two with that: mugs and cups of ten places are called so by .57 and more, specks by less than .5, and what is a toothbrush cup or a soap dispenser by .85. */
const SURELY_CALLED = 0.55;
const SURELY_EITHER = 0.8;
/** Nor is what lies level with all its places sloped alike, by this share: a tablet on a sofa is a sheet of few places, which have 6 to 7 others beside them. */
const SHEET = 0.98;
/** It is told from this many looks on: one look shows the thinnest of sheets of anything. */
const SPECKS_LOOKS = 1.5;
/** Doors are wider than this, but for those seen in part, beside which the wall goes on at this share of their places. */
const DOOR_M = 0.45;
const DOOR_FLUSH_SHARE = 0.05;
/** Narrower than this none is, though wall goes on beside it: folds of curtains are. */
const DOOR_LEAST_M = 0.2;
/** In the plane of its wall a door is known as one where this much of its height is in view and this share of the votes says so. */
const DOOR_HIGH_M = 1;
const SURELY_DOOR = 0.6;
/** From this share of its places on a region that goes on as wall beside them is of the wall, where the eyes see less of an outline than this there and call it wall by this much. */
const FLUSH_SHARE = 0.1;
const NO_OUTLINE = 0.2;
const PATCH_SHARE = 0.15;
/** What reaches this far out of the wall is none of it: depths and poses stray less, and furniture stands out more. */
const PATCH_M = 0.15;

type Flush = Pick<Surface, "flush" | "boundary">;

/** What may be a thing, by what decides whether it is shown. */
export interface Candidate {
  readonly label: string | undefined;
  /** How likely it is a thing of its own (`thingness`). */
  readonly score: number;
  readonly longM: number;
  readonly wideM: number;
  readonly highM: number;
  /** The largest share of the votes that any one name has. */
  readonly loudest: number;
  /** The share that the two loudest have together. */
  readonly loudestTwo: number;
  /** How often its places were looked at, in the mean. */
  readonly looks: number;
  /** Of the largest region that is it (`Partition`). */
  readonly closeness: number;
  readonly region: Pick<Region, "members" | "surface" | "normal" | "edges" | "carries">;
}

/**
 * Whether a region is shown as a thing. Four shapes are none, however likely, as simulated houses have too few of them for
 * `thingness` to know them: specks, rims, patches of walls and free ends of walls. Of the others it is how likely they are.
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

/** Those that are shown, and those of the others that bear one of them: plinths, trays and stands. */
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

/** Whether any of it can stand on the other. */
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

/** Rims of things that no neighbour took in: without a name, or too small for the one that is said of them. */
function isLeftOver({ label, longM, score, loudest, region }: Candidate): boolean {
  if (label !== undefined && (longM >= RIM_M || (score >= BELIEVED_RIM && loudest >= SURELY_CALLED)))
    return false;
  return rimOf(region) > RIM;
}

function isRimOfWall(region: Candidate["region"]): boolean {
  return rimOf(region) > MOSTLY_RIM && region.edges[1]! > ALONG_WALL * region.members.length;
}

/**
 * Whether a region is a patch of a wall, by whatever name: it goes on in the wall's plane, the eyes see no outline where it
 * does, and some wall in it. Tiles with sockets are a whiteboard to them; leaflets have edges, and boards are no wall at all.
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

/** Closed doors lie in the plane of their wall and go on as it does: what is as high as one, and surely called so, is no patch. */
function isDoorInWall({ label, loudest, highM }: Candidate): boolean {
  return isDoor(label) && loudest >= SURELY_DOOR && highM >= DOOR_HIGH_M;
}

/** Whether what is called a door is the free end of a wall, or a fold: narrower than doors are, and no wall goes on beside it. */
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
