import type { Surface } from "./links.ts";
import type { Region } from "./pieces.ts";
import { laidOut, pointsOf, reachOf } from "./spans.ts";

/** The rim of a tub and what slopes down from it are within this of its sides. */
const RIM_M = 0.18;
/** A bottom or a surface of water faces up by this cosine, and shows at least so much of itself. */
const LEVEL = 0.8;
const LEAST_M2 = 0.1;
/** How far below the rim, as a share of the height, water stands at most, and from where on there is none. */
const FULL = 0.4;
const EMPTY = 0.6;

/** Whether there is water in a tub, by how far below its rim the level inside lies; undefined where too little of it is seen. */
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
