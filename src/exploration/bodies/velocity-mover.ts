import type { Vec3 } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";
import type { BasePose, PoseWatch, RobotDriver, Stand } from "../../sensors/index.ts";
import type { Moved, MoveOptions, Mover } from "./mover.ts";
import { FOLLOW_LIMITS, type FollowLimits, type Velocity, WaypointFollower } from "./waypoint-follower.ts";

/** What is known of the floor: ways over it, and whether the robot can stand somewhere. `FloorPlan` of the map is one. */
export interface FloorView {
  path(from: Vec3, to: Vec3): { readonly points: readonly Vec3[] } | undefined;
  isOpen(point: Vec3): boolean;
}

export interface VelocityMoverOptions {
  readonly driver: RobotDriver;
  readonly poses: PoseWatch;
  /** The floor as it is known now; asked again on every new way. */
  readonly floor: () => FloorView | undefined;
  readonly limits?: Partial<FollowLimits> | undefined;
  readonly topic?: string | undefined;
  /** So long it drives on without having heard where it is. */
  readonly staleMs?: number | undefined;
}

const TOPIC = "/cmd_vel";
const TYPE = "geometry_msgs/msg/Twist";
const STALE_MS = 500;
/** New ways that are tried for one goal, where something stands in the old one. */
const REPLANS = 5;
/** Where it stands it stands, whatever the map says. */
const OWN_M = 0.3;
const STILL: Velocity = { forwardMps: 0, turnRadps: 0 };

/**
 * For robots without Nav2: each word of where the robot is gives the next velocity, along a way over the memory's own map. Where no
 * such word comes it stands; a base stops by itself when commands stay away, so a lost connection stops it too.
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

/** One goal: ways to it, one after the other where the first is blocked. */
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

  /** Finds a way from there; says why there is none. */
  plan({ worldFromBase: { p }, timeUs }: BasePose): string | undefined {
    const floor = this.#floor();
    if (!floor) return "no map of the floor to find a way over";
    const way = floor.path(p, this.#to.positionInWorld);
    if (!way) return "no way leads there";
    // The way ends on a cell of the map; the last bit to the very place is as free as that.
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
