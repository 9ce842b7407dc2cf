import { fromYaw, type Transform } from "../../geometry/index.ts";
import { encodeColour, encodeGrey16, type Frame } from "../../sensors/index.ts";
import { startToyBridge, type ToyBridge, type ToySaid } from "../../sensors/testing/toy-bridge.ts";

/** The fate of a goal sent by Nav2's action. As with a real bridge, only an accepted goal gets a status reply. */
export type GoalFate = "taken" | "rejected" | "aborted" | "lost" | "unheard" | "no-server" | "elsewhere";

export interface RobotScript {
  readonly start?: { readonly x: number; readonly y: number; readonly yawRad: number };
  /** Called for each goal, with its number. */
  readonly fate?: (goal: number) => GoalFate;
  /** Standard deviation of its place, as AMCL would say it. */
  readonly sdM?: () => number;
  /** Velocity mode: it moves only after each command, as if its clock waited for it. */
  readonly isLockStep?: boolean;
  /** What its camera sees; default: a grey wall two metres away. */
  readonly see?: (at: RobotPose, timeUs: number) => Promise<Pick<Frame, "rgb" | "depth" | "intrinsics">>;
  readonly speedMps?: number;
  /** The camera's mounting pose; default: one metre up and level. */
  readonly baseFromCamera?: Transform;
  /** Its own planner, like Nav2's; default: straight to the goal. Undefined: it rejects the goal. */
  readonly plan?: (
    from: RobotPose,
    to: RobotPose,
  ) => readonly { readonly x: number; readonly y: number }[] | undefined;
  /** Real milliseconds per tenth of its second. */
  readonly tickMs?: number;
}

export interface RobotPose {
  readonly x: number;
  readonly y: number;
  readonly yawRad: number;
}

const TICK_S = 0.1;
const TICK_MS = 10;
const LOCK_STEP_MS = 250;
const PICTURE_TICKS = 5;
/** A base without commands for this long stops by itself. */
const BASE_STOPS_S = 0.5;
/** Start of its clock, seconds. */
export const T0_S = 1_700_000_000;
const EYE: Transform = { p: { x: 0, y: 0, z: 1 }, q: { x: -0.5, y: 0.5, z: -0.5, w: 0.5 } };
const TOPICS = {
  "/camera/color/image_raw/compressed": "sensor_msgs/msg/CompressedImage",
  "/camera/depth/image_rect_raw/compressedDepth": "sensor_msgs/msg/CompressedImage",
  "/camera/color/camera_info": "sensor_msgs/msg/CameraInfo",
  "/tf": "tf2_msgs/msg/TFMessage",
  "/tf_static": "tf2_msgs/msg/TFMessage",
  "/amcl_pose": "geometry_msgs/msg/PoseWithCovarianceStamped",
};

interface Running {
  readonly id: string | undefined;
  readonly goal: RobotPose;
  readonly way: { readonly x: number; readonly y: number }[];
  readonly reply: (message: object) => void;
  readonly fate: GoalFate;
  isCancelled: boolean;
}

/**
 * A robot behind a loopback rosbridge that behaves like real ones: TF from map over odom to its base, AMCL's
 * covariance, a camera, goals that are accepted, rejected, aborted, or never answered, `/goal_pose` and `/cmd_vel`.
 * It has its own clock: a tick is a tenth of a second, however long it takes here.
 */
export class ScriptedRobot {
  readonly #script: RobotScript;
  #bridge!: ToyBridge;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ticks = 0;
  #at: RobotPose;
  #running: Running | undefined;
  #goals = 0;
  #twist = { forward: 0, turn: 0, ticks: 0 };
  #isMute = false;

  private constructor(script: RobotScript) {
    this.#script = script;
    this.#at = script.start ?? { x: 0, y: 0, yawRad: 0 };
  }

