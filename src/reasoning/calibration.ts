import type { Asks } from "./need.ts";

type Curve = readonly (readonly [number, number])[];

/**
 * Raw confidence → share that was right, by kind of question; between the points it is interpolated. Fitted on
 * simulated development questions (three houses, nine suites, noise 0.5) by bench/fit-calibration.ts.
 */
const CURVES: Partial<Record<Asks, Curve>> = {
  attribute: [
    [0.6, 0.88],
    [0.78, 0.91],
    [0.93, 0.99],
  ],
  change: [
    [0.57, 0.41],
    [0.64, 0.69],
  ],
  compare: [
    [0.63, 0.83],
    [0.74, 0.88],
    [0.86, 0.95],
  ],
  count: [
    [0.48, 0.77],
    [0.66, 0.88],
  ],
  describe: [[0.63, 0.93]],
  duration: [[0.67, 0.88]],
  ego: [
    [0.63, 0.77],
    [0.79, 0.82],
    [0.94, 0.99],
  ],
  exist: [
    [0.65, 0.82],
    [0.69, 0.88],
    [0.9, 0.96],
  ],
  function: [
    [0.6, 0.59],
    [0.69, 0.82],
    [0.7, 0.92],
    [0.72, 0.94],
  ],
  implicit: [
    [0.74, 0.82],
    [0.75, 0.87],
  ],
  locate: [
    [0.62, 0.47],
    [0.65, 0.78],
    [0.69, 0.88],
    [0.76, 0.92],
    [0.97, 0.96],
  ],
  motion: [
    [0.56, 0.59],
    [0.64, 0.88],
    [0.79, 0.97],
  ],
  nearest: [
    [0.96, 0.94],
    [0.97, 0.96],
  ],
  predict: [
    [0.58, 0.47],
    [0.65, 0.59],
  ],
  recognise: [
    [0.39, 0.29],
    [0.59, 0.65],
    [0.67, 0.82],
    [0.77, 0.91],
    [0.9, 0.98],
  ],
  relate: [
    [0.51, 0.47],
    [0.65, 0.77],
    [0.69, 0.82],
    [0.74, 0.88],
    [0.9, 0.95],
  ],
  size: [
    [0.69, 0.88],
    [0.78, 0.96],
  ],
  state: [
    [0.58, 0.59],
    [0.77, 0.94],
    [0.94, 0.99],
  ],
  when: [
    [0.75, 0.94],
    [0.97, 0.96],
  ],
};
/** Kinds that were asked too seldom share this one. */
const COMMON: Curve = [
  [0.31, 0.18],
  [0.39, 0.35],
  [0.49, 0.53],
  [0.56, 0.76],
  [0.64, 0.78],
  [0.65, 0.77],
  [0.71, 0.93],
  [0.76, 0.88],
  [0.81, 0.95],
  [0.9, 0.97],
  [0.96, 0.98],
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
