import { angleBetween, distance, type Transform } from "../../geometry/index.ts";
import type { ReadOptions } from "../options.ts";
import type { ShotList } from "./shots.ts";

/** Speed of a hand-held camera in metres and radians per second; 0.3 to 1 and 0.5 to 1.5 in recordings with times. */
const WALK_M = 0.5;
const TURN_RAD = 0.8;
/** Pictures farther apart than this were not recorded in one go. */
const MOST_US = 3_000_000;

/**
 * Gives times to pictures without them that were picked from a video or taken one by one. They are not thirty per
 * second: each step gets the time a hand would need for it, so that rules based on time (separate observations, kept
 * views) stay meaningful.
 */
export function paced(list: ShotList, { frameIntervalUs, poseUnitM = 1 }: ReadOptions): ShotList {
  if (list.counted === undefined || frameIntervalUs !== undefined) return list;
  let lateUs = 0;
  let last: { readonly pose: Transform; readonly timeUs: number } | undefined;
  const shots = list.shots.map((shot) => {
    const { pose } = shot;
    if (pose === undefined) return { ...shot, timeUs: shot.timeUs + lateUs };
    if (last !== undefined) {
      const stepUs = Math.max(
        (1e6 * poseUnitM * distance(last.pose.p, pose.p)) / WALK_M,
        (1e6 * angleBetween(last.pose.q, pose.q)) / TURN_RAD,
      );
      const countedUs = shot.timeUs - last.timeUs;
      lateUs += Math.max(0, Math.round(Math.min(MOST_US, stepUs)) - countedUs);
    }
    last = { pose, timeUs: shot.timeUs };
    return { ...shot, timeUs: shot.timeUs + lateUs };
  });
  return { ...list, shots };
}
