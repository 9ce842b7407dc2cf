import { meanOf } from "../statistics.ts";

/** A stated confidence and its outcome. */
export interface Forecast {
  readonly confidence: number;
  readonly right: boolean;
}

const BINS = 10;

/** Expected calibration error over ten bins of equal width; null without forecasts. */
export function expectedCalibrationError(forecasts: readonly Forecast[]): number | null {
  if (forecasts.length === 0) return null;
  const bins = Map.groupBy(forecasts, ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)));
  let error = 0;
  for (const bin of bins.values()) {
    const gap =
      meanOf(bin.map(({ right }) => Number(right))) - meanOf(bin.map(({ confidence }) => confidence));
    error += (bin.length / forecasts.length) * Math.abs(gap);
  }
  return error;
}

/** Mean squared difference of confidence and outcome; for presence too, where `right` means it was there. */
export function brier(forecasts: readonly Forecast[]): number | null {
  return forecasts.length === 0
    ? null
    : meanOf(forecasts.map(({ confidence, right }) => (confidence - Number(right)) ** 2));
}

/** The error rate when answering only this share of the questions, most certain first. */
export interface RiskAtCoverage {
  readonly coverage: number;
  readonly risk: number;
}

/**
 * The risk–coverage curve and the area below it. Answers of equal confidence are added together, so that their order
 * does not matter. Null without forecasts.
 */
export function riskCoverage(
  forecasts: readonly Forecast[],
): { readonly curve: readonly RiskAtCoverage[]; readonly area: number } | null {
  if (forecasts.length === 0) return null;
  const steps = [...Map.groupBy(forecasts, ({ confidence }) => confidence)].sort(([a], [b]) => b - a);
  const curve: RiskAtCoverage[] = [];
  let seen = 0;
  let wrong = 0;
  let area = 0;
  for (const [, group] of steps) {
    seen += group.length;
    wrong += group.filter(({ right }) => !right).length;
    const point = { coverage: seen / forecasts.length, risk: wrong / seen };
    area += (group.length / forecasts.length) * point.risk;
    curve.push(point);
  }
  return { curve, area };
}
