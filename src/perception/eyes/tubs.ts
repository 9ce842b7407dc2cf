import type { Surface } from "./links.ts";
import type { Region } from "./pieces.ts";
import { laidOut, pointsOf, reachOf } from "./spans.ts";

/** The rim of a tub and its slopes lie within this distance of its sides. */
const RIM_M = 0.18;
/** Least cosine to vertical and least visible area of a bottom or water surface. */
const LEVEL = 0.8;
const LEAST_M2 = 0.1;
/** Depth below the rim as a share of the height: at most the first with water, from the second on without. */
const FULL = 0.4;
const EMPTY = 0.6;

/**
 * Whether there is water in a tub, by the depth of the level inside below its rim; undefined if too little is
 * visible.
 */
export function fillOf(
  { point, normal }: Surface,
  { members }: Region,
  sizeM: number,
  floorZ: number,
): "full" | "empty" | undefined {
  const { along, across } = laidOut(pointsOf(point, members));
  const [left, right] = reachOf(along);
  const [near, far] = reachOf(across);
  const up = Float64Array.from(members, (n) => point[3 * n + 2]!);
  const [, rimZ] = reachOf(up);
  const inside = up.filter(
    (_, n) =>
      normal[3 * members[n]! + 2]! > LEVEL &&
      Math.min(along[n]! - left, right - along[n]!, across[n]! - near, far - across[n]!) > RIM_M,
  );
  if (inside.length * sizeM ** 2 < LEAST_M2) return undefined;
  const levelZ = inside.sort()[inside.length >> 1]!;
  const below = (rimZ - levelZ) / (rimZ - floorZ);
  return below < FULL ? "full" : below > EMPTY ? "empty" : undefined;
}
