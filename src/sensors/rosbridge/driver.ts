import { setTimeout as pause } from "node:timers/promises";
import { fromYaw } from "../../geometry/index.ts";
import { type ErrorCode, LociError, type NavGoal, throwIfAborted } from "../../schema/index.ts";
import { RosbridgeLink, rosbridgeAddress, type Said } from "./link.ts";

export interface DriverOptions {
  /** rosbridge://HOST:PORT or ws://HOST:PORT; default port 9090. */
  readonly url: string;
  /** The robot's name for our world frame. */
  readonly mapFrame?: string | undefined;
  readonly goalTopic?: string | undefined;
  readonly action?: string | undefined;
  /** How often a connection is attempted, and the first pause. */
  readonly tries?: number | undefined;
  readonly pauseMs?: number | undefined;
  /** Pause between advertising a topic and the first message on it, so that subscribers can connect. */
  readonly settleMs?: number | undefined;
  /** Longest silence about a goal, before the first sign and between two; Nav2 sends many per second. */
  readonly answerMs?: number | undefined;
  readonly silentMs?: number | undefined;
}

export interface DriveOptions {
  /** Longest duration of a drive; then the robot is told to stop. */
  readonly timeoutMs?: number;
  /** Ends the drive: the robot is told to stop. */
  readonly signal?: AbortSignal;
  /** Nav2's feedback during the drive: distance left, time, recoveries. */
  readonly onFeedback?: (feedback: unknown) => void;
}

const MAP_FRAME = "map";
const GOAL_TOPIC = "/goal_pose";
const POSE_TYPE = "geometry_msgs/msg/PoseStamped";
const ACTION = "/navigate_to_pose";
const ACTION_TYPE = "nav2_msgs/action/NavigateToPose";
const DRIVE_MS = 10 * 60_000;
/** rosbridge itself waits a second for an action server before it reports that there is none. */
const ANSWER_MS = 5_000;
const SILENT_MS = 15_000;
/** Time allowed from a stop command to standstill. */
const STOPPING_MS = 3_000;
const SETTLE_MS = 300;
/** action_msgs/msg/GoalStatus. */
const OUTCOMES: Readonly<Record<number, DriveOutcome>> = { 4: "reached", 5: "cancelled", 6: "given up" };

export type DriveOutcome = "reached" | "cancelled" | "given up" | "rejected";

/** Sends a robot to goals over rosbridge, and publishes messages to it. */
export class RobotDriver {
  readonly #options: DriverOptions;
  readonly #link: RosbridgeLink;
  /** Topics that were advertised on each connection. */
  readonly #announced = new WeakMap<WebSocket, Set<string>>();

  constructor(options: DriverOptions) {
    const { url, tries, pauseMs } = options;
    this.#options = options;
    this.#link = new RosbridgeLink({ url: rosbridgeAddress(url), tries, pauseMs });
  }

