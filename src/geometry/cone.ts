import type { Box } from "./box.ts";
import type { Transform } from "./transform.ts";
import { apply, applyDirection } from "./transform.ts";
import type { Vec3 } from "./vec3.ts";
import { cross, dot, lengthOf, normalize, subtract } from "./vec3.ts";

/**
 * A spherical sector: everything within `rangeM` of the apex and `halfAngleRad` (0 to π) of the axis. It is how
 * "left of the sofa" and "in front of me" are searched (docs/formulas.md#directions). `rangeM` is finite.
 */
export interface Cone {
  readonly apex: Vec3;
  readonly axis: Vec3;
  readonly halfAngleRad: number;
  readonly rangeM: number;
}

/** The six words that a directional question may use. */
export type Direction = "left" | "right" | "front" | "behind" | "above" | "below";

/** Angular slack in radians, so that a closed boundary stays closed after the axis has been rotated. */
const ANGLE_SLACK = 1e-12;

const AXIS_IN_VIEWER: Readonly<Record<Direction, Vec3>> = {
  front: { x: 1, y: 0, z: 0 },
  behind: { x: -1, y: 0, z: 0 },
  left: { x: 0, y: 1, z: 0 },
  right: { x: 0, y: -1, z: 0 },
  above: { x: 0, y: 0, z: 1 },
  below: { x: 0, y: 0, z: -1 },
};

/**
 * Closed, apex included. Tests sin(angle − halfAngle) ≤ 0 from the cross and dot products: as accurate as atan2
 * at every half-angle, without its engine-dependent last bit. NaN is in no cone.
 */
export function coneContains(cone: Cone, point: Vec3): boolean {
  const offset = subtract(point, cone.apex);
  const range = lengthOf(offset);
  if (!(range <= cone.rangeM)) return false;
  if (range === 0) return true;
  const along = dot(cone.axis, offset);
  if (along < 0 && cone.halfAngleRad < Math.PI / 2) return false;
  const across = lengthOf(cross(cone.axis, offset));
  if (along === 0 && across === 0) return false; // an axis of length zero opens nowhere
  return across * Math.cos(cone.halfAngleRad) - along * Math.sin(cone.halfAngleRad) <= ANGLE_SLACK * range;
}

/**
 * cos(angle)·exp(−d/d₀), the directional score of docs/formulas.md#directions; 1 at the apex. It ranks what `coneContains`
 * admits and is negative behind the apex.
 */
export function coneScore(cone: Cone, point: Vec3, d0: number): number {
  const offset = subtract(point, cone.apex);
  const range = lengthOf(offset);
  if (range === 0) return 1;
  return (dot(cone.axis, offset) / range) * Math.exp(-range / d0);
}

/**
 * The tightest axis-aligned box of the sector, widened by a few parts in 1e12 for rounding and the boundary
 * slack: along each axis e the farthest point is at range·cos(max(0, ∠(e, axis) − halfAngle)), or the apex.
 */
export function coneBounds(cone: Cone): Box {
  const { apex, rangeM } = cone;
  const { x, y, z } = normalize(cone.axis);
  const reachX = reach(cone, x, Math.sqrt(y * y + z * z));
  const reachY = reach(cone, y, Math.sqrt(x * x + z * z));
  const reachZ = reach(cone, z, Math.sqrt(x * x + y * y));
  const pad = 4e-12 * rangeM + 1e-15 * (Math.abs(apex.x) + Math.abs(apex.y) + Math.abs(apex.z));
  return {
    min: { x: apex.x - reachX[0] - pad, y: apex.y - reachY[0] - pad, z: apex.z - reachZ[0] - pad },
    max: { x: apex.x + reachX[1] + pad, y: apex.y + reachY[1] + pad, z: apex.z + reachZ[1] + pad },
  };
}

/** The cone in the parent frame; rigid motions change neither its opening nor its range. */
export function transformCone(parentFromChild: Transform, cone: Cone): Cone {
  return {
    ...cone,
    apex: apply(parentFromChild, cone.apex),
    axis: applyDirection(parentFromChild, cone.axis),
  };
}

/**
 * The cone of a direction word as seen by a viewer with +X forward, +Y left, +Z up: the robot, a person, or an
 * object whose front is known. The viewer's tilt counts; pass a yaw-only transform where "above" must mean up.
 * At the default 45° the six cones cover all directions but the corners between three of them.
 */
export function directionCone(
  direction: Direction,
  worldFromViewer: Transform,
  rangeM: number,
  halfAngleRad: number = Math.PI / 4,
): Cone {
  if (!(rangeM >= 0 && rangeM < Infinity))
    throw new RangeError(`expected a finite range in metres, got ${rangeM}`);
  if (!(halfAngleRad >= 0 && halfAngleRad <= Math.PI)) {
    throw new RangeError(`expected a half-angle between 0 and π, got ${halfAngleRad}`);
  }
  const axis = normalize(applyDirection(worldFromViewer, AXIS_IN_VIEWER[direction]));
  return { apex: worldFromViewer.p, axis, halfAngleRad, rangeM };
}

function reach(cone: Cone, cosine: number, sine: number): [number, number] {
  const c = Math.cos(cone.halfAngleRad);
  const s = Math.sin(cone.halfAngleRad);
  const towards = (cos: number): number => (cos >= c ? 1 : Math.max(0, cos * c + sine * s));
  return [cone.rangeM * towards(-cosine), cone.rangeM * towards(cosine)];
}
