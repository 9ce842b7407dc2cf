import type { Random, Vec3 } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";
import type { House, Room } from "../house/types.ts";
import { lengthOfPath, type Navigator } from "./navigator.ts";
import { type BodyPose, DEFAULT_MOTION, type Motion, Trajectory } from "./trajectory.ts";

/** One point to look round from per this many square metres of a room, and the most per room. */
const AREA_PER_STOP_M2 = 7;
const STOPS_PER_ROOM = 3;
/** Points are at least a metre apart; closer ones show the same. */
const APART_M = 1.2;
const TRIES = 24;
/** How long to wait where no path leads anywhere. */
const SHUT_IN_S = 20;

export interface TourOptions {
  readonly house: House;
  readonly navigator: Navigator;
  readonly random: Random;
  readonly startUs: number;
  readonly endUs: number;
  readonly tiltRad: number;
  readonly motion?: Motion | undefined;
  /** Points to look round from, by room, the most important first; default: as many as its floor area needs. */
  readonly stops?: readonly (readonly Vec3[])[] | undefined;
  /** The stop to begin at, so that several agents spread out. */
  readonly phase?: number | undefined;
}

/**
 * A tour in rounds: the nearest stop first, with a full turn at every stop. First the middle of every room, then the
 * other stops, then patrols of all of them until the time is over. An unreachable stop is left out of its round; an
 * agent that is shut in waits for a door. A house without any stop is an error.
 */
export function planTour(options: TourOptions): Trajectory {
  const { house, navigator, random, startUs, endUs, tiltRad } = options;
  const motion = options.motion ?? DEFAULT_MOTION;
  const perRoom = (
    options.stops ??
    house.rooms.map((room) => stopsIn(room, navigator, startUs, random.fork(`stops-${room.id}`)))
  ).filter((stops) => stops.length > 0);
  const middles = perRoom.map((stops) => stops[0]!);
  const others = perRoom.flatMap((stops) => stops.slice(1));
  const first = middles[Math.floor((options.phase ?? 0) * middles.length)];
  if (!first) {
    throw new LociError(
      "invalid-input",
      `expected free space in house ${house.seed}, found nowhere to stand`,
    );
  }
  const trajectory = new Trajectory(startUs, { positionInWorld: first, yawRad: 0, tiltRad });
  lookAround(trajectory, random, motion);
  for (let round = 0; trajectory.endUs < endUs; round++) {
    const here = trajectory.end.positionInWorld;
    let waiting = (round === 0 ? middles : round === 1 ? others : [...middles, ...others]).filter(
      (stop) => stop !== here,
    );
    let visited = 0;
    while (waiting.length > 0 && trajectory.endUs < endUs) {
      const next = nearest(waiting, trajectory.end.positionInWorld, trajectory.endUs, navigator);
      if (!next) break;
      waiting = waiting.filter((stop) => stop !== next.stop);
      trajectory.follow(next.path, motion);
      lookAround(trajectory, random, motion);
      visited++;
    }
    if (visited === 0 && round !== 1) trajectory.wait(SHUT_IN_S);
  }
  return trajectory;
}

/** A path through given points and headings, in order: for scripts and custom patrols. */
export function planScript(
  steps: readonly { readonly to: Vec3; readonly yawRad?: number; readonly waitS?: number }[],
  options: { navigator: Navigator; start: BodyPose; startUs: number; motion?: Motion },
): Trajectory {
  const trajectory = new Trajectory(options.startUs, options.start);
  const motion = options.motion ?? DEFAULT_MOTION;
  steps.forEach(({ to, yawRad, waitS }, index) => {
    const path = options.navigator.path(trajectory.end.positionInWorld, to, trajectory.endUs);
    if (!path)
      throw new LociError("invalid-input", `expected a way to step ${index} of the script, there is none`);
    trajectory.follow(path, motion);
    if (yawRad !== undefined) trajectory.turnTo(yawRad, motion);
    if (waitS !== undefined) trajectory.wait(waitS);
  });
  return trajectory;
}

function lookAround(trajectory: Trajectory, random: Random, motion: Motion): void {
  trajectory.turnBy(random.chance(0.5) ? 2 * Math.PI : -2 * Math.PI, motion);
}

function stopsIn(room: Room, navigator: Navigator, timeUs: number, random: Random): Vec3[] {
  const { points } = room.polygon;
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const inside = (p: Vec3) => p.x > left && p.x < right && p.y > low && p.y < high;
  const wanted = Math.min(
    STOPS_PER_ROOM,
    Math.max(1, Math.round(((right - left) * (high - low)) / AREA_PER_STOP_M2)),
  );
  const stops: Vec3[] = [];
  for (let n = 0; n < TRIES && stops.length < wanted; n++) {
    const guess =
      n === 0
        ? { x: (left + right) / 2, y: (low + high) / 2, z: room.floorZM }
        : {
            x: random.range(left + 0.3, right - 0.3),
            y: random.range(low + 0.3, high - 0.3),
            z: room.floorZM,
          };
    const stand = navigator.standNear(guess, timeUs);
    if (!stand || !inside(stand)) continue;
    if (stops.every((other) => square(other.x - stand.x) + square(other.y - stand.y) >= APART_M * APART_M))
      stops.push(stand);
  }
  return stops;
}

function nearest(
  stops: readonly Vec3[],
  from: Vec3,
  timeUs: number,
  navigator: Navigator,
): { stop: Vec3; path: readonly Vec3[] } | undefined {
  let best: { stop: Vec3; path: readonly Vec3[]; length: number } | undefined;
  // The straight-line distance is a lower bound of the path: most searches are skipped.
  const byLine = stops
    .map((stop) => ({
      stop,
      line: Math.sqrt(square(stop.x - from.x) + square(stop.y - from.y) + square(stop.z - from.z)),
    }))
    .sort((a, b) => a.line - b.line);
  for (const { stop, line } of byLine) {
    if (best && line >= best.length) break;
    const path = navigator.path(from, stop, timeUs);
    const length = path ? lengthOfPath(path) : Infinity;
    if (path && length < (best?.length ?? Infinity)) best = { stop, path, length };
  }
  return best;
}

/** Not `**`, whose precision is engine-dependent like Math.pow. */
function square(x: number): number {
  return x * x;
}
