import { isLociError, LociError } from "../../schema/index.ts";
import {
  type BasePose,
  type Body,
  type BodyModel,
  type CallLimits,
  type Frame,
  type GoLimits,
  type GoOutcome,
  type Look,
  PoseWatch,
  type ReadOptions,
  RobotDriver,
  type Stand,
  type Went,
  type Whereabouts,
} from "../../sensors/index.ts";
import { GoalMover } from "./goal-movers.ts";
import type { Mover } from "./mover.ts";
import { RobotEyes } from "./robot-eyes.ts";
import { type FloorView, VelocityMover } from "./velocity-mover.ts";
import { wrapped } from "./waypoint-follower.ts";

export interface Ros2BodyOptions {
  /** rosbridge://HOST:PORT or ws://HOST:PORT; default port 9090. */
  readonly url: string;
  readonly agentId: string;
  /** nav2: NavigateToPose, or a goal on a topic without that action. velocity: we drive, over `floor`. */
  readonly by?: "nav2" | "velocity" | undefined;
  readonly floor?: (() => FloorView | undefined) | undefined;
  readonly worldFrame?: string | undefined;
  readonly baseFrame?: string | undefined;
  readonly model?: Partial<BodyModel> | undefined;
  /** How its pictures are decoded. */
  readonly read?: ReadOptions | undefined;
  /** How long to wait for a picture, and for a pose. */
  readonly lookMs?: number | undefined;
  readonly silentMs?: number | undefined;
  /** How long a bridge may take to respond to a goal before it counts as without action support. */
  readonly answerMs?: number | undefined;
  readonly tries?: number | undefined;
  readonly pauseMs?: number | undefined;
  readonly settleMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const LOOK_MS = 15_000;
const SILENT_MS = 10_000;
/** Conservative TurtleBot values; the camera's own intrinsics override them. */
const MODEL: BodyModel = {
  radiusM: 0.22,
  speedMps: 0.4,
  turnRadps: 1,
  eyeHeightM: 1,
  horizontalFovRad: 1.2,
  focalPx: 500,
  sightM: 5,
};
const REST_MS = 2_000;
/** Nav2 stops within 0.25 m by default; beyond twice that it has not arrived. */
const ARRIVED_M = 0.5;

/** A robot behind rosbridge as an explorer's body. It holds only connections; `close` releases them. */
export async function openRos2Body(options: Ros2BodyOptions): Promise<Ros2Body> {
  const {
    url,
    agentId,
    by = "nav2",
    floor,
    worldFrame,
    baseFrame,
    tries,
    pauseMs,
    settleMs,
    signal,
  } = options;
  if (by === "velocity" && !floor)
    throw new LociError("invalid-input", "driving by velocities needs a map of the floor");
  const poses = await PoseWatch.open({ url, worldFrame, baseFrame, tries, pauseMs });
  let eyes: RobotEyes | undefined;
  try {
    const first = await poses.known(options.silentMs ?? SILENT_MS, signal);
    eyes = await RobotEyes.open(url, { ...options.read, agentId, worldFrame: first.worldFrame });
    const { answerMs, silentMs } = options;
    const driver = new RobotDriver({
      url,
      mapFrame: first.worldFrame,
      tries,
      pauseMs,
      settleMs,
      answerMs,
      silentMs,
    });
    const mover: Mover =
      by === "velocity"
        ? new VelocityMover({
            driver,
            poses,
            floor: floor!,
            limits: { speedMps: options.model?.speedMps ?? MODEL.speedMps },
          })
        : new GoalMover(driver, poses);
    const seen = await eyes.first(options.lookMs ?? LOOK_MS, signal);
    const model = { ...MODEL, ...modelOf(seen, first), ...options.model };
    return new Ros2Body({ options, model, poses, eyes, driver, mover });
  } catch (error) {
    await eyes?.close();
    await poses.close();
    throw error;
  }
}

/** The camera model derived from a picture's intrinsics and pose. */
function modelOf({ intrinsics: { fx, width }, worldFromCamera }: Frame, base: BasePose): Partial<BodyModel> {
  return {
    focalPx: fx,
    horizontalFovRad: 2 * Math.atan(width / (2 * fx)),
    ...(worldFromCamera && { eyeHeightM: worldFromCamera.p.z - base.worldFromBase.p.z }),
  };
}

interface Parts {
  readonly options: Ros2BodyOptions;
  readonly model: BodyModel;
  readonly poses: PoseWatch;
  readonly eyes: RobotEyes;
  readonly driver: RobotDriver;
  readonly mover: Mover;
}

export class Ros2Body implements Body {
  readonly agentId: string;
  readonly model: BodyModel;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.agentId = parts.options.agentId;
    this.model = parts.model;
  }

