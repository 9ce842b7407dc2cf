import { settings } from "../../schema/settings.ts";
import type { Surface } from "./links.ts";
import { diagonal } from "./oneness.ts";
import type { Region } from "./pieces.ts";
import type { Partition } from "./regions.ts";
import { logOdds, type SmallNet } from "./small-net.ts";
import { THINGNESS, THINGNESS_LINE } from "./weights.ts";

/**
 * Probability that a region is a whole thing, and not a piece of another thing or of a wall: by its votes, the
 * continuation of walls beside it, its predicted centre, its connectivity, and the number of frames and sides it was
 * seen from. Fitted, and thereby calibrated (docs/eyes.md#weights).
 */
export function thingness(cut: Partition, number: number, floorZ: number): number {
  return 1 / (1 + Math.exp(-thingnessOdds(thingnessFeatures(cut, number, floorZ))));
}

/**
 * The same as log-odds: the mean of a network and a linear model. The network is more accurate, but changes by 1.2
 * when something at a wall is a decimetre wider, so that the same thing would pass in half of the frames and fail in
 * the others; the linear model does not.
 */
export function thingnessOdds(
  features: readonly number[],
  net: SmallNet = THINGNESS,
  line: readonly number[] = THINGNESS_LINE,
): number {
  const sum = features.reduce((all, value, n) => all + value * line[n]!, line[features.length]!);
  return (logOdds(net, features) + sum) / 2;
}

/** Value, unit, minimum, maximum, source. */
const OF_THINGNESS = settings("eyes.thingness", {
  /** Neighbours of a voxel in the same thing if nothing is missing from its surface. */
  close: [16, "neighbours", 8, 32, "experiment"],
});

/** Features of a whole thing, each from 0 to about 1. */
export function thingnessFeatures(
  { seen, regions, nearlyOne, closeness }: Partition,
  number: number,
  floorZ: number,
): number[] {
  const region = regions[number]!;
  const { surface, names, point, normal, centre, edges, low, high } = region;
  const count = region.members.length;
  const [first, second] = twoLargest(names);
  const slope = Math.hypot(normal[0]!, normal[1]!, normal[2]!);
  const { looks, sides } = looksAt(seen, region);
  const offM = Math.hypot(...[0, 1, 2].map((k) => (centre[k]! - point[k]!) / count));
  const spans = [high[0]! - low[0]!, high[1]! - low[1]!];
  const heightM = Number.isFinite(floorZ) ? low[2]! - floorZ : 0.5;
  return [
    surface[0]! / count,
    surface[2]! / count,
    Math.log10(count) / 4,
    Math.min(1, Math.max(...spans) / 2),
    Math.min(1, Math.min(...spans)),
    Math.min(1, (high[2]! - low[2]!) / 2),
    first / count,
    second / count,
    Math.min(1, edges[0]! / count),
    Math.min(1, edges[1]! / count),
    Math.min(1, edges[2]! / count),
    slope / count,
    slope > 0 ? Math.abs(normal[2]!) / slope : 0,
    Math.max(0, Math.min(1, heightM / 2)),
    Math.min(1, looks / 12),
    sides / 8,
    Math.max(0, 1 + (nearlyOne[number] ?? -8) / 8),
    Math.min(1, offM / 0.5),
    Math.min(1, offM / Math.max(0.05, diagonal(region))),
    Math.min(1, closeness[number]! / OF_THINGNESS.close),
  ];
}

function twoLargest(values: Float32Array): readonly [number, number] {
  let [first, second] = [0, 0];
  for (const value of values) {
    if (value > first) [first, second] = [value, first];
    else if (value > second) second = value;
  }
  return [first, second];
}

/** Mean number of frames that showed its voxels, and the sides of eight from which any was seen. */
function looksAt({ looks, sides }: Surface, { members }: Region): { looks: number; sides: number } {
  let [sum, from] = [0, 0];
  for (const n of members) {
    sum += looks[n]!;
    from |= sides[n]!;
  }
  let apart = 0;
  for (let bits = from; bits > 0; bits &= bits - 1) apart++;
  return { looks: sum / members.length, sides: apart };
}
