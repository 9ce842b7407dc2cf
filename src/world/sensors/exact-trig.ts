import type { Quat } from "../../geometry/index.ts";

/**
 * Sine, cosine and arctangent from + − × ÷ and sqrt alone. Math.sin and others are engine-dependent, and two
 * processors may differ in the last bit; a pixel on a silhouette would then differ too. The absolute error is below
 * 4e-16 for |angle| ≤ 1,000 rad, which none of our tests can tell from exact.
 */
export function sinCos(angleRad: number): { sin: number; cos: number } {
  const quarter = Math.round(angleRad / HALF_PI);
  // Cody–Waite: the high part of π/2 has 33 bits, so quarter × high is exact for small quarters.
  const r = angleRad - quarter * HALF_PI_HIGH - quarter * HALF_PI_LOW;
  const s = sineSeries(r);
  const c = cosineSeries(r);
  switch (((quarter % 4) + 4) % 4) {
    case 0:
      return { sin: s, cos: c };
    case 1:
      return { sin: c, cos: -s };
    case 2:
      return { sin: -s, cos: -c };
    default:
      return { sin: -c, cos: s };
  }
}

/** The angle of (x, y) in (−π, π], 0 for the origin; two half-angle steps and then the series. */
export function arcTangent2(y: number, x: number): number {
  if (x === 0 && y === 0) return 0;
  if (Math.abs(y) > Math.abs(x)) {
    const rest = arcTangent(x / y);
    return y > 0 ? HALF_PI - rest : -HALF_PI - rest;
  }
  const near = arcTangent(y / x);
  if (x > 0) return near;
  return y < 0 ? near - Math.PI : near + Math.PI;
}

/** Heading only, like geometry's `fromYaw`, with the same bits everywhere. */
export function quatFromYaw(yawRad: number): Quat {
  const { sin, cos } = sinCos(yawRad / 2);
  return { w: cos, x: 0, y: 0, z: sin };
}

/** The same direction in (−π, π]. */
export function wrapAngle(angleRad: number): number {
  const turned = angleRad - 2 * Math.PI * Math.round(angleRad / (2 * Math.PI));
  return turned <= -Math.PI ? turned + 2 * Math.PI : turned;
}

const HALF_PI = Math.PI / 2;
const HALF_PI_HIGH = 1.5707963267341256;
const HALF_PI_LOW = 6.077100506506192e-11;

function sineSeries(x: number): number {
  const squared = x * x;
  let sum = 0;
  for (let k = 17; k >= 3; k -= 2) sum = (-squared / (k * (k - 1))) * (1 + sum);
  return x * (1 + sum);
}

function cosineSeries(x: number): number {
  const squared = x * x;
  let sum = 0;
  for (let k = 18; k >= 2; k -= 2) sum = (-squared / (k * (k - 1))) * (1 + sum);
  return 1 + sum;
}

function arcTangent(ratio: number): number {
  let t = ratio / (1 + Math.sqrt(1 + ratio * ratio));
  t = t / (1 + Math.sqrt(1 + t * t));
  const squared = t * t;
  let sum = 0;
  for (let k = 25; k >= 1; k -= 2) sum = 1 / k - squared * sum;
  return 4 * t * sum;
}
