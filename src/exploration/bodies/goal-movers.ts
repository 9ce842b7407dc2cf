import { isLociError, LociError, WORLD_FRAME } from "../../schema/index.ts";
import type { BasePose, PoseWatch, RobotDriver, Stand } from "../../sensors/index.ts";
import type { Moved, MoveOptions, Mover } from "./mover.ts";
import { wrapped } from "./waypoint-follower.ts";

const SPEED_TOPIC = "/speed_limit";
const SPEED_TYPE = "nav2_msgs/msg/SpeedLimit";

/**
 * Nav2's action, which reports how a drive ended; without it, a goal on a topic, with arrival judged by the robot's
 * pose.
 */
export class GoalMover implements Mover {
  readonly #driver: RobotDriver;
  readonly #byTopic: TopicMover;
  #hasAction = true;
  #speedMps = Infinity;

  constructor(driver: RobotDriver, poses: PoseWatch) {
    this.#driver = driver;
    this.#byTopic = new TopicMover(driver, poses);
  }

  async move(to: Stand, options: MoveOptions): Promise<Moved> {
    if (!this.#hasAction) return this.#byTopic.move(to, options);
    await this.#limitSpeed(options.maxSpeedMps);
    try {
      const outcome = await this.#driver.drive(goalOf(to), { signal: options.signal });
      if (outcome === "reached") return { outcome: "arrived" };
      if (outcome === "rejected") return { outcome: "refused", why: "the robot rejects the goal" };
      return { outcome: "stuck", why: `the robot says: ${outcome}` };
    } catch (error) {
      if (!isLociError(error, "not-supported")) throw error;
      this.#hasAction = false;
      return this.#byTopic.move(to, options);
    }
  }

  /** Nav2's controller keeps the last speed limit, so it is sent only on change. */
  async #limitSpeed(speedMps: number): Promise<void> {
    if (speedMps === this.#speedMps || !Number.isFinite(speedMps)) return;
    this.#speedMps = speedMps;
    await this.#driver.publish(SPEED_TOPIC, SPEED_TYPE, {
      header: { stamp: { sec: 0, nanosec: 0 }, frame_id: "" },
      percentage: false,
      speed_limit: speedMps,
    });
  }
}

const REACH_M = 0.3;
const FACING_RAD = 0.35;
/** At rest: it has not moved for this long by its own clock. */
const REST_US = 1_000_000;
/** It did not start within this time, or stands elsewhere. */
const STALL_US = 20_000_000;
const MOVED_M = 0.05;
const TURNED_RAD = 0.05;

/** A goal on a topic has no reply: progress and arrival are judged by the robot's pose. */
class TopicMover implements Mover {
  readonly #driver: RobotDriver;
  readonly #poses: PoseWatch;

  constructor(driver: RobotDriver, poses: PoseWatch) {
    this.#driver = driver;
    this.#poses = poses;
  }

  async move(to: Stand, { signal }: MoveOptions): Promise<Moved> {
    const { promise, resolve, reject } = Promise.withResolvers<Moved>();
    let rested = this.#poses.latest;
    const off = this.#poses.listen((pose) => {
      if (!rested || hasMoved(rested, pose)) rested = pose;
      const stillUs = pose.timeUs - rested.timeUs;
      if (stillUs >= REST_US && isAt(pose, to)) resolve({ outcome: "arrived" });
      else if (stillUs >= STALL_US)
        resolve({ outcome: "stuck", why: `it has not moved for ${STALL_US / 1e6} s` });
    });
    const onAbort = () => reject(new LociError("aborted", "the drive was ended; the robot was told to stop"));
    signal.addEventListener("abort", onAbort, { once: true });
    promise.catch(() => {});
    let isThere = false;
    try {
      await this.#driver.publishGoal(goalOf(to));
      if (signal.aborted) onAbort();
      const moved = await promise;
      isThere = moved.outcome === "arrived";
      return moved;
    } finally {
      off();
      signal.removeEventListener("abort", onAbort);
      if (!isThere) await this.#stay();
    }
  }

  /** Such a topic has no stop message: its current position becomes the new goal. */
  async #stay(): Promise<void> {
    const pose = this.#poses.latest;
    if (pose)
      await this.#driver
        .publishGoal(goalOf({ positionInWorld: pose.worldFromBase.p, yawRad: pose.yawRad }))
        .catch(() => {});
  }
}

function goalOf({ positionInWorld: position, yawRad }: Stand) {
  return { frame: WORLD_FRAME, position, yawRad };
}

function hasMoved(a: BasePose, b: BasePose): boolean {
  const [p, q] = [a.worldFromBase.p, b.worldFromBase.p];
  return Math.hypot(p.x - q.x, p.y - q.y) > MOVED_M || Math.abs(wrapped(a.yawRad - b.yawRad)) > TURNED_RAD;
}

function isAt({ worldFromBase: { p }, yawRad }: BasePose, to: Stand): boolean {
  const goal = to.positionInWorld;
  return (
    Math.hypot(p.x - goal.x, p.y - goal.y) <= REACH_M && Math.abs(wrapped(yawRad - to.yawRad)) <= FACING_RAD
  );
}
