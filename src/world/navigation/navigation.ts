import type { Box, TimeUs, Vec3 } from "../../geometry/index.ts";
import type { Timeline } from "../dynamics/timeline.ts";
import { isMover } from "../house/types.ts";
import { FreeSpace, type RobotSize } from "./free-space.ts";
import { distanceField, pathLengthM, pathTo } from "./geodesic.ts";

/** Ends are taken to the nearest free cell within this. */
const SNAP_M = 1.5;
const KEPT_SPACES = 4;
/** Positional tolerance when matching a remembered flight. */
const SAME_FLIGHT_M = 1.5;

/**
 * Paths through the house at any time: doors that open, chairs that move and boxes left on the floor change the free
 * space, people do not. Spaces are cached until something relevant changes.
 */
export class Navigation {
  readonly #timeline: Timeline;
  readonly #robot: RobotSize;
  readonly #kept: { readonly timeUs: TimeUs; readonly space: FreeSpace }[] = [];

  constructor(timeline: Timeline, robot: RobotSize = {}) {
    this.#timeline = timeline;
    this.#robot = robot;
  }

  /** The free space at a time. */
  at(timeUs: TimeUs): FreeSpace {
    const kept = this.#kept.find((entry) => this.#same(entry.timeUs, timeUs));
    if (kept !== undefined) return kept.space;
    const space = new FreeSpace(this.#timeline.snapshotAt(timeUs), this.#robot);
    this.#kept.unshift({ timeUs, space });
    this.#kept.length = Math.min(this.#kept.length, KEPT_SPACES);
    return space;
  }

  /** The shortest path over the floors, both ends included; undefined if there is none at that time. */
  path(from: Vec3, to: Vec3, timeUs: TimeUs): Vec3[] | undefined {
    const space = this.at(timeUs);
    const start = space.nearestFree(from, SNAP_M);
    const end = space.nearestFree(to, SNAP_M);
    if (start < 0 || end < 0) return undefined;
    return pathTo(space, distanceField(space, start, [end]), end);
  }

  /** Length of the shortest path, Infinity if there is none. At most a few percent above the true geodesic. */
  geodesicM(from: Vec3, to: Vec3, timeUs: TimeUs): number {
    const path = this.path(from, to, timeUs);
    return path === undefined ? Infinity : pathLengthM(path);
  }

  /** A standing point at or near a point. */
  standNear(point: Vec3, timeUs: TimeUs, withinM = SNAP_M): Vec3 | undefined {
    const space = this.at(timeUs);
    const node = space.nearestFree(point, withinM);
    return node < 0 ? undefined : space.pointOf(node);
  }

  /** The ends of the flight of stairs that a box is around, or a part of it. */
  flightIn({ min, max }: Box): { readonly foot: Vec3; readonly head: Vec3 } | undefined {
    const [x, y] = [(min.x + max.x) / 2, (min.y + max.y) / 2];
    const isWithin = (at: number, a: number, b: number): boolean =>
      at >= Math.min(a, b) - SAME_FLIGHT_M && at <= Math.max(a, b) + SAME_FLIGHT_M;
    return this.#timeline.house.stairs.find(
      ({ foot, head }) =>
        isWithin(x, foot.x, head.x) && isWithin(y, foot.y, head.y) && min.z < head.z && max.z > foot.z,
    );
  }

  #same(a: TimeUs, b: TimeUs): boolean {
    return this.#timeline.changedBetween(a, b).every((id) => isMover(this.#timeline.thing(id)));
  }
}