  async whereabouts({ signal }: CallLimits = {}): Promise<Whereabouts> {
    const { poses, options } = this.#parts;
    return standOf(await poses.known(options.silentMs ?? SILENT_MS, signal));
  }

  async look({ signal }: CallLimits = {}): Promise<Look> {
    const { poses, eyes, options } = this.#parts;
    const frames = await eyes.look(poses.latest?.timeUs ?? 0, options.lookMs ?? LOOK_MS, signal);
    return { frames, edges: [] };
  }

  async go(to: Stand, limits: GoLimits = {}): Promise<Went> {
    const { poses, mover, options } = this.#parts;
    const ride = new Ride(await this.whereabouts(limits), limits, options.silentMs ?? SILENT_MS);
    const off = poses.listen((pose) => ride.saw(standOf(pose)));
    try {
      const maxSpeedMps = Math.min(limits.maxSpeedMps ?? Infinity, this.model.speedMps);
      const { outcome, why } = await mover.move(to, { signal: ride.signal, maxSpeedMps });
      // The result can overtake the last pose, because they use two connections.
      await poses.next(REST_MS).catch(() => {});
      const offM = Math.hypot(
        ride.at.positionInWorld.x - to.positionInWorld.x,
        ride.at.positionInWorld.y - to.positionInWorld.y,
      );
      if (outcome === "arrived" && offM > ARRIVED_M)
        return ride.went("stuck", `it says that it arrived and stands ${offM.toFixed(1)} m off`);
      return ride.went(outcome, why);
    } catch (error) {
      if (!isLociError(error, "aborted") || ride.ended === undefined) throw error;
      if (ride.ended.isLost) throw new LociError("source-unavailable", `${this.agentId}: ${ride.ended.why}`);
      return ride.went(ride.ended.outcome, ride.ended.why);
    } finally {
      off();
      ride.end();
    }
  }

  async close(): Promise<void> {
    const { eyes, poses, driver } = this.#parts;
    await eyes.close();
    await poses.close();
    await driver.close();
  }
}

interface Ended {
  readonly outcome: GoOutcome;
  readonly why: string;
  readonly isLost?: boolean;
}

/** Measures one drive: metres, turns, time by the robot's clock, and the silence that ends it. */
class Ride {
  readonly #limits: GoLimits;
  readonly #silentMs: number;
  readonly #start: Whereabouts;
  readonly #controller = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pathM = 0;
  #turnRad = 0;
  at: Whereabouts;
  ended: Ended | undefined;

  constructor(start: Whereabouts, limits: GoLimits, silentMs: number) {
    this.#limits = limits;
    this.#silentMs = silentMs;
    this.#start = start;
    this.at = start;
    limits.signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (limits.signal?.aborted) this.#onAbort();
    this.#wait();
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  saw(at: Whereabouts): void {
    const { maxPathM = Infinity, maxTimeS = Infinity, onMove } = this.#limits;
    const [a, b] = [this.at.positionInWorld, at.positionInWorld];
    this.#pathM += Math.hypot(a.x - b.x, a.y - b.y);
    this.#turnRad += Math.abs(wrapped(at.yawRad - this.at.yawRad));
    this.at = at;
    if (!this.ended) this.#wait();
    if (this.#pathM >= maxPathM)
      this.#stop({ outcome: "limit", why: `it has driven ${maxPathM.toFixed(1)} m` });
    if ((at.timeUs - this.#start.timeUs) / 1e6 >= maxTimeS)
      this.#stop({ outcome: "limit", why: `it has driven for ${maxTimeS} s` });
    onMove?.(at);
  }

  went(outcome: GoOutcome, why: string | undefined): Went {
    return {
      outcome,
      pathM: this.#pathM,
      turnRad: this.#turnRad,
      at: this.at,
      ...(why !== undefined && { why }),
    };
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#limits.signal?.removeEventListener("abort", this.#onAbort);
  }

  readonly #onAbort = (): void => this.#stop({ outcome: "cancelled", why: "the drive was ended" });

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () =>
        this.#stop({
          outcome: "stuck",
          why: `it has not said where it is for ${this.#silentMs / 1000} s and was told to stop`,
          isLost: true,
        }),
      this.#silentMs,
    );
  }

  #stop(ended: Ended): void {
    this.ended ??= ended;
    clearTimeout(this.#timer);
    this.#controller.abort();
  }
}

function standOf({ timeUs, worldFromBase: { p }, yawRad, sdM, yawSdRad }: BasePose): Whereabouts {
  return { timeUs, positionInWorld: p, yawRad, sdM, yawSdRad };
}
