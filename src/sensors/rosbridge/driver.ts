import { setTimeout as pause } from "node:timers/promises";
import { fromYaw } from "../../geometry/index.ts";
import { type ErrorCode, LociError, type NavGoal, throwIfAborted } from "../../schema/index.ts";
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
  /** How long nothing may be heard of a goal: before the first sign, and between two; Nav2 gives many a second. */
  readonly answerMs?: number | undefined;
  readonly silentMs?: number | undefined;
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
/** rosbridge itself waits a second for an action server before it says that there is none. */
const ANSWER_MS = 5_000;
const SILENT_MS = 15_000;
/** From a word to stop until it stands. */
const STOPPING_MS = 3_000;
const SETTLE_MS = 300;
/** action_msgs/msg/GoalStatus. */
const OUTCOMES: Readonly<Record<number, DriveOutcome>> = { 4: "reached", 5: "cancelled", 6: "given up" };

export type DriveOutcome = "reached" | "cancelled" | "given up" | "rejected";

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

  /**
   * Drives there by Nav2's action, and says how it ended. `not-supported` where the robot has no such action: a bridge
   * that knows none says nothing at all, so silence at the beginning means the same. `source-unavailable` where it was
   * there and is lost; whatever happens, the robot is told to stop before this ends otherwise than at the goal.
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
      // Nobody may be left who hears of a failure before the goal is out.
      promise.catch(() => {});
      asked = await this.#link.ask(said, heard);
      return await promise;
    } catch (error) {
      if (asked && !over.signal.aborted) await this.#cancel(asked.id, action);
      // It is at rest when its own end of the drive is told.
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
   * By a connection of its own: a bridge that carries out actions in the thread that reads would hear of it when the drive
   * is over. Goals are known to the bridge by their ids whichever connection they came by, so this also stops one
   * whose connection was lost. Where it cannot be said, whoever waits has been told that the robot may still drive.
   */
  async #cancel(id: string, action: string): Promise<void> {
    const { url, tries, pauseMs } = this.#options;
    const link = new RosbridgeLink({ url: rosbridgeAddress(url), tries: Math.min(tries ?? 2, 2), pauseMs });
    await link.send({ op: "cancel_action_goal", id, action }).catch(() => {});
    await link.close();
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

/** A goal that was not taken comes back as a failure in words; one that was, with the status it ended in. */
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
