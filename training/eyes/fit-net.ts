import { Random } from "../../src/geometry/index.ts";
import type { SmallNet } from "../../src/perception/eyes/small-net.ts";

/** One case: what is known of it, whether it holds, and how much it counts. */
export interface Case {
  readonly features: readonly number[];
  readonly holds: boolean;
  readonly weight: number;
}

const RATE = 0.01;
const BATCH = 256;
const DECAY = 3e-5;

export interface FitOptions {
  readonly units: number;
  readonly steps: number;
  /** Of each feature whether more of it can only speak for (1) or against (-1), whatever else holds; 0 for either. */
  readonly directions: readonly number[];
}

/**
 * A net with one hidden layer fitted to cases by Adam (Kingma and Ba 2015), the same for the same cases. Features with
 * a direction keep it in rooms unlike those that it learned from (Archer and Wang 1993: units that only speak for or
 * against, with weights of one sign).
 */
export function fitNet(
  cases: readonly Case[],
  { units, steps, directions }: FitOptions,
  seed = "fit",
): SmallNet {
  const random = new Random(seed);
  const inputs = cases[0]!.features.length;
  const row = inputs + 1;
  // All rows of the hidden layer, then the outer one.
  const theta = Float64Array.from({ length: units * row + units + 1 }, (_, n) => {
    if (n % row === inputs && n < units * row) return 0;
    const spread =
      n < units * row ? Math.sqrt(2 / inputs) : n === units * row + units ? 0 : Math.sqrt(1 / units);
    return random.normal() * spread;
  });
  const [mean, square] = [new Float64Array(theta.length), new Float64Array(theta.length)];
  const gradient = new Float64Array(theta.length);
  const values = new Float64Array(units);
  for (let step = 1; step <= steps; step++) {
    gradient.fill(0);
    let all = 0;
    for (let n = 0; n < BATCH; n++) {
      const one = cases[random.int(0, cases.length)]!;
      all += one.weight;
      addGradient(theta, gradient, values, one, units);
    }
    const rate = RATE * Math.min(1, step / 100) * (0.5 + 0.5 * Math.cos((Math.PI * step) / steps));
    for (let k = 0; k < theta.length; k++) {
      const g = gradient[k]! / all + DECAY * theta[k]!;
      mean[k] = 0.9 * mean[k]! + 0.1 * g;
      square[k] = 0.999 * square[k]! + 0.001 * g * g;
      const scaled = mean[k]! / (1 - 0.9 ** step);
      theta[k]! -= (rate * scaled) / (Math.sqrt(square[k]! / (1 - 0.999 ** step)) + 1e-8);
    }
    direct(theta, units, directions);
  }
  const rounded = (from: number, count: number) =>
    Array.from(theta.subarray(from, from + count), (value) => Number(value.toFixed(2)));
  return {
    hidden: Array.from({ length: units }, (_, unit) => rounded(unit * row, row)),
    out: rounded(units * row, units + 1),
  };
}

/** How much weights of a line are held back, in cases. */
const RIDGE = 10;
const LINE_STEPS = 3_000;

/**
 * A line over some of the features (logistic regression with a ridge, le Cessie and van Houwelingen 1992, by steepest
 * descent over all cases): a weight a feature, none for the others, and the bias last. It cannot turn within what it learned from, as a net does.
 */
export function fitLine(cases: readonly Case[], used: readonly number[]): number[] {
  const count = cases.length;
  const mean = used.map((k) => cases.reduce((sum, { features }) => sum + features[k]!, 0) / count);
  const spread = used.map(
    (k, n) =>
      Math.sqrt(cases.reduce((sum, { features }) => sum + (features[k]! - mean[n]!) ** 2, 0) / count) || 1,
  );
  const rows = cases.map(({ features }) => used.map((k, n) => (features[k]! - mean[n]!) / spread[n]!));
  const weights = new Float64Array(used.length + 1);
  for (let step = 0; step < LINE_STEPS; step++) {
    const gradient = weights.map((weight, n) => (n < used.length ? RIDGE * weight : 0));
    rows.forEach((row, at) => {
      const sum = row.reduce((all, value, n) => all + value * weights[n]!, weights[used.length]!);
      const error = 1 / (1 + Math.exp(-sum)) - (cases[at]!.holds ? 1 : 0);
      row.forEach((value, n) => {
        gradient[n]! += error * value;
      });
      gradient[used.length]! += error;
    });
    for (let n = 0; n < weights.length; n++) weights[n]! -= gradient[n]! / count;
  }
  const line = Array.from({ length: cases[0]!.features.length + 1 }, () => 0);
  line[line.length - 1] =
    weights[used.length]! - mean.reduce((sum, m, n) => sum + (m * weights[n]!) / spread[n]!, 0);
  used.forEach((k, n) => {
    line[k] = weights[n]! / spread[n]!;
  });
  return line.map((value) => Number(value.toFixed(2)));
}

/** Sets weights of the wrong sign to none: half of the units speak for, the others against. */
function direct(theta: Float64Array, units: number, directions: readonly number[]): void {
  const row = directions.length + 1;
  for (let unit = 0; unit < units; unit++) {
    const side = unit % 2 === 0 ? 1 : -1;
    const outer = units * row + unit;
    if (theta[outer]! * side < 0) theta[outer] = 0;
    directions.forEach((direction, n) => {
      if (theta[unit * row + n]! * direction * side < 0) theta[unit * row + n] = 0;
    });
  }
}

function addGradient(
  theta: Float64Array,
  gradient: Float64Array,
  values: Float64Array,
  { features, holds, weight }: Case,
  units: number,
): void {
  const inputs = features.length;
  const row = inputs + 1;
  const outer = units * row;
  let sum = theta[outer + units]!;
  for (let unit = 0; unit < units; unit++) {
    let value = theta[unit * row + inputs]!;
    for (let n = 0; n < inputs; n++) value += theta[unit * row + n]! * features[n]!;
    values[unit] = Math.max(0, value);
    sum += values[unit]! * theta[outer + unit]!;
  }
  const error = weight * (1 / (1 + Math.exp(-sum)) - (holds ? 1 : 0));
  gradient[outer + units]! += error;
  for (let unit = 0; unit < units; unit++) {
    if (values[unit] === 0) continue;
    gradient[outer + unit]! += error * values[unit]!;
    const back = error * theta[outer + unit]!;
    for (let n = 0; n < inputs; n++) gradient[unit * row + n]! += back * features[n]!;
    gradient[unit * row + inputs]! += back;
  }
}
