import type { Surface } from "./links.ts";
import { spanOf } from "./spans.ts";

/** Voxels with a higher edge vote may belong to the edge of a foreground thing. */
const RIM = 0.8;
/** They do if their predicted centre is this far from that of the rest, also relative to the rest's extent. */
const OFF_M = 0.1;
const OFF_SHARE = 0.5;
/** Fewer voxels do not determine a centre. */
const LEAST = 10;

/**
 * The voxels of a small thing that do not belong to it: edge depths of things in front of or beside it, smeared over
 * the background. They touch both, and their predicted centre is the other's.
 */
export function straysOf(
  members: readonly number[],
  { boundary, centre, point }: Surface,
): ReadonlySet<number> {
  const inner = members.filter((n) => boundary[n]! <= RIM);
  if (inner.length < LEAST) return new Set();
  const axes = [0, 1, 2];
  const middle = axes.map((k) => inner.reduce((sum, n) => sum + centre[3 * n + k]!, 0) / inner.length);
  const reachM = Math.hypot(...axes.map((k) => spanOf(Float64Array.from(inner, (n) => point[3 * n + k]!))));
  const farM = Math.max(OFF_M, OFF_SHARE * reachM);
  const offM = (n: number) => Math.hypot(...axes.map((k) => centre[3 * n + k]! - middle[k]!));
  return new Set(members.filter((n) => boundary[n]! > RIM && offM(n) > farM));
}
