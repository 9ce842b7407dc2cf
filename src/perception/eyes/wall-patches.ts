import type { Surface } from "./links.ts";
import type { Region } from "./pieces.ts";

/** Doors are wider than this, but for those seen in part, beside which the wall goes on at this share of their places. */
const DOOR_M = 0.45;
const DOOR_FLUSH_SHARE = 0.05;
/** From this share of its places on a region that goes on as wall beside them is of the wall, where the eyes see less of an outline than this there and call it wall by this much. */
const FLUSH_SHARE = 0.1;
const NO_OUTLINE = 0.2;
const PATCH_SHARE = 0.15;
/** What reaches this far out of the wall is none of it: depths and poses stray less, and furniture stands out more. */
const PATCH_M = 0.15;

type Flush = Pick<Surface, "flush" | "boundary">;

/**
 * Whether a region is a patch of a wall, by whatever name: it goes on in the wall's plane, the eyes see no outline where it
 * does, and some wall in it. Tiles with sockets are a whiteboard to them; leaflets have edges, and boards are no wall at all.
 */
export function isPatchOfWall(
  { flush, boundary }: Flush,
  { members, surface }: Pick<Region, "members" | "surface">,
  wideM: number,
): boolean {
  if (wideM > PATCH_M || surface[0]! < PATCH_SHARE * members.length) return false;
  const beside = members.filter((n) => flush[n]! > 0);
  const outline = beside.reduce((sum, n) => sum + boundary[n]!, 0);
  return beside.length >= FLUSH_SHARE * members.length && outline < NO_OUTLINE * beside.length;
}

/** Whether what is called a door is the free end of a wall: narrower than doors are, and no wall goes on beside it. */
export function isEndOfWall({ flush }: Flush, { members }: Pick<Region, "members">, longM: number): boolean {
  const beside = members.reduce((sum, n) => sum + (flush[n]! > 0 ? 1 : 0), 0);
  return longM < DOOR_M && beside < DOOR_FLUSH_SHARE * members.length;
}
