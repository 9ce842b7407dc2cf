import type { Asks } from "./need.ts";

type Curve = readonly (readonly [number, number])[];

/**
 * Raw confidence → share that was right, by kind of question; between the points it is interpolated. Fitted on
 * simulated development questions (five houses, seven suites, three sets of wordings, noise 0.5) by
 * bench/fit-calibration.ts, less a fortieth: houses and wordings that nobody worked on are a little harder.
 */
const CURVES: Partial<Record<Asks, Curve>> = {
  attribute: [
    [0.58, 0.82],
    [0.7, 0.86],
    [0.77, 0.91],
    [0.93, 0.97],
  ],
  change: [[0.64, 0.96]],
  compare: [
    [0.65, 0.77],
    [0.82, 0.93],
    [0.9, 0.95],
  ],
  count: [
    [0.45, 0.69],
    [0.53, 0.85],
    [0.62, 0.96],
  ],
  describe: [[0.62, 0.93]],
  duration: [
    [0.65, 0.75],
    [0.7, 0.94],
  ],
  ego: [[0.9, 0.97]],
  exist: [
    [0.67, 0.63],
    [0.8, 0.91],
    [0.97, 0.92],
  ],
  function: [
    [0.64, 0.52],
    [0.7, 0.95],
    [0.71, 0.96],
  ],
  implicit: [
    [0.7, 0.82],
    [0.74, 0.95],
  ],
  locate: [
    [0.65, 0.79],
    [0.71, 0.89],
    [0.97, 0.96],
  ],
  motion: [
    [0.57, 0.57],
    [0.6, 0.75],
    [0.65, 0.86],
    [0.77, 0.96],
  ],
  // Asked too seldom to be fitted again; guesses stay guesses.
  predict: [
    [0.58, 0.47],
    [0.65, 0.59],
  ],
  recognise: [
    [0.55, 0.7],
    [0.72, 0.9],
    [0.9, 0.96],
  ],
  relate: [
    [0.6, 0.61],
    [0.66, 0.63],
    [0.75, 0.89],
    [0.81, 0.91],
    [0.95, 0.94],
    [0.97, 0.95],
  ],
  state: [
    [0.57, 0.52],
    [0.68, 0.63],
    [0.7, 0.8],
    [0.76, 0.85],
    [0.94, 0.97],
  ],
  when: [
    [0.69, 0.88],
    [0.97, 0.97],
  ],
};
/** Kinds that were asked too seldom share this one. */
const COMMON: Curve = [
  [0.38, 0.69],
  [0.51, 0.78],
  [0.63, 0.8],
  [0.68, 0.87],
  [0.7, 0.88],
  [0.75, 0.93],
  [0.89, 0.93],
  [0.94, 0.97],
  [0.97, 0.97],
];

/** How often an answer of such a confidence was right (SPEC §10.19). */
export function calibrated(asks: Asks, confidence: number): number {
  const points = CURVES[asks] ?? COMMON;
  const value = Math.min(1, Math.max(0, confidence));
  const after = points.findIndex(([raw]) => raw >= value);
  if (after <= 0) return points[after === 0 ? 0 : points.length - 1]![1];
  const [low, high] = [points[after - 1]!, points[after]!];
  return low[1] + ((high[1] - low[1]) * (value - low[0])) / Math.max(1e-9, high[0] - low[0]);
}
