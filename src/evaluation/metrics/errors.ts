import { distance, type Vec3 } from "../../geometry/index.ts";
import { meanOf } from "../statistics.ts";

/** Tolerance of positions by world: campus 15 m, warehouse 5 m, house 1 m (docs/formulas.md#metrics). */
export const POSITION_TOLERANCE_M = { campus: 15, warehouse: 5, house: 1 } as const;
/** Two minutes (docs/formulas.md#metrics). */
export const TIME_TOLERANCE_S = 120;

/** The error of a position. */
export interface PositionError {
  readonly l2M: number;
  /** Path length between the two, if it can be measured; null if one of them is unreachable. */
  readonly geodesicM: number | null;
  readonly within: boolean;
}

/** Straight-line error against the tolerance; `geodesicM` is the path length between the same two points. */
export function positionError(
  answered: Vec3,
  truth: Vec3,
  toleranceM: number,
  geodesicM?: (from: Vec3, to: Vec3) => number | null,
): PositionError {
  const l2M = distance(answered, truth);
  return { l2M, geodesicM: geodesicM?.(answered, truth) ?? null, within: l2M <= toleranceM };
}

/** |answered − truth| in seconds, against a tolerance. A truth that is a span is matched anywhere inside it. */
export function timeError(
  answeredUs: number,
  truth: { readonly fromUs: number; readonly toUs: number },
  toleranceS = TIME_TOLERANCE_S,
): { readonly l1S: number; readonly within: boolean } {
  const l1S = Math.max(truth.fromUs - answeredUs, answeredUs - truth.toUs, 0) / 1e6;
  return { l1S, within: l1S <= toleranceS };
}

/** Mean absolute error; null without pairs. */
export function meanAbsoluteError(
  pairs: readonly { readonly answered: number; readonly truth: number }[],
): number | null {
  return pairs.length === 0 ? null : meanOf(pairs.map(({ answered, truth }) => Math.abs(answered - truth)));
}

const RELATIVE_THRESHOLDS = Array.from({ length: 10 }, (_, i) => 0.5 + 0.05 * i);

/**
 * VSI-Bench's mean relative accuracy: over the thresholds θ = .50, .55 … .95 the share for which the relative
 * error is below 1 − θ. A truth of zero is met exactly or not at all.
 */
export function relativeAccuracy(answered: number, truth: number): number {
  const error = truth === 0 ? (answered === 0 ? 0 : Infinity) : Math.abs(answered - truth) / Math.abs(truth);
  // 1 − θ has rounding noise, which must not decide a borderline case.
  return meanOf(RELATIVE_THRESHOLDS.map((threshold) => Number(error < 1 - threshold - 1e-12)));
}
