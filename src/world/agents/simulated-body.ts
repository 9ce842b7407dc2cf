import {
  apply,
  type Box,
  compose,
  invert,
  type Random,
  type Transform,
  transformBox,
  type Vec3,
  yawOf,
} from "../../geometry/index.ts";
import { throwIfAborted } from "../../schema/index.ts";
import type {
  Body,
  BodyModel,
  CallLimits,
  Frame,
  GoLimits,
  Look,
  Stand,
  TimedEdge,
  Went,
  Whereabouts,
} from "../../sensors/index.ts";
import { DriftingPose, type NoiseLevels, strength } from "../noise/index.ts";
import {
  type CameraSpec,
  DEFAULT_CAMERA,
  intrinsicsOf,
  quatFromYaw,
  type RenderPool,
  wrapAngle,
} from "../sensors/index.ts";
import type { Eyes } from "./eyes.ts";
import { lengthOfPath, type Navigator } from "./navigator.ts";
import { type BodyPose, DEFAULT_MOTION, type Motion, Trajectory } from "./trajectory.ts";

/** A goal inside an obstacle is moved to the nearest free place within this distance. */
const SNAP_M = 0.45;
/** A path longer than the straight line by this factor was not intended: an obstacle is in between. */
const DETOUR = 2;
const DETOUR_M = 2;
/** Beyond a few steps no straight line is expected. */
const FAR_M = 4;
/** Blind driving is split into pieces of this length and ends before the first that is not free. */
const PROBE_M = 0.1;
const FREE_WITHIN_M = 0.15;
/** Ends of a piece of path that differ this much in height are on two storeys. */
const STOREY_APART_M = 1;
/** Metres between frames on the way, and the heading change that a frame still covers. */
const FRAME_EVERY_M = 1.5;
const RADIUS_M = 0.2;
const SIGHT_M = 7;
/** Pose error of a SLAM at best, and per metre at the table's noise; loop closures stop it from growing further. */
const SD_M = 0.02;
const SD_PER_M = 0.01;
const OPEN_LOOP_M = 15;

export interface SimulatedBodyOptions {
  readonly agentId: string;
  readonly eyes: Eyes;
  readonly navigator: Navigator;
  readonly startUs: number;
  readonly start: Stand;
  /** Renders pictures; without it frames have depth, segments and text but no colours (visibility alone). */
  readonly pool?: RenderPool | undefined;
  readonly camera?: CameraSpec | undefined;
  readonly motion?: Motion | undefined;
  /** Noise of its sensors and odometry; clocks and networks of a live body are exact. */
  readonly noise?: { readonly random: Random; readonly levels: NoiseLevels } | undefined;
}

/**
 * The simulator's Body. It drives through the true free space at its own time and turns on the spot; time passes as
 * it acts. The world is a function of time, so several bodies share one world without knowing each other. With pose
 * noise its believed pose differs from the true one, and goals are interpreted at the believed pose.
 */
export class SimulatedBody implements Body {
  readonly agentId: string;
  readonly model: BodyModel;
  readonly #options: SimulatedBodyOptions;
  readonly #camera: CameraSpec;
  readonly #motion: Motion;
  readonly #drift: DriftingPose | undefined;
  #pose: BodyPose;
  #timeUs: number;
  #frames = 0;
  #wayM = 0;
  #pending: Frame[] = [];
  #edges: TimedEdge["edge"][] = [];

