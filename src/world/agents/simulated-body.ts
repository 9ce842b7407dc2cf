import type { Vec3 } from "../../geometry/index.ts";
import { throwIfAborted } from "../../schema/index.ts";
import type { Frame } from "../../sensors/index.ts";
import { arcTangent2, type CameraSpec, DEFAULT_CAMERA, type RenderPool, sinCos } from "../sensors/index.ts";
import type { Body, BodyAction, StepResult } from "./body.ts";
import type { Eyes } from "./eyes.ts";
import { lengthOfPath, type Navigator } from "./navigator.ts";
import { type BodyPose, DEFAULT_MOTION, type Motion, Trajectory } from "./trajectory.ts";

/** A blind step forward is cut into pieces this long and ends before the first that is not free. */
const PROBE_M = 0.1;
const FREE_WITHIN_M = 0.06;
const TILT_S = 0.5;

export interface SimulatedBodyOptions {
  readonly agentId: string;
  readonly eyes: Eyes;
  readonly pool: RenderPool;
  readonly navigator: Navigator;
  readonly startUs: number;
  readonly start: { readonly positionInWorld: Vec3; readonly yawRad: number };
  readonly camera?: CameraSpec | undefined;
  readonly motion?: Motion | undefined;
}

/**
 * The Body of the simulator. Time passes for it as it acts; the world is a function of time, so several bodies
 * live in one world without knowing each other. Frames are without noise and carry the exact pose.
 */
export class SimulatedBody implements Body {
  readonly agentId: string;
  readonly #options: SimulatedBodyOptions;
  readonly #camera: CameraSpec;
  readonly #motion: Motion;
  #pose: BodyPose;
  #timeUs: number;
  #frames = 0;

  constructor(options: SimulatedBodyOptions) {
    this.agentId = options.agentId;
    this.#options = options;
    this.#camera = options.camera ?? DEFAULT_CAMERA;
    this.#motion = options.motion ?? DEFAULT_MOTION;
    this.#pose = { ...options.start, tiltRad: this.#camera.tiltRad };
    this.#timeUs = options.startUs;
  }

  get timeUs(): number {
    return this.#timeUs;
  }

  get pose(): BodyPose {
    return this.#pose;
  }

  async step(action: BodyAction, options: { signal?: AbortSignal | undefined } = {}): Promise<StepResult> {
    throwIfAborted(options.signal);
    const trajectory = new Trajectory(this.#timeUs, this.#pose);
    const { distanceM, blocked } = this.#perform(action, trajectory);
    this.#pose = trajectory.end;
    this.#timeUs = trajectory.endUs;
    return { pose: this.#pose, timeUs: this.#timeUs, distanceM, blocked };
  }

  async observe(options: { signal?: AbortSignal | undefined } = {}): Promise<Frame> {
    throwIfAborted(options.signal);
    const { eyes, pool } = this.#options;
    const index = this.#frames++;
    return eyes.frame({
      index,
      agentId: this.agentId,
      pose: this.#pose,
      timeUs: this.#timeUs,
      camera: this.#camera,
      pool,
    });
  }

  #perform(action: BodyAction, trajectory: Trajectory): { distanceM: number; blocked: boolean } {
    const still = { distanceM: 0, blocked: false };
    switch (action.type) {
      case "turn":
        trajectory.turnBy(action.angleRad, this.#motion);
        return still;
      case "look":
        trajectory.tilt(action.tiltRad, TILT_S);
        return still;
      case "wait":
        trajectory.wait(action.durationUs / 1e6);
        return still;
      case "forward":
        return this.#forward(action.distanceM, trajectory);
      case "go-to": {
        const path = this.#options.navigator.path(
          this.#pose.positionInWorld,
          action.positionInWorld,
          this.#timeUs,
        );
        if (!path) return { distanceM: 0, blocked: true };
        trajectory.follow(path, this.#motion);
        if (action.yawRad !== undefined) trajectory.turnTo(action.yawRad, this.#motion);
        return { distanceM: lengthOfPath([this.#pose.positionInWorld, ...path]), blocked: false };
      }
    }
  }

  #forward(distanceM: number, trajectory: Trajectory): { distanceM: number; blocked: boolean } {
    const { positionInWorld: from, yawRad } = this.#pose;
    const { sin, cos } = sinCos(yawRad);
    const pieces = Math.max(1, Math.ceil(Math.abs(distanceM) / PROBE_M));
    let reached = 0;
    for (let n = 1; n <= pieces; n++) {
      const way = (distanceM * n) / pieces;
      const next = { x: from.x + cos * way, y: from.y + sin * way, z: from.z };
      const stand = this.#options.navigator.standNear(next, this.#timeUs);
      const offX = (stand?.x ?? Infinity) - next.x;
      const offY = (stand?.y ?? Infinity) - next.y;
      if (!(offX * offX + offY * offY <= FREE_WITHIN_M * FREE_WITHIN_M)) break;
      reached = way;
    }
    if (reached !== 0) {
      const end = { x: from.x + cos * reached, y: from.y + sin * reached, z: from.z };
      const heading = arcTangent2(sin, cos);
      trajectory.follow([end], this.#motion);
      trajectory.turnTo(heading, this.#motion);
    }
    return { distanceM: Math.abs(reached), blocked: reached !== distanceM };
  }
}
