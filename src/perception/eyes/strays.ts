import type { Surface } from "./links.ts";
import { spanOf } from "./spans.ts";

/** What is the end of something by more than this may be the end of what is before it. */
const RIM = 0.8;
/** It is, where its middle is expected as far from that of the rest as this, and as this share of how far the rest reaches. */
const OFF_M = 0.1;
const OFF_SHARE = 0.5;
/** Fewer places do not tell where a middle is. */
const LEAST = 10;

/**
 * The places of a small thing that are none of it: depths at the end of what stands before or beside it, smeared over what is behind. They
 * hang together with both, and their middle is the other's.
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
