import { fromYaw, type Transform, yawOf } from "../geometry/index.ts";

/** A motion over level ground: a rotation about the vertical, then a shift. */
export interface Planar {
  readonly turnRad: number;
  readonly x: number;
  readonly y: number;
}

export const STILL: Planar = Object.freeze({ turnRad: 0, x: 0, y: 0 });

/** `a` after `b`. */
export function after(a: Planar, b: Planar): Planar {
  const [cos, sin] = [Math.cos(a.turnRad), Math.sin(a.turnRad)];
  return {
    turnRad: a.turnRad + b.turnRad,
    x: cos * b.x - sin * b.y + a.x,
    y: sin * b.x + cos * b.y + a.y,
  };
}

export function inverse({ turnRad, x, y }: Planar): Planar {
  const [cos, sin] = [Math.cos(turnRad), Math.sin(turnRad)];
  return { turnRad: -turnRad, x: -cos * x - sin * y, y: sin * x - cos * y };
}

export function asTransform({ turnRad, x, y }: Planar): Transform {
  return { p: { x, y, z: 0 }, q: fromYaw(turnRad) };
}

/** The planar part of a transform, without its height; undefined if it tilts. */
export function overGround({ p, q }: Transform): Planar | undefined {
  if (Math.abs(q.x) > TILT || Math.abs(q.y) > TILT) return undefined;
  return { turnRad: yawOf(q), x: p.x, y: p.y };
}

/** Half the sine of the steepest slope that still counts as level: a tenth of a degree. */
const TILT = 1e-3;
