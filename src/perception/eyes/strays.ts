import { settings } from "../../schema/settings.ts";
import type { Surface } from "./links.ts";
import { spanOf } from "./spans.ts";

/** Value, unit, minimum, maximum, source. */
const STRAYS = settings("eyes.strays", {
  /** Voxels with a higher edge vote may belong to the edge of a foreground thing. */
  rim: [0.8, "share", 0.6, 0.9, "experiment"],
  /** They do if their predicted centre is this far from that of the rest, also relative to the rest's extent. */
  offM: [0.1, "m", 0.05, 0.2, "experiment"],
  offShare: [0.5, "share", 0.25, 1, "experiment"],
  /** Fewer voxels do not determine a centre. */
  least: [10, "voxels", 5, 20, "experiment"],
});

/**
 * The voxels of a small thing that do not belong to it: edge depths of things in front of or beside it, smeared over
 * the background. They touch both, and their predicted centre is the other's.
 */
export function straysOf(
  members: readonly number[],
  { boundary, centre, point }: Surface,
): ReadonlySet<number> {
  const inner = members.filter((n) => boundary[n]! <= STRAYS.rim);
  if (inner.length < STRAYS.least) return new Set();
  const axes = [0, 1, 2];
  const middle = axes.map((k) => inner.reduce((sum, n) => sum + centre[3 * n + k]!, 0) / inner.length);
  const reachM = Math.hypot(...axes.map((k) => spanOf(Float64Array.from(inner, (n) => point[3 * n + k]!))));
  const farM = Math.max(STRAYS.offM, STRAYS.offShare * reachM);
  const offM = (n: number) => Math.hypot(...axes.map((k) => centre[3 * n + k]! - middle[k]!));
  return new Set(members.filter((n) => boundary[n]! > STRAYS.rim && offM(n) > farM));
}
