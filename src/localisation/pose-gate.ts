import { type Transform, transformDelta } from "../geometry/index.ts";

/** A pose from localisation, and from dead reckoning if the robot has any. */
export interface GatedPose {
  readonly worldFromCamera: Transform;
  readonly odometry?: { readonly frame: string; readonly odomFromBody: Transform } | undefined;
  readonly timeUs: number;
}

/**
 * Without dead reckoning only an impossible speed excludes a pose: frames may be few, clocks wrong, and the camera
 * carried. Surfaces are checked separately.
 */
const MOST_M_PER_S = 10;
const MOST_M = 2;
/** Allowed difference between a pose and dead reckoning, at rest and per metre and radian. */
const OFF_M = 0.35;
const OFF_PER_M = 0.05;
/** A camera may be this far from the centre of its robot, which turns about it. */
const OFF_PER_RAD = 0.3;
const OFF_RAD = 0.15;
const RAD_PER_M = 0.02;

/**
 * Whether a robot can have moved from one pose to the other: dead reckoning gives the distance and rotation, whatever
 * localisation says; without it, the limit is the speed of a car in town. The rotation of dead reckoning's frame
 * against the map is known from the last trusted motion; until then motions are compared by length.
 */
export function canFollow(before: GatedPose, now: GatedPose, turnRad?: number): boolean {
  const went = transformDelta(before.worldFromCamera, now.worldFromCamera);
  const [from, to] = [before.odometry, now.odometry];
  if (from === undefined || to === undefined || from.frame !== to.frame) {
    const seconds = Math.abs(now.timeUs - before.timeUs) / 1e6;
    return went.translationM <= MOST_M + MOST_M_PER_S * seconds;
  }
  const reckoned = transformDelta(from.odomFromBody, to.odomFromBody);
  const turned = Math.abs(went.rotationRad - reckoned.rotationRad);
  const [way, by] = [
    stepOf(before.worldFromCamera, now.worldFromCamera),
    stepOf(from.odomFromBody, to.odomFromBody),
  ];
  const off =
    turnRad === undefined
      ? Math.abs(went.translationM - reckoned.translationM)
      : Math.hypot(
          way.x - (Math.cos(turnRad) * by.x - Math.sin(turnRad) * by.y),
          way.y - (Math.sin(turnRad) * by.x + Math.cos(turnRad) * by.y),
        );
  return (
    turned <= OFF_RAD + RAD_PER_M * reckoned.translationM &&
    off <= OFF_M + OFF_PER_M * reckoned.translationM + OFF_PER_RAD * reckoned.rotationRad
  );
}

/** A shorter motion does not determine a direction. */
const LEAST_WAY_M = 0.4;

/** The rotation of dead reckoning's frame against the map, from one motion known in both; undefined for a short one. */
export function turnOf(before: GatedPose, now: GatedPose): number | undefined {
  const [from, to] = [before.odometry, now.odometry];
  if (from === undefined || to === undefined || from.frame !== to.frame) return undefined;
  const [way, by] = [
    stepOf(before.worldFromCamera, now.worldFromCamera),
    stepOf(from.odomFromBody, to.odomFromBody),
  ];
  if (Math.min(Math.hypot(way.x, way.y), Math.hypot(by.x, by.y)) < LEAST_WAY_M) return undefined;
  return Math.atan2(way.y, way.x) - Math.atan2(by.y, by.x);
}

function stepOf(before: Transform, now: Transform): { readonly x: number; readonly y: number } {
  return { x: now.p.x - before.p.x, y: now.p.y - before.p.y };
}

/** A pose with a larger standard deviation, in metres or radians, is uncertain. */
const VAGUE_M = 0.5;
const VAGUE_RAD = 0.2;

/** Whether a robot itself reports that it hardly knows its pose. */
export function isVague(sd: { readonly m: number; readonly rad: number } | undefined): boolean {
  return sd !== undefined && (sd.m > VAGUE_M || sd.rad > VAGUE_RAD);
}