  static async start(script: RobotScript = {}): Promise<ScriptedRobot> {
    const robot = new ScriptedRobot(script);
    robot.#bridge = await startToyBridge({
      topics: TOPICS,
      publish: () => robot.#sayFixed(),
      hear: robot.#hear,
    });
    robot.#wait();
    return robot;
  }

  get url(): string {
    return this.#bridge.url;
  }

  get at(): RobotPose {
    return this.#at;
  }

  get isDriving(): boolean {
    return this.#running !== undefined;
  }

  /** Every message it received, except publish requests. */
  get told(): readonly ToySaid[] {
    return this.#bridge.asked.filter(({ op }) => !["subscribe", "call_service", "advertise"].includes(op));
  }

  /** From now on it sends nothing. */
  mute(): void {
    this.#isMute = true;
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#bridge.close();
  }

  readonly #hear = (said: ToySaid, reply: (message: object) => void, hangUp: () => void): void => {
    const { op, id, topic } = said;
    if (op === "send_action_goal") {
      const fate = this.#script.fate?.(this.#goals) ?? "taken";
      this.#goals++;
      if (fate === "unheard") return;
      const words = { rejected: "Action goal was rejected", "no-server": "No action server available" }[
        fate as string
      ];
      if (words !== undefined) {
        reply({ op: "action_result", id, action: said.action, values: words, status: 0, result: false });
        return;
      }
      const goal = poseOf((said.args as { pose: { pose: RosPose } }).pose.pose);
      const way = this.#wayTo(goal);
      if (way === undefined) {
        const values = "Action goal was rejected";
        reply({ op: "action_result", id, action: said.action, values, status: 0, result: false });
        return;
      }
      this.#running = { id, goal, way, reply, fate, isCancelled: false };
      if (fate === "lost") hangUp();
    } else if (op === "cancel_action_goal" && this.#running?.id === id) this.#running!.isCancelled = true;
    else if (op === "publish" && topic === "/goal_pose") {
      const goal = poseOf((said.msg as { pose: RosPose }).pose);
      const way = this.#wayTo(goal) ?? [];
      this.#running = { id: undefined, goal, way, reply: () => {}, fate: "taken", isCancelled: false };
    } else if (op === "publish" && topic === "/cmd_vel") {
      const { linear, angular } = said.msg as { linear: { x: number }; angular: { z: number } };
      this.#twist = { forward: linear.x, turn: angular.z, ticks: 0 };
      if (this.#script.isLockStep) void this.#tick();
    }
  };

  #wayTo(goal: RobotPose): { readonly x: number; readonly y: number }[] | undefined {
    const { plan } = this.#script;
    const way = plan === undefined ? [] : plan(this.#at, goal);
    return way && [...way, goal];
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const ms = this.#script.isLockStep ? LOCK_STEP_MS : (this.#script.tickMs ?? TICK_MS);
    this.#timer = setTimeout(() => void this.#tick(), ms);
  }

  async #tick(): Promise<void> {
    this.#wait();
    this.#ticks++;
    this.#move();
    if (this.#isMute) return;
    const atS = T0_S + this.#ticks * TICK_S;
    const { x, y, yawRad } = this.#at;
    const variance = (this.#script.sdM?.() ?? 0.05) ** 2;
    const covariance = Array.from({ length: 36 }, (_, n) => ([0, 7, 35].includes(n) ? variance : 0));
    const pose = { position: { x, y, z: 0 }, orientation: fromYaw(yawRad) };
    this.#bridge.publish("/amcl_pose", { header: header(atS, "map"), pose: { pose, covariance } });
    // Odometry is rotated and shifted against the map, so that only code that resolves TF up to the map gets the
    // right pose.
    this.#bridge.publish("/tf", {
      transforms: [
        transform(atS + 0.5, "map", "odom", { x: -1, y: 2, z: 0 }, 0),
        transform(atS, "odom", "base_link", { x: x + 1, y: y - 2, z: 0 }, yawRad),
      ],
    });
    if (this.#ticks % PICTURE_TICKS === 0) await this.#picture(atS);
  }

  #move(): void {
    const { isLockStep, speedMps = 0.4 } = this.#script;
    const { x, y, yawRad } = this.#at;
    if (isLockStep) {
      const { forward, turn } =
        this.#twist.ticks++ * TICK_S > BASE_STOPS_S ? { forward: 0, turn: 0 } : this.#twist;
      const along = forward * TICK_S;
      this.#at = {
        x: x + Math.cos(yawRad) * along,
        y: y + Math.sin(yawRad) * along,
        yawRad: yawRad + turn * TICK_S,
      };
      return;
    }
    const running = this.#running;
    if (!running) return;
    const end = (status: number) => {
      this.#running = undefined;
      const { id, reply } = running;
      if (id)
        reply({ op: "action_result", id, action: "/navigate_to_pose", values: {}, status, result: true });
    };
    if (running.isCancelled) {
      end(5);
      return;
    }
    const { goal, way, fate, id } = running;
    const isGivenUp = fate === "aborted" && this.#ticks % PICTURE_TICKS === 0;
    if (isGivenUp || fate === "elsewhere") {
      end(isGivenUp ? 6 : 4);
      return;
    }
    let stepM = speedMps * TICK_S;
    for (let next = way[0]; next && stepM > 0; next = way[0]) {
      const { x, y } = this.#at;
      const leftM = Math.hypot(next.x - x, next.y - y);
      if (leftM > stepM) {
        const share = stepM / leftM;
        const yawRad = Math.atan2(next.y - y, next.x - x);
        this.#at = { x: x + (next.x - x) * share, y: y + (next.y - y) * share, yawRad };
        break;
      }
      this.#at = { ...this.#at, x: next.x, y: next.y };
      stepM -= leftM;
      way.shift();
    }
    const { length: left } = way;
    if (left === 0) {
      this.#at = goal;
      end(4);
    } else if (id)
      running.reply({
        op: "action_feedback",
        id,
        action: "/navigate_to_pose",
        values: { distance_remaining: Math.hypot(goal.x - this.#at.x, goal.y - this.#at.y) },
      });
  }

  #sayFixed(): void {
    const { p, q } = this.#script.baseFromCamera ?? EYE;
    const fixed = transform(T0_S, "base_link", "camera_optical_frame", p, 0);
    this.#bridge.publish("/tf_static", {
      transforms: [{ ...fixed, transform: { translation: p, rotation: q } }],
    });
  }

  async #picture(atS: number): Promise<void> {
    const { rgb, depth, intrinsics } = await (this.#script.see ?? greyWall)(this.#at, atS * 1e6);
    const { width, height, fx, fy, cx, cy } = intrinsics;
    const stamp = header(atS, "camera_optical_frame");
    // Calibrations place pixel centres at integer coordinates.
    const k = [fx, 0, cx - 0.5, 0, fy, cy - 0.5, 0, 0, 1];
    this.#bridge.publish("/camera/color/camera_info", { header: stamp, width, height, k, d: [], p: [] });
    const png = await encodeGrey16({ width, height, data: depth!.data });
    this.#bridge.publish("/camera/color/image_raw/compressed", {
      header: stamp,
      format: "png",
      data: await encodeColour(rgb!, "png"),
    });
    this.#bridge.publish("/camera/depth/image_rect_raw/compressedDepth", {
      header: stamp,
      format: "16UC1; compressedDepth png",
      data: Buffer.concat([Buffer.alloc(12), png]),
    });
  }
}

interface RosPose {
  readonly position: { readonly x: number; readonly y: number };
  readonly orientation: { readonly z: number; readonly w: number };
}

function poseOf({ position: { x, y }, orientation: { z, w } }: RosPose): RobotPose {
  return { x, y, yawRad: 2 * Math.atan2(z, w) };
}

function header(seconds: number, frame_id: string) {
  const sec = Math.floor(seconds + 1e-9);
  return { stamp: { sec, nanosec: Math.round((seconds - sec) * 10) * 1e8 }, frame_id };
}

function transform(atS: number, parent: string, child: string, translation: object, yawRad: number) {
  return {
    header: header(atS, parent),
    child_frame_id: child,
    transform: { translation, rotation: fromYaw(yawRad) },
  };
}

async function greyWall(): Promise<Pick<Frame, "rgb" | "depth" | "intrinsics">> {
  const [width, height] = [32, 24];
  return {
    rgb: { width, height, data: new Uint8Array(width * height * 3).fill(120) },
    depth: { width, height, data: new Uint16Array(width * height).fill(2_000), unitM: 0.001 },
    intrinsics: { width, height, fx: 30, fy: 30, cx: 16, cy: 12 },
  };
}
