import type { Asks } from "./need.ts";

type Curve = readonly (readonly [number, number])[];

/**
 * Raw confidence → share that was right, by kind of question; between the points it is interpolated. Fitted on
 * simulated development questions (five houses, eight suites, noise 0.5) by bench/fit-calibration.ts.
 */
const CURVES: Partial<Record<Asks, Curve>> = {
  attribute: [
    [0.639, 0.839],
    [0.845, 0.882],
    [0.876, 0.938],
    [0.944, 0.991],
  ],
  change: [
    [0.58, 0.647],
    [0.633, 0.765],
    [0.659, 0.789],
  ],
  compare: [
    [0.63, 0.787],
    [0.703, 0.824],
    [0.847, 0.964],
  ],
  count: [
    [0.423, 0.647],
    [0.549, 0.781],
    [0.627, 0.87],
  ],
  describe: [[0.627, 0.887]],
  duration: [
    [0.655, 0.844],
    [0.7, 0.882],
  ],
  ego: [
    [0.66, 0.706],
    [0.785, 0.765],
    [0.883, 0.882],
    [0.95, 0.991],
  ],
  exist: [
    [0.65, 0.824],
    [0.751, 0.906],
    [0.97, 0.958],
  ],
  function: [
    [0.6, 0.529],
    [0.673, 0.706],
    [0.708, 0.924],
  ],
  implicit: [
    [Math.LN2, 0.588],
    [0.75, 0.863],
  ],
  locate: [
    [0.612, 0.529],
    [0.65, 0.706],
    [0.65, 0.765],
    [0.737, 0.831],
    [0.97, 0.994],
  ],
  motion: [
    [0.623, 0.723],
    [0.78, 0.881],
  ],
  nearest: [[0.963, 0.898]],
  recognise: [
    [0.372, 0.529],
    [0.57, 0.594],
    [0.804, 0.961],
    [0.9, 0.955],
  ],
  relate: [
    [0.448, 0.294],
    [0.645, 0.75],
    [Math.SQRT1_2, 0.765],
    [0.851, 0.916],
    [0.97, 0.906],
    [0.97, 0.944],
  ],
  state: [
    [0.54, 0.647],
    [0.69, 0.765],
    [0.718, 0.813],
    [0.851, 0.882],
    [0.922, 0.975],
    [0.959, 0.992],
  ],
  when: [[0.928, 0.993]],
};
/** Kinds that were asked too seldom share this one. */
const COMMON: Curve = [
  [0.281, 0.176],
  [0.361, 0.471],
  [0.457, 0.588],
  [0.493, 0.647],
  [0.518, 0.688],
  [0.623, 0.768],
  [0.662, 0.765],
  [0.713, 0.899],
  [0.83, 0.927],
  [0.9, 0.915],
  [0.911, 0.943],
  [0.939, 0.967],
  [0.963, 0.989],
  [0.97, 0.987],
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
