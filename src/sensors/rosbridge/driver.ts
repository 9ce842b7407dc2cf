import { setTimeout as pause } from "node:timers/promises";
import { fromYaw } from "../../geometry/index.ts";
import { LociError, type NavGoal, throwIfAborted } from "../../schema/index.ts";
import { RosbridgeLink, rosbridgeAddress, type Said } from "./link.ts";

export interface DriverOptions {
  /** rosbridge://HOST:PORT or ws://HOST:PORT; the port is 9090 unless said. */
  readonly url: string;
  /** What the robot calls our world. */
  readonly mapFrame?: string | undefined;
  readonly goalTopic?: string | undefined;
  readonly action?: string | undefined;
  /** How often, and with which first pause, a connection is tried. */
  readonly tries?: number | undefined;
  readonly pauseMs?: number | undefined;
  /** Between announcing a topic and the first message on it: who listens has to hear of it first. */
  readonly settleMs?: number | undefined;
}

export interface DriveOptions {
  /** How long the robot may be on its way; then it is told to stop. */
  readonly timeoutMs?: number;
  /** Ends the drive: the robot is told to stop. */
  readonly signal?: AbortSignal;
  /** What Nav2 says on the way: distance left, time, recoveries. */
  readonly onFeedback?: (feedback: unknown) => void;
}

const MAP_FRAME = "map";
const GOAL_TOPIC = "/goal_pose";
const POSE_TYPE = "geometry_msgs/msg/PoseStamped";
const ACTION = "/navigate_to_pose";
const ACTION_TYPE = "nav2_msgs/action/NavigateToPose";
const DRIVE_MS = 10 * 60_000;
const SETTLE_MS = 300;
/** action_msgs/msg/GoalStatus. */
const OUTCOMES: Readonly<Record<number, DriveOutcome>> = { 4: "reached", 5: "cancelled", 6: "given up" };

export type DriveOutcome = "reached" | "cancelled" | "given up";

/** Sends a robot where the memory says, over rosbridge, and tells it things. */
export class RobotDriver {
  readonly #options: DriverOptions;
  readonly #link: RosbridgeLink;
  /** Topics that were announced on the connection of the moment. */
  readonly #announced = new WeakMap<WebSocket, Set<string>>();

  constructor(options: DriverOptions) {
    const { url, tries, pauseMs } = options;
    this.#options = options;
    this.#link = new RosbridgeLink({ url: rosbridgeAddress(url), tries, pauseMs });
  }

  /** Puts a goal on Nav2's topic and does not wait: whoever listens drives, and nobody says whether. */
  async publishGoal(goal: NavGoal): Promise<void> {
    await this.publish(this.#options.goalTopic ?? GOAL_TOPIC, POSE_TYPE, this.#poseOf(goal));
  }

  /** Drives there by Nav2's action, and says how it ended; source-unavailable where nobody can tell. */
  async drive(goal: NavGoal, options: DriveOptions = {}): Promise<DriveOutcome> {
    const { timeoutMs = DRIVE_MS, signal, onFeedback } = options;
    throwIfAborted(signal);
    const action = this.#options.action ?? ACTION;
    const { promise, resolve, reject } = Promise.withResolvers<DriveOutcome>();
    const fail = (why: string) => reject(new LociError("source-unavailable", why));
    const asked = await this.#link.ask(
      {
        op: "send_action_goal",
        action,
        action_type: ACTION_TYPE,
        args: { pose: this.#poseOf(goal), behavior_tree: "" },
        feedback: onFeedback !== undefined,
      },
      (said) => {
        if (said === undefined)
          fail(`the connection to the robot was lost on its way; it may still be driving`);
        else if (said.op === "action_feedback") onFeedback?.(said.values);
        else if (said.op === "action_result") resolve(outcomeOf(said));
        else if (said.op === "status" && said.level === "error")
          fail(`rosbridge refuses ${action}: ${wordsOf(said)}`);
      },
    );
    const stop = () => this.#link.send({ op: "cancel_action_goal", id: asked.id, action }).catch(() => {});
    const timer = setTimeout(() => {
      fail(`the robot did not arrive within ${timeoutMs / 1000} s and was told to stop`);
      void stop();
    }, timeoutMs);
    const onAbort = () => {
      reject(new LociError("aborted", "the drive was ended; the robot was told to stop"));
      void stop();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      asked.forget();
    }
  }

  /** A message on a topic, which is announced first on every new connection. */
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

  /** With no time on it: "as the robot stands now", whatever its clock says. */
  #poseOf({ frame, position, yawRad }: NavGoal): object {
    const { x, y, z, w } = fromYaw(yawRad);
    const own = frame === undefined || frame === "world" ? (this.#options.mapFrame ?? MAP_FRAME) : frame;
    return {
      header: { stamp: { sec: 0, nanosec: 0 }, frame_id: own },
      pose: { position: { x: position.x, y: position.y, z: position.z }, orientation: { x, y, z, w } },
    };
  }
}

function outcomeOf({ status, result }: Said): DriveOutcome {
  return OUTCOMES[Number(status)] ?? (result === true ? "reached" : "given up");
}

function wordsOf(said: Said): string {
  return String(said.msg ?? "no reason given").slice(0, 256);
}
