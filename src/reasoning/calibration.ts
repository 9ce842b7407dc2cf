import type { Asks } from "./need.ts";

/** Raw confidence → share that was right, by kind of question; between the points it is interpolated. */
const POINTS: Partial<Record<Asks, readonly (readonly [number, number])[]>> = {};

/** How often an answer of such a confidence was right (SPEC §10.19); what was never measured stays as it is. */
export function calibrated(asks: Asks, confidence: number): number {
  const points = POINTS[asks];
  const value = Math.min(1, Math.max(0, confidence));
  if (!points) return value;
  const after = points.findIndex(([raw]) => raw >= value);
  if (after <= 0) return points[after === 0 ? 0 : points.length - 1]![1];
  const [low, high] = [points[after - 1]!, points[after]!];
  return low[1] + ((high[1] - low[1]) * (value - low[0])) / Math.max(1e-9, high[0] - low[0]);
}
