/**
 * All headings are multiples of 15°, with cosines and sines written out: the same bits on every machine, and
 * quarter turns are exact.
 */
const C15 = 0.9659258262890683;
const C30 = 0.8660254037844387;
const C45 = Math.SQRT1_2;
const C75 = 0.25881904510252074;
const COSINES = [1, C15, C30, C45, 0.5, C75, 0, -C75, -0.5, -C45, -C30, -C15] as const;

/** Steps in a full turn. */
export const YAW_STEPS = 24;
/** Steps in a quarter turn. */
export const QUARTER = 6;

/** The heading of `step` × 15° in [0, 2π). */
export function yawOfStep(step: number): number {
  return wrapped(step) * (Math.PI / 12);
}

/** The nearest step of a heading. */
export function stepOfYaw(yawRad: number): number {
  return wrapped(Math.round(yawRad / (Math.PI / 12)));
}

export function cosOfStep(step: number): number {
  const i = wrapped(step);
  return i < 12 ? COSINES[i]! : -COSINES[i - 12]!;
}

export function sinOfStep(step: number): number {
  return cosOfStep(step - QUARTER);
}

/** The step whose heading is nearest to a direction, without an arctangent. */
export function stepTowards(x: number, y: number): number {
  let best = 0;
  let bestDot = -Infinity;
  for (let step = 0; step < YAW_STEPS; step++) {
    const dot = x * cosOfStep(step) + y * sinOfStep(step);
    if (dot > bestDot) [best, bestDot] = [step, dot];
  }
  return best;
}

/** Half sizes of the axis-aligned rectangle around a turned one. */
export function turnedHalf(sizeX: number, sizeY: number, step: number): { x: number; y: number } {
  const c = Math.abs(cosOfStep(step));
  const s = Math.abs(sinOfStep(step));
  return { x: (sizeX * c + sizeY * s) / 2, y: (sizeX * s + sizeY * c) / 2 };
}

function wrapped(step: number): number {
  return ((step % YAW_STEPS) + YAW_STEPS) % YAW_STEPS;
}
