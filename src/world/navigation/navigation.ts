import type { TimeUs, Vec3 } from "../../geometry/index.ts";
import type { Timeline } from "../dynamics/timeline.ts";
import { isMover } from "../house/types.ts";
import { FreeSpace, type RobotSize } from "./free-space.ts";
import { distanceField, pathLengthM, pathTo } from "./geodesic.ts";

/** Ends are taken to the nearest free cell within this. */
const SNAP_M = 1.5;
const KEPT_SPACES = 4;

/**
 * Ways through the house at any time: doors that open, chairs that move and boxes left on the floor change the
 * free space, people do not. Spaces are kept while nothing that matters changes.
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

  /** The shortest way over the floors, both ends included; undefined when there is none at that time. */
  path(from: Vec3, to: Vec3, timeUs: TimeUs): Vec3[] | undefined {
    const space = this.at(timeUs);
    const start = space.nearestFree(from, SNAP_M);
    const end = space.nearestFree(to, SNAP_M);
    if (start < 0 || end < 0) return undefined;
    return pathTo(space, distanceField(space, start, [end]), end);
  }

  /** Length of the shortest way, Infinity when there is none. At most a few percent over the true geodesic. */
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

  #same(a: TimeUs, b: TimeUs): boolean {
    return this.#timeline.changedBetween(a, b).every((id) => isMover(this.#timeline.thing(id)));
  }
}
