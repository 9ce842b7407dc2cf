import { type Transform, transformDelta } from "../geometry/index.ts";
import { BELIEVED } from "./settings.ts";

/** A pose from localisation, and from dead reckoning if the robot has any. */
export interface GatedPose {
  readonly worldFromCamera: Transform;
  readonly odometry?: { readonly frame: string; readonly odomFromBody: Transform } | undefined;
  readonly timeUs: number;
}

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
    return went.translationM <= BELIEVED.mostM + BELIEVED.mostMPerS * seconds;
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
    turned <= BELIEVED.offRad + BELIEVED.radPerM * reckoned.translationM &&
    off <=
      BELIEVED.offM + BELIEVED.offPerM * reckoned.translationM + BELIEVED.offPerRad * reckoned.rotationRad
  );
}

/** The rotation of dead reckoning's frame against the map, from one motion known in both; undefined for a short one. */
export function turnOf(before: GatedPose, now: GatedPose): number | undefined {
  const [from, to] = [before.odometry, now.odometry];
  if (from === undefined || to === undefined || from.frame !== to.frame) return undefined;
  const [way, by] = [
    stepOf(before.worldFromCamera, now.worldFromCamera),
    stepOf(from.odomFromBody, to.odomFromBody),
  ];
  if (Math.min(Math.hypot(way.x, way.y), Math.hypot(by.x, by.y)) < BELIEVED.leastWayM) return undefined;
  return Math.atan2(way.y, way.x) - Math.atan2(by.y, by.x);
}

function stepOf(before: Transform, now: Transform): { readonly x: number; readonly y: number } {
  return { x: now.p.x - before.p.x, y: now.p.y - before.p.y };
}

/** Whether a robot itself reports that it hardly knows its pose. */
export function isVague(sd: { readonly m: number; readonly rad: number } | undefined): boolean {
  return sd !== undefined && (sd.m > BELIEVED.vagueM || sd.rad > BELIEVED.vagueRad);
}
