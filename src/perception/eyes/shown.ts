import { isKindOf } from "../../ontology/index.ts";
import { settings } from "../../schema/settings.ts";
import { isBorne } from "./bearing.ts";
import type { Surface } from "./links.ts";
import { isLikeWall } from "./patches.ts";
import type { Region } from "./pieces.ts";
import type { VoxelMap } from "./voxels.ts";

/** Value, unit, minimum, maximum, source. */
const SHOWN = settings("eyes.shown", {
  /**
   * Least probability of being a thing with a name or something standing on it, and with neither: below that most are
   * fragments.
   */
  believedNamed: [0.4, "probability", 0.2, 0.8, "experiment"],
  believedNameless: [0.62, "probability", 0.31, 0.81, "experiment"],
  /**
   * The same for a region with this mean edge vote and this share of voxels beside a wall: the network calls posts,
   * rails and rims along a wall a bookcase.
   */
  believedAlongWall: [0.7, "probability", 0.35, 0.85, "experiment"],
  mostlyRim: [0.7, "share", 0.35, 0.85, "experiment"],
  alongWall: [0.4, "share", 0.2, 0.8, "experiment"],
  /**
   * A region with this edge vote that is unnamed or smaller than this is a leftover of its neighbours, unless it is
   * named confidently and likely a thing.
   */
  rim: [0.8, "share", 0.6, 0.9, "experiment"],
  rimM: [0.25, "m", 0.125, 0.5, "experiment"],
  believedRim: [0.6, "probability", 0.3, 0.8, "experiment"],
  /**
   * A region below this size with this edge vote and less than this connectivity is specks of other things: in
   * 7-Scenes' kitchen specks have 3.6 to 7.1, things 7.5 and more.
   */
  specksM: [0.3, "m", 0.15, 0.6, "recording"],
  specksRim: [0.45, "share", 0.225, 0.9, "experiment"],
  specks: [7.3, "neighbours", 3.65, 14.6, "experiment"],
  /**
   * Regions with a clear majority name are not specks, by one name's share of votes or by two names': mugs and cups of
   * ten voxels have .57 and more, specks below .5; what is a toothbrush cup or a soap dispenser has .85.
   */
  surelyCalled: [0.55, "share", 0.275, 0.775, "experiment"],
  surelyEither: [0.8, "share", 0.6, 0.9, "experiment"],
  /**
   * Nor is a level region whose normals agree by this share: a tablet on a sofa is a sheet of few voxels with 6 to 7
   * neighbours.
   */
  sheet: [0.98, "cosine", 0.96, 0.99, "experiment"],
  /** Requires this many observations: in one frame anything is a thin sheet. */
  specksLooks: [1.5, "looks", 0.75, 3, "experiment"],
  /** Doors are wider than this, unless seen in part, with wall beside this share of their voxels. */
  doorM: [0.45, "m", 0.225, 0.9, "experiment"],
  doorFlushShare: [0.05, "share", 0.025, 0.1, "experiment"],
  /** Doors are never narrower than this, even with wall beside them: folds of curtains are. */
  doorLeastM: [0.2, "m", 0.1, 0.4, "experiment"],
  /** A door in the plane of its wall is recognised with this visible height and this share of the votes. */
  doorHighM: [1, "m", 0.5, 2, "experiment"],
  surelyDoor: [0.6, "share", 0.3, 0.8, "experiment"],
  /**
   * A region with this share of voxels continued by wall belongs to the wall, if the outline there is weaker than this
   * and the wall votes are above this.
   */
  flushShare: [0.1, "share", 0.05, 0.2, "experiment"],
  noOutline: [0.2, "share", 0.1, 0.4, "experiment"],
  patchShare: [0.15, "share", 0.075, 0.3, "experiment"],
  /**
   * What reaches this far out of the wall does not belong to it: depth and pose errors are smaller, and furniture
   * stands out more.
   */
  patchM: [0.15, "m", 0.075, 0.3, "experiment"],
});

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
  if (isRimOfWall(region)) return score >= SHOWN.believedAlongWall;
  return score >= (label === undefined && !region.carries ? SHOWN.believedNameless : SHOWN.believedNamed);
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
  if (looks < SHOWN.specksLooks || Math.max(longM, highM) >= SHOWN.specksM) return false;
  if (loudest >= SHOWN.surelyCalled || loudestTwo >= SHOWN.surelyEither) return false;
  if (region.normal[2]! > SHOWN.sheet * region.members.length) return false;
  return rimOf(region) > SHOWN.specksRim && closeness < SHOWN.specks;
}

/** Rims of things that no neighbour absorbed: unnamed, or too small for their name. */
function isLeftOver({ label, longM, score, loudest, region }: Candidate): boolean {
  if (
    label !== undefined &&
    (longM >= SHOWN.rimM || (score >= SHOWN.believedRim && loudest >= SHOWN.surelyCalled))
  )
    return false;
  return rimOf(region) > SHOWN.rim;
}

function isRimOfWall(region: Candidate["region"]): boolean {
  return rimOf(region) > SHOWN.mostlyRim && region.edges[1]! > SHOWN.alongWall * region.members.length;
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
  if (wideM > SHOWN.patchM || surface[0]! < SHOWN.patchShare * members.length) return false;
  const beside = members.filter((n) => flush[n]! > 0);
  const outline = beside.reduce((sum, n) => sum + boundary[n]!, 0);
  return beside.length >= SHOWN.flushShare * members.length && outline < SHOWN.noOutline * beside.length;
}

/**
 * Closed doors lie in their wall's plane and are continued by it: a region of a door's height and confident name is
 * not a patch.
 */
function isDoorInWall({ label, loudest, highM }: Candidate): boolean {
  return isDoor(label) && loudest >= SHOWN.surelyDoor && highM >= SHOWN.doorHighM;
}

/** Whether a "door" is the free end of a wall, or a fold: narrower than doors, without wall beside it. */
function isEndOfWall({ flush }: Flush, { members }: Candidate["region"], longM: number): boolean {
  if (longM < SHOWN.doorLeastM) return true;
  const beside = members.reduce((sum, n) => sum + (flush[n]! > 0 ? 1 : 0), 0);
  return longM < SHOWN.doorM && beside < SHOWN.doorFlushShare * members.length;
}

function rimOf({ edges, members }: Candidate["region"]): number {
  return edges[0]! / members.length;
}

export function isDoor(label: string | undefined): boolean {
  return label !== undefined && isKindOf(label, "door");
}