  /** Publishes a goal on Nav2's topic without waiting: there is no report of the outcome. */
  async publishGoal(goal: NavGoal): Promise<void> {
    await this.publish(this.#options.goalTopic ?? GOAL_TOPIC, POSE_TYPE, this.#poseOf(goal));
  }

  /**
   * Drives there by Nav2's action, and returns how it ended. `not-supported` if the robot lacks the action; a bridge
   * without action support stays silent, so initial silence means the same. `source-unavailable` if the connection is
   * lost later. Unless the goal was reached, the robot is told to stop before this returns.
   */
  async drive(goal: NavGoal, options: DriveOptions = {}): Promise<DriveOutcome> {
    const { timeoutMs = DRIVE_MS, signal, onFeedback } = options;
    const { answerMs = ANSWER_MS, silentMs = SILENT_MS } = this.#options;
    throwIfAborted(signal);
    const action = this.#options.action ?? ACTION;
    const { promise, resolve, reject } = Promise.withResolvers<DriveOutcome>();
    const over = new AbortController();
    const fail = (code: ErrorCode, why: string) => reject(new LociError(code, why));
    const lost = (why: string) => fail("source-unavailable", why);
    let quiet = setTimeout(
      () => fail("not-supported", `nobody answers on the action ${action} within ${answerMs / 1000} s`),
      answerMs,
    );
    const heard = (said: Said | undefined) => {
      clearTimeout(quiet);
      if (said === undefined)
        lost("the connection to the robot was lost on its way; it may still be driving");
      else if (said.op === "action_result") {
        settle(said, action, resolve, fail);
        over.abort();
      } else if (said.op === "status" && said.level === "error")
        fail("not-supported", `rosbridge refuses ${action}: ${wordsOf(said.msg)}`);
      else {
        if (said.op === "action_feedback") onFeedback?.(said.values);
        quiet = setTimeout(
          () => lost(`the robot said nothing for ${silentMs / 1000} s and was told to stop`),
          silentMs,
        );
      }
    };
    const late = setTimeout(
      () => lost(`the robot did not arrive within ${timeoutMs / 1000} s and was told to stop`),
      timeoutMs,
    );
    const onAbort = () => fail("aborted", "the drive was ended; the robot was told to stop");
    signal?.addEventListener("abort", onAbort, { once: true });
    let asked: Awaited<ReturnType<RosbridgeLink["ask"]>> | undefined;
    try {
      const args = { pose: this.#poseOf(goal), behavior_tree: "" };
      const said = { op: "send_action_goal", action, action_type: ACTION_TYPE, args, feedback: true };
      // A failure may come before anyone awaits the result.
      promise.catch(() => {});
      asked = await this.#link.ask(said, heard);
      return await promise;
    } catch (error) {
      if (asked && !over.signal.aborted) await this.#cancel(asked.id, action);
      // The robot is at rest once the action itself reports its end.
      if (asked && signal?.aborted)
        await pause(STOPPING_MS, undefined, { signal: over.signal }).catch(() => {});
      throw error;
    } finally {
      clearTimeout(quiet);
      clearTimeout(late);
      signal?.removeEventListener("abort", onAbort);
      asked?.forget();
    }
  }

  /**
   * Uses a connection of its own: a bridge that runs actions in its reading thread would read the message only after
   * the drive. The bridge knows goals by id on any connection, so this also cancels a goal whose connection was lost.
   * If cancelling fails, the caller has been told that the robot may still drive.
   */
  async #cancel(id: string, action: string): Promise<void> {
    const { url, tries, pauseMs } = this.#options;
    const link = new RosbridgeLink({ url: rosbridgeAddress(url), tries: Math.min(tries ?? 2, 2), pauseMs });
    await link.send({ op: "cancel_action_goal", id, action }).catch(() => {});
    await link.close();
  }

  /** Publishes a message; its topic is advertised first on every new connection. */
  async publish(topic: string, type: string, message: object): Promise<void> {
    const socket = await this.#link.connected();
    const announced = this.#announced.get(socket) ?? new Set();
    if (!announced.has(topic)) {
      this.#announced.set(socket, announced.add(topic));
      await this.#link.send({ op: "advertise", id: `loci:${topic}`, topic, type });
      await pause(this.#options.settleMs ?? SETTLE_MS);
    }
    await this.#link.send({ op: "publish", topic, msg: message });
  }

  async close(): Promise<void> {
    await this.#link.close();
  }

  /** Without a timestamp: "as the robot stands now", whatever its clock says. */
  #poseOf({ frame, position, yawRad }: NavGoal): object {
    const { x, y, z, w } = fromYaw(yawRad);
    const own = frame === undefined || frame === "world" ? (this.#options.mapFrame ?? MAP_FRAME) : frame;
    return {
      header: { stamp: { sec: 0, nanosec: 0 }, frame_id: own },
      pose: { position: { x: position.x, y: position.y, z: position.z }, orientation: { x, y, z, w } },
    };
  }
}

/** A rejected goal comes back as a failure text; an accepted one with its final status. */
function settle(
  { status, result, values }: Said,
  action: string,
  resolve: (outcome: DriveOutcome) => void,
  fail: (code: ErrorCode, why: string) => void,
): void {
  const outcome = OUTCOMES[Number(status)];
  if (outcome !== undefined) resolve(outcome);
  else if (result === true) resolve("reached");
  else if (typeof values !== "string") resolve("given up");
  else if (/reject/i.test(values)) resolve("rejected");
  else fail("not-supported", `rosbridge has no ${action}: ${wordsOf(values)}`);
}

function wordsOf(said: unknown): string {
  return String(said ?? "no reason given").slice(0, 256);
}
