import { distance, Random, type Vec3 } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";
import { DEFAULT_MOTION, Trajectory } from "../agents/index.ts";
import type { Timeline } from "../dynamics/index.ts";
import { Navigation } from "../navigation/index.ts";
import { type LookedFrame, lookAlong, type PlannedShot } from "../questions/world.ts";
import type { CameraSpec } from "../sensors/index.ts";

const MINUTE_US = 60_000_000;
const HOUR_US = 60 * MINUTE_US;
const DAY_US = 24 * HOUR_US;

/** The hours around which the robot makes its rounds; otherwise nothing is observed. */
const ROUNDS_H = [7.6, 10.4, 13.2, 17.6, 20.8] as const;
const ROUND_SPREAD_H = 0.5;
/** A round is left out now and then. */
const ROUND_CHANCE = 0.9;
/** Looks at each stop, a full turn. */
const HEADINGS = 5;
/** Corners and middles of a room to look from, as shares of its sides; a second stop where it is large. */
const STOPS = [
  [0.5, 0.5],
  [0.25, 0.25],
  [0.75, 0.75],
] as const;
const LARGE_M2 = 14;
/** A stop nearer than this to another shows the same. */
const APART_M = 1.5;

/** A good wide camera at the height of a person's chest. */
const PATROL_CAMERA: CameraSpec = {
  width: 384,
  height: 288,
  horizontalFovRad: (100 * Math.PI) / 180,
  heightM: 1.5,
  tiltRad: (-18 * Math.PI) / 180,
};

/** One round through the house: what was in sight, frame by frame. */
export interface Round {
  readonly fromUs: number;
  readonly toUs: number;
  readonly frames: readonly LookedFrame[];
}

/**
 * A robot that tours the house a few times a day. Frames are not rendered: what the renderer would paint is counted
 * (docs/formulas.md#simulator), so a week takes a minute.
 */
export function patrol(
  timeline: Timeline,
  options: {
    readonly seed: number | string;
    readonly signal?: AbortSignal | undefined;
    readonly onRound?: ((done: number, all: number) => void) | undefined;
  },
): Round[] {
  const random = new Random(options.seed).fork("patrol");
  const navigator = new Navigation(timeline);
  const stops = stopsOf(timeline, navigator);
  const starts = roundStarts(random.fork("times"), timeline);
  return starts.map((fromUs, n) => {
    options.signal?.throwIfAborted();
    options.onRound?.(n, starts.length);
    const { trajectory, shotsUs } = roundFrom(stops, navigator, fromUs);
    const agent = { id: "robot-1", trajectory };
    const shots: PlannedShot[] = shotsUs.map((trueUs) => ({ agent, trueUs }));
    return { fromUs, toUs: trajectory.endUs, frames: lookAlong(timeline, PATROL_CAMERA, shots) };
  });
}

/** Where to look around in each room, by what stands in it at first: furniture stays. */
function stopsOf({ house, startUs }: Timeline, navigator: Navigation): Vec3[] {
  return house.rooms.flatMap((room) => {
    const [a, c] = [room.polygon.points[0]!, room.polygon.points[2]!];
    const isLarge = (c.x - a.x) * (c.y - a.y) > LARGE_M2;
    const stops: Vec3[] = [];
    for (const [u, v] of STOPS.slice(isLarge ? 1 : 0)) {
      const point = { x: a.x + (c.x - a.x) * u, y: a.y + (c.y - a.y) * v, z: room.floorZM };
      const stop = navigator.standNear(point, startUs);
      if (stop && stops.every((other) => distance(other, stop) > APART_M)) stops.push(stop);
      if (!isLarge && stops.length > 0) break;
    }
    return stops;
  });
}

/** From the first stop to the nearest next, turning once around at each; an unreachable stop is left out. */
function roundFrom(stops: readonly Vec3[], navigator: Navigation, fromUs: number) {
  const first = stops[0];
  if (first === undefined)
    throw new LociError("invalid-input", "expected free space in the house, found none");
  const start = { positionInWorld: first, yawRad: 0, tiltRad: PATROL_CAMERA.tiltRad };
  const trajectory = new Trajectory(fromUs, start);
  const shotsUs: number[] = [];
  const lookAround = () => {
    for (let n = 0; n < HEADINGS; n++) {
      shotsUs.push(trajectory.endUs);
      trajectory.turnBy((2 * Math.PI) / HEADINGS, DEFAULT_MOTION);
    }
  };
  lookAround();
  let left = stops.slice(1);
  while (left.length > 0) {
    const here = trajectory.end.positionInWorld;
    const next = left.toSorted((p, q) => distance(p, here) - distance(q, here))[0]!;
    left = left.filter((stop) => stop !== next);
    const path = navigator.path(here, next, fromUs);
    if (path === undefined) continue;
    trajectory.follow(path, DEFAULT_MOTION);
    lookAround();
  }
  return { trajectory, shotsUs };
}

function roundStarts(random: Random, { startUs, durationUs }: Timeline): number[] {
  const days = Math.floor(durationUs / DAY_US);
  return Array.from({ length: days }, (_, day) =>
    ROUNDS_H.flatMap((hour) => {
      const at = startUs + day * DAY_US + Math.round((hour + random.normal(0, ROUND_SPREAD_H)) * HOUR_US);
      return random.chance(ROUND_CHANCE) ? [at] : [];
    }),
  )
    .flat()
    .sort((a, b) => a - b);
}
