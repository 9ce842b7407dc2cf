import type { Vec3 } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";
import type { BasePose, PoseWatch, RobotDriver, Stand } from "../../sensors/index.ts";
import type { Moved, MoveOptions, Mover } from "./mover.ts";
import { FOLLOW_LIMITS, type FollowLimits, type Velocity, WaypointFollower } from "./waypoint-follower.ts";

/** The known floor: paths over it, and whether the robot can stand at a place. The map's `FloorPlan` implements it. */
export interface FloorView {
  path(from: Vec3, to: Vec3): { readonly points: readonly Vec3[] } | undefined;
  isOpen(point: Vec3): boolean;
}

export interface VelocityMoverOptions {
  readonly driver: RobotDriver;
  readonly poses: PoseWatch;
  /** The current floor; read again for every new path. */
  readonly floor: () => FloorView | undefined;
  readonly limits?: Partial<FollowLimits> | undefined;
  readonly topic?: string | undefined;
  /** How long it may drive without a new pose. */
  readonly staleMs?: number | undefined;
}

const TOPIC = "/cmd_vel";
const TYPE = "geometry_msgs/msg/Twist";
const STALE_MS = 500;
/** New paths tried for one goal when the old one is blocked. */
const REPLANS = 5;
/** Within this radius its own position counts as free, whatever the map says. */
const OWN_M = 0.3;
const STILL: Velocity = { forwardMps: 0, turnRadps: 0 };

/**
 * For robots without Nav2: each pose of the robot yields the next velocity, along a path over the memory's own map.
 * Without poses it stops; a base stops by itself without commands, so a lost connection stops it too.
 */
export class VelocityMover implements Mover {
  readonly #options: VelocityMoverOptions;

  constructor(options: VelocityMoverOptions) {
    this.#options = options;
  }

  async move(to: Stand, { signal, maxSpeedMps }: MoveOptions): Promise<Moved> {
    const { poses, limits, staleMs = STALE_MS } = this.#options;
    const start = poses.latest;
    if (!start) throw new LociError("source-unavailable", "the robot has not said where it is");
    const most = { ...FOLLOW_LIMITS, ...limits };
    const drive = new Drive(to, this.#options, { ...most, speedMps: Math.min(most.speedMps, maxSpeedMps) });
    const refusal = drive.plan(start);
    if (refusal !== undefined) return { outcome: "refused", why: refusal };
    const { promise, resolve, reject } = Promise.withResolvers<Moved>();
    promise.catch(() => {});
    let stale: ReturnType<typeof setTimeout> | undefined;
    const watch = () => {
      clearTimeout(stale);
      stale = setTimeout(() => void this.#send(STILL).catch(reject), staleMs);
    };
    const off = poses.listen((pose) => {
      watch();
      const { velocity, ended } = drive.next(pose);
      this.#send(velocity).catch(reject);
      if (ended) resolve(ended);
    });
    const onAbort = () => reject(new LociError("aborted", "the drive was ended; the robot was told to stop"));
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    watch();
    try {
      return await promise;
    } finally {
      off();
      clearTimeout(stale);
      signal.removeEventListener("abort", onAbort);
      await this.#send(STILL).catch(() => {});
    }
  }

  #send({ forwardMps, turnRadps }: Velocity): Promise<void> {
    const { driver, topic = TOPIC } = this.#options;
    return driver.publish(topic, TYPE, {
      linear: { x: forwardMps, y: 0, z: 0 },
      angular: { x: 0, y: 0, z: turnRadps },
    });
  }
}

/** One goal: paths to it, replanned when one is blocked. */
class Drive {
  readonly #to: Stand;
  readonly #floor: () => FloorView | undefined;
  readonly #limits: FollowLimits;
  #follower!: WaypointFollower;
  #start!: Vec3;
  #timeUs = 0;
  #replans = 0;

  constructor(to: Stand, { floor }: VelocityMoverOptions, limits: FollowLimits) {
    this.#to = to;
    this.#floor = floor;
    this.#limits = limits;
  }

  /** Plans a path from this pose; returns the reason if there is none. */
  plan({ worldFromBase: { p }, timeUs }: BasePose): string | undefined {
    const floor = this.#floor();
    if (!floor) return "no map of the floor to find a way over";
    const way = floor.path(p, this.#to.positionInWorld);
    if (!way) return "no way leads there";
    // The path ends at a map cell; the exact goal is added only if it is free.
    const end = this.#to.positionInWorld;
    const isEndOpen = floor.isOpen(end);
    this.#follower = new WaypointFollower(
      [p, ...way.points, ...(isEndOpen ? [end] : [])],
      this.#to.yawRad,
      this.#limits,
    );
    [this.#start, this.#timeUs] = [p, timeUs];
    return undefined;
  }

  next(pose: BasePose): { readonly velocity: Velocity; readonly ended?: Moved } {
    const { p } = pose.worldFromBase;
    const floor = this.#floor();
    const isFree = (point: Vec3) =>
      Math.hypot(point.x - this.#start.x, point.y - this.#start.y) <= OWN_M || floor?.isOpen(point) === true;
    const seconds = (pose.timeUs - this.#timeUs) / 1e6;
    this.#timeUs = pose.timeUs;
    const stand = { positionInWorld: p, yawRad: pose.yawRad };
    const { velocity, state } = this.#follower.step(stand, seconds, isFree);
    if (state === "arrived") return { velocity, ended: { outcome: "arrived" } };
    if (state === "driving" || velocity.forwardMps > 0) return { velocity };
    const why = ++this.#replans > REPLANS ? "something stands in every way that was tried" : this.plan(pose);
    return { velocity: STILL, ...(why !== undefined && { ended: { outcome: "stuck", why } }) };
  }
}
