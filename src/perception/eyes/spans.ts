import { settings } from "../../schema/settings.ts";

/** Value, unit, minimum, maximum, source. */
const SPANS = settings("eyes.spans", {
  /** Share of points at either end that are dropped as noise. */
  outermost: [0.03, "share", 0.015, 0.06, "experiment"],
});

export interface Measured {
  readonly longM: number;
  readonly wideM: number;
  readonly highM: number;
}

/** The points of surface voxels, three numbers each. */
export function pointsOf(point: Float32Array, members: readonly number[]): Float32Array {
  const own = new Float32Array(3 * members.length);
  members.forEach((n, at) => {
    for (let k = 0; k < 3; k++) own[3 * at + k] = point[3 * n + k]!;
  });
  return own;
}

/** The same of points, three numbers each. */
export function spansOf(point: Float32Array, sizeM: number): Measured {
  const { along, across } = laidOut(point);
  const up = Float64Array.from(along, (_, n) => point[3 * n + 2]!);
  const spans = [spanOf(along), spanOf(across)];
  return {
    longM: Math.max(...spans) + sizeM / 2,
    wideM: Math.min(...spans) + sizeM / 2,
    highM: spanOf(up) + sizeM / 2,
  };
}

/** Points on the ground, along their principal direction and across it. */
export function laidOut(point: Float32Array): { along: Float64Array; across: Float64Array } {
  const count = point.length / 3;
  let [mx, my] = [0, 0];
  for (let n = 0; n < count; n++) {
    mx += point[3 * n]!;
    my += point[3 * n + 1]!;
  }
  mx /= count;
  my /= count;
  let [xx, xy, yy] = [0, 0, 0];
  for (let n = 0; n < count; n++) {
    const [x, y] = [point[3 * n]! - mx, point[3 * n + 1]! - my];
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  const yaw = Math.atan2(2 * xy, xx - yy) / 2;
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  const [along, across] = [new Float64Array(count), new Float64Array(count)];
  for (let n = 0; n < count; n++) {
    along[n] = c * point[3 * n]! + s * point[3 * n + 1]!;
    across[n] = c * point[3 * n + 1]! - s * point[3 * n]!;
  }
  return { along, across };
}

/** The range of values without outliers. */
export function reachOf(
  values: Float64Array,
  outermost = SPANS.outermost,
): readonly [from: number, to: number] {
  const sorted = values.toSorted();
  const last = sorted.length - 1;
  return [sorted[Math.round(outermost * last)]!, sorted[Math.round((1 - outermost) * last)]!];
}

export function spanOf(values: Float64Array): number {
  const [from, to] = reachOf(values);
  return to - from;
}
