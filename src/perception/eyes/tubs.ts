import { settings } from "../../schema/settings.ts";
import type { Surface } from "./links.ts";
import type { Region } from "./pieces.ts";
import { laidOut, pointsOf, reachOf } from "./spans.ts";

/** Value, unit, minimum, maximum, source. */
const TUBS = settings("eyes.tubs", {
  /** The rim of a tub and its slopes lie within this distance of its sides. */
  rimM: [0.18, "m", 0.09, 0.36, "experiment"],
  /** Least cosine to vertical and least visible area of a bottom or water surface. */
  level: [0.8, "cosine", 0.6, 0.9, "experiment"],
  leastM2: [0.1, "m²", 0.05, 0.2, "experiment"],
  /** Depth below the rim as a share of the height: at most the first with water, from the second on without. */
  full: [0.4, "share", 0.2, 0.8, "experiment"],
  empty: [0.6, "share", 0.3, 0.8, "experiment"],
});

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
      normal[3 * members[n]! + 2]! > TUBS.level &&
      Math.min(along[n]! - left, right - along[n]!, across[n]! - near, far - across[n]!) > TUBS.rimM,
  );
  if (inside.length * sizeM ** 2 < TUBS.leastM2) return undefined;
  const levelZ = inside.sort()[inside.length >> 1]!;
  const below = (rimZ - levelZ) / (rimZ - floorZ);
  return below < TUBS.full ? "full" : below > TUBS.empty ? "empty" : undefined;
}
