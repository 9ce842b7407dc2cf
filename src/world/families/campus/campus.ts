import { Random } from "../../../geometry/index.ts";
import { type Motion, Trajectory } from "../../agents/index.ts";
import type { Family, TourRequest } from "../family.ts";
import type { Lanes } from "../lanes.ts";
import { layOutCampus } from "./layout.ts";
import { liveCampus } from "./life.ts";

const BLOCKS = 12;
const PEOPLE = 4;
/** Cars that come or go in an hour. */
const RATE = 30;
const MOTION: Motion = { speedMps: 1.5, turnRadps: 0.8 };

/** NaVQA's world: kilometres of paths, buildings seen only from outside, long drives past many similar things. */
export const campus: Family = {
  camera: { tiltDeg: -4, horizontalFovDeg: 90 },
  drift: 0.05,
  make({ seed, startUs, durationUs, rate = RATE, people = PEOPLE, rooms = BLOCKS }) {
    const random = new Random(seed).fork("campus");
    const plan = layOutCampus(seed, rooms, random.fork("layout"));
    const timeline = liveCampus(plan, { startUs, durationUs, rate, people }, random.fork("life"));
    return { timeline, tour: (request) => planDrive(plan.lanes, request) };
  },
};

/**
 * A drive that takes the least driven lane at every crossing, so that after some kilometres it has covered
 * everything.
 */
function planDrive(lanes: Lanes, { random, startUs, endUs, tiltRad, phase }: TourRequest): Trajectory {
  const driven = new Map<string, number>();
  const key = (a: number, b: number) => `${Math.min(a, b)}/${Math.max(a, b)}`;
  let at = Math.min(lanes.crossings.length - 1, Math.floor(phase * lanes.crossings.length));
  let before = -1;
  const trajectory = new Trajectory(startUs, { positionInWorld: lanes.crossings[at]!, yawRad: 0, tiltRad });
  while (trajectory.endUs < endUs) {
    const choices = random.shuffle(lanes.nextTo(at).filter((next) => next !== before));
    const often = (next: number) => driven.get(key(at, next)) ?? 0;
    const next = choices.length === 0 ? before : choices.reduce((a, b) => (often(b) < often(a) ? b : a));
    driven.set(key(at, next), often(next) + 1);
    trajectory.follow([lanes.crossings[next]!], MOTION);
    [before, at] = [at, next];
  }
  return trajectory;
}