  constructor(options: SimulatedBodyOptions) {
    const { agentId, noise } = options;
    this.agentId = agentId;
    this.#options = options;
    this.#camera = options.camera ?? DEFAULT_CAMERA;
    this.#motion = options.motion ?? DEFAULT_MOTION;
    this.#pose = { ...options.start, tiltRad: this.#camera.tiltRad };
    this.#timeUs = options.startUs;
    const level = noise?.levels.pose ?? 0;
    this.#drift =
      noise && level > 0
        ? new DriftingPose(noise.random.fork("drift"), level, {
            // Submaps of another outing have other names.
            agentId: `${agentId}.${Math.round(options.startUs / 1e6)}`,
            mapFrame: "world",
          })
        : undefined;
    this.model = {
      radiusM: RADIUS_M,
      speedMps: this.#motion.speedMps,
      turnRadps: this.#motion.turnRadps,
      eyeHeightM: this.#camera.heightM,
      horizontalFovRad: this.#camera.horizontalFovRad,
      focalPx: intrinsicsOf(this.#camera).fx,
      sightM: SIGHT_M,
    };
  }

  /** Its true pose; for evaluators and tests. */
  get truth(): BodyPose & { readonly timeUs: number } {
    return { ...this.#pose, timeUs: this.#timeUs };
  }

  async whereabouts(limits: CallLimits = {}): Promise<Whereabouts> {
    throwIfAborted(limits.signal);
    return this.#believed();
  }

  async look(limits: CallLimits = {}): Promise<Look> {
    throwIfAborted(limits.signal);
    await this.#frame();
    const [frames, edges] = [this.#pending, this.#edges];
    [this.#pending, this.#edges] = [[], []];
    return { frames, edges };
  }

  async go(to: Stand, limits: GoLimits = {}): Promise<Went> {
    if (limits.signal?.aborted) return this.#went("cancelled", 0, 0, "it was cancelled before it set out");
    const aim = this.#true(to);
    const way = this.#way(aim.positionInWorld);
    if (typeof way === "string") return this.#went("refused", 0, 0, way);
    return this.#follow(way, limits, aim.yawRad);
  }

  async climb(flight: Box, limits: GoLimits = {}): Promise<Went> {
    const { navigator } = this.#options;
    const from = this.#pose.positionInWorld;
    const ends = navigator.flightIn?.(transformBox(this.#worldFromMap(), flight));
    if (ends === undefined) return this.#went("refused", 0, 0, "there are no stairs");
    const farZ = (end: Vec3): number => Math.abs(end.z - from.z);
    const end = farZ(ends.foot) > farZ(ends.head) ? ends.foot : ends.head;
    const points = navigator.path(from, end, this.#timeUs);
    if (points === undefined) return this.#went("refused", 0, 0, "no way leads to the stairs");
    return this.#follow({ points, isShort: false }, limits, this.#pose.yawRad);
  }

  async #follow(
    way: { readonly points: readonly Vec3[]; readonly isShort: boolean },
    { signal, maxPathM = Infinity, maxTimeS = Infinity }: GoLimits,
    yawRad: number,
  ): Promise<Went> {
    let [pathM, turnRad, sinceFrameM] = [0, 0, 0];
    const untilUs = this.#timeUs + maxTimeS * 1e6;
    for (const { point, isOnStairs } of pieces(this.#pose.positionInWorld, way.points)) {
      if (signal?.aborted) return this.#went("cancelled", pathM, turnRad, "it was cancelled on the way");
      const stepM = lengthOfPath([this.#pose.positionInWorld, point]);
      if (pathM + stepM > maxPathM + 1e-6) return this.#went("limit", pathM, turnRad, "its metres ran out");
      if (this.#timeUs > untilUs) return this.#went("limit", pathM, turnRad, "its time ran out");
      if (!isOnStairs && !this.#isFree(point))
        return this.#went(pathM > 0 ? "stuck" : "refused", pathM, turnRad, "something is in the way");
      turnRad += this.#drive((trajectory) => trajectory.follow([point], this.#motion));
      pathM += stepM;
      sinceFrameM += stepM;
      if (sinceFrameM < FRAME_EVERY_M) continue;
      sinceFrameM = 0;
      await this.#frame();
    }
    if (way.isShort)
      return this.#went(pathM > 0 ? "stuck" : "refused", pathM, turnRad, "something is in the way");
    turnRad += this.#drive((trajectory) => trajectory.turnTo(yawRad, this.#motion));
    return this.#went("arrived", pathM, turnRad);
  }

  /**
   * A path through the true free space; if a door has shut or the path is too long a detour, straight ahead as far as
   * possible.
   */
  #way(aim: Vec3): { readonly points: readonly Vec3[]; readonly isShort: boolean } | string {
    const { navigator } = this.#options;
    const from = this.#pose.positionInWorld;
    const end = navigator.standNear(aim, this.#timeUs);
    if (end === undefined || lengthOfPath([end, aim]) > SNAP_M) return "something stands there";
    const path = navigator.path(from, end, this.#timeUs);
    const straightM = lengthOfPath([from, end]);
    if (path !== undefined && (straightM > FAR_M || lengthOfPath(path) <= DETOUR * straightM + DETOUR_M))
      return { points: path, isShort: false };
    return { points: [end], isShort: true };
  }

  #isFree(point: Vec3): boolean {
    const stand = this.#options.navigator.standNear(point, this.#timeUs);
    return stand !== undefined && lengthOfPath([stand, point]) <= FREE_WITHIN_M;
  }

  /** Executes a motion; returns how far it turned. */
  #drive(motion: (trajectory: Trajectory) => void): number {
    const before = this.#pose;
    const trajectory = new Trajectory(this.#timeUs, before);
    motion(trajectory);
    this.#pose = trajectory.end;
    this.#timeUs = trajectory.endUs;
    this.#wayM += lengthOfPath([before.positionInWorld, this.#pose.positionInWorld]);
    return Math.abs(wrapAngle(this.#pose.yawRad - before.yawRad));
  }

  #went(outcome: Went["outcome"], pathM: number, turnRad: number, why?: string): Went {
    return { outcome, pathM, turnRad, at: this.#believed(), ...(why !== undefined && { why }) };
  }

  get #worldFromBody(): Transform {
    return { p: this.#pose.positionInWorld, q: quatFromYaw(this.#pose.yawRad) };
  }

  #belief() {
    const belief = this.#drift?.advance(this.#worldFromBody);
    if (belief) this.#edges.push(...belief.edges);
    return belief;
  }

  #believed(): Whereabouts {
    const { p, q } = this.#belief()?.mapFromBody ?? this.#worldFromBody;
    const level = strength(this.#options.noise?.levels.pose ?? 0);
    const sdM = this.#drift ? SD_M + SD_PER_M * level * Math.min(this.#wayM, OPEN_LOOP_M) : 0;
    return { positionInWorld: p, yawRad: yawOf(q), timeUs: this.#timeUs, sdM, yawSdRad: sdM / 2 };
  }

  /** The transform from believed to true positions. */
  #worldFromMap(): Transform {
    const { positionInWorld, yawRad } = this.#believed();
    return compose(this.#worldFromBody, invert({ p: positionInWorld, q: quatFromYaw(yawRad) }));
  }

  /** The true pose for a believed stand. */
  #true(stand: Stand): Stand {
    if (!this.#drift) return stand;
    const worldFromMap = this.#worldFromMap();
    const { positionInWorld, yawRad } = stand;
    return { positionInWorld: apply(worldFromMap, positionInWorld), yawRad: yawRad + yawOf(worldFromMap.q) };
  }

  async #frame(): Promise<void> {
    const { eyes, pool, noise } = this.#options;
    const index = this.#frames++;
    const { frame, truth } = await eyes.look({
      index,
      agentId: this.agentId,
      pose: this.#pose,
      timeUs: this.#timeUs,
      camera: this.#camera,
      ...(pool && { pool }),
      ...(noise && {
        noise: { random: noise.random.fork(`frame/${this.agentId}/${index}`), levels: noise.levels },
      }),
    });
    const belief = this.#belief();
    // A frame is identified by its time, so the next one must be later.
    this.#timeUs += 1;
    if (belief === undefined) {
      this.#pending.push(frame);
      return;
    }
    const fromBody = compose(invert(this.#worldFromBody), truth.worldFromCamera);
    this.#pending.push({
      ...frame,
      worldFromCamera: compose(belief.mapFromBody, fromBody),
      odometry: { frame: `${this.agentId}.odom`, odomFromBody: belief.odomFromBody },
      submap: {
        frame: belief.submap.frame,
        submapFromCamera: compose(belief.submap.submapFromBody, fromBody),
      },
    });
  }
}

/** A path cut into short pieces that keep its corners. */
function* pieces(
  from: Vec3,
  path: readonly Vec3[],
): Generator<{ readonly point: Vec3; readonly isOnStairs: boolean }> {
  let here = from;
  for (const point of path) {
    const count = Math.ceil(lengthOfPath([here, point]) / PROBE_M);
    for (let n = 1; n <= count; n++) {
      const share = n / count;
      yield {
        point: {
          x: here.x + (point.x - here.x) * share,
          y: here.y + (point.y - here.y) * share,
          z: here.z + (point.z - here.z) * share,
        },
        isOnStairs: Math.abs(point.z - here.z) > STOREY_APART_M,
      };
    }
    here = point;
  }
}
