import {
  compose,
  distance,
  fromAxisAngle,
  IDENTITY,
  invert,
  type Transform,
  transformDelta,
} from "../../geometry/index.ts";
import type { Slam, SlamEstimate, SlamInput } from "../../schema/index.ts";
import { weakestDirection } from "../normal-equations.ts";
import { moved, register } from "../registration.ts";
import { ODOMETRY } from "../settings.ts";
import { measureFit, type Reference } from "./alignment.ts";
import { type Surface, surfacesOf } from "./surface.ts";

/** From coarse to fine: resolution, distance limit, iterations. */
const STAGES = [
  { level: 2, gateM: 0.25, rounds: 6, stride: 1 },
  { level: 1, gateM: 0.12, rounds: 6, stride: 1 },
  { level: 0, gateM: 0.05, rounds: 3, stride: 3 },
] as const;
/** Rotations about the vertical tried when extrapolation does not fit. */
const TURNS_RAD = [
  0,
  ...Array.from({ length: ODOMETRY.turns }, (_, n) => (n + 1) * ODOMETRY.turnRad).flatMap((rad) => [
    rad,
    -rad,
  ]),
];
const STEPS_M = [-0.32, -0.24, -0.18, -0.12, -0.06, 0.06, 0.12, 0.18, 0.24, 0.32];

/** Smaller steps end the iteration. */
const DONE = { doneM: 1e-5, doneRad: 1e-5 };

interface Keyframe {
  readonly surfaces: readonly Surface[];
  readonly originFromCamera: Transform;
}

/**
 * Odometry from depth: each picture is aligned with the nearest keyframes by point-to-plane ICP over a pyramid,
 * starting from the extrapolated motion or, if that does not fit, from a rotation that does. Deterministic. A simple
 * fallback, not SLAM: it forgets old places, closes no loops, and drifts.
 */
export class IcpOdometry implements Slam {
  readonly #keyframes: Keyframe[] = [];
  /** Those near enough for the current picture. */
  #around: readonly Keyframe[] = [];
  readonly #covariance = new Float64Array(36);
  #last: Transform = IDENTITY;
  /** Distance travelled with an unconstrained direction: errors there add up and do not average out. */
  #openM = 0;
  /** cameraBeforeFromCamera of the last step, for extrapolation. */
  #step: Transform = IDENTITY;

  async track(input: SlamInput): Promise<SlamEstimate | undefined> {
    if (!input.depth) return undefined;
    const surfaces = surfacesOf(input.depth, input.intrinsics, ODOMETRY.levels, input.rgb);
    if (this.#keyframes.length === 0) {
      if (surfaces[1]!.valid.length < ODOMETRY.leastMatches) return undefined;
      this.#keep(surfaces, IDENTITY);
      return this.#estimate(IDENTITY, true);
    }
    const around = this.#keyframes.filter(
      ({ originFromCamera: { p } }) => distance(p, this.#last.p) < 2 * ODOMETRY.sameM,
    );
    this.#around = around.length > 0 ? around : this.#keyframes;
    const start = this.#start(surfaces[2]!);
    const pose = this.#unslid(surfaces, this.#refine(surfaces, start));
    const references = this.#near(pose, 1);
    const last = measureFit(surfaces[1]!, pose, references, STAGES[1].gateM);
    const isTracked = last.met >= ODOMETRY.leastMatches && last.met >= ODOMETRY.trackedShare * last.shown;
    const settled = isTracked ? pose : compose(this.#last, this.#step);
    this.#drift(settled, last.equations.covariance(), isTracked);
    this.#step = isTracked ? compose(invert(this.#last), settled) : IDENTITY;
    this.#last = settled;
    const newest = this.#nearest(settled);
    const { translationM, rotationRad } = transformDelta(newest.originFromCamera, settled);
    const overlap = last.shown / Math.max(1, surfaces[1]!.valid.length * references.length);
    if (
      !isTracked ||
      translationM > ODOMETRY.keyframeM ||
      rotationRad > ODOMETRY.keyframeRad ||
      overlap < ODOMETRY.overlapShare / 2
    )
      this.#keep(surfaces, settled);
    return this.#estimate(settled, isTracked);
  }

  /** The initial pose: the guess under which the coarse picture fits best after two iterations. */
  #start(coarse: Surface): Transform {
    const predicted = compose(this.#last, this.#step);
    let best = { score: -Infinity, pose: predicted };
    for (const origin of [predicted, this.#last]) {
      for (const turn of TURNS_RAD) {
        // About the camera's own vertical, because the origin's up axis is unknown.
        const guess = compose(origin, { p: IDENTITY.p, q: fromAxisAngle({ x: 0, y: 1, z: 0 }, turn) });
        const references = this.#near(guess, 2);
        const found = register(guess, {
          stages: [{ rounds: ODOMETRY.startRounds }],
          meet: (at) => measureFit(coarse, at, references, ODOMETRY.startGateM, 2),
          priors: [{ information: PRIOR }],
          ...DONE,
        });
        const pose = found?.pose ?? guess;
        const { met, shown, meanM, meanLuma } = measureFit(coarse, pose, references, ODOMETRY.startFitM, 2);
        const leap = transformDelta(pose, predicted).translationM / ODOMETRY.leapM;
        const score =
          met /
          Math.max(shown, coarse.valid.length * ODOMETRY.startShare) /
          (ODOMETRY.startM + meanM) /
          (ODOMETRY.startLuma + meanLuma) /
          (1 + leap * leap);
        if (score > best.score) best = { score, pose };
        if (
          turn === 0 &&
          origin === predicted &&
          met > ODOMETRY.goodShare * shown &&
          meanM < ODOMETRY.goodM &&
          meanLuma < ODOMETRY.goodLuma
        )
          return pose;
      }
    }
    return best.pose;
  }

  /**
   * Where geometry leaves one direction unconstrained, a floor of regular planks looks much the same one plank
   * further, and alignment stops at the nearest match. So steps along that direction are tried, and texture decides.
   */
  #unslid(surfaces: readonly Surface[], pose: Transform): Transform {
    const fine = surfaces[1]!;
    const references = this.#near(pose, 1);
    const at = (where: Transform) => measureFit(fine, where, references, STAGES[1].gateM, 2);
    const here = at(pose);
    const covariance = here.equations.covariance();
    if (!covariance || here.meanLuma === 0) return pose;
    const { x, y, z, ratio } = weakestDirection(covariance);
    if (ratio < ODOMETRY.openRatio) return pose;
    let best = { pose, meanLuma: ODOMETRY.betterShare * here.meanLuma };
    for (const stepM of STEPS_M) {
      const tried = moved(pose, [0, 0, 0, x * stepM, y * stepM, z * stepM]);
      const { meanLuma, met } = at(tried);
      if (meanLuma < best.meanLuma && met > ODOMETRY.goodShare * here.met) best = { pose: tried, meanLuma };
    }
    if (best.pose === pose) return pose;
    const refined = this.#refine(surfaces, best.pose, 1);
    return at(refined).meanLuma < here.meanLuma ? refined : pose;
  }

  #refine(surfaces: readonly Surface[], start: Transform, from = 0): Transform {
    const predicted = compose(this.#last, this.#step);
    let [at, references]: [number, readonly Reference[]] = [-1, []];
    const found = register(start, {
      stages: STAGES.slice(from),
      meet: (pose, { level, gateM, stride }) => {
        // A stage keeps the references of its first round.
        if (level !== at) [at, references] = [level, this.#near(pose, level)];
        return measureFit(surfaces[level]!, pose, references, gateM, stride);
      },
      priors: [{ at: predicted, information: PRIOR }],
      ...DONE,
    });
    return found?.pose ?? start;
  }

  /** The keyframes with the best view of what a camera at a pose sees, at one resolution. */
  #near(pose: Transform, level: number): Reference[] {
    const apart = this.#around.map((keyframe) => {
      const { translationM, rotationRad } = transformDelta(keyframe.originFromCamera, pose);
      return { keyframe, far: translationM / ODOMETRY.sameM + rotationRad / ODOMETRY.sameRad };
    });
    apart.sort((a, b) => a.far - b.far);
    return apart
      .filter(({ far }, rank) => rank === 0 || far < 1)
      .slice(0, ODOMETRY.asked)
      .map(({ keyframe }) => ({
        surface: keyframe.surfaces[level]!,
        originFromCamera: keyframe.originFromCamera,
      }));
  }

  #nearest(pose: Transform): Keyframe {
    let best = this.#keyframes[0]!;
    let least = Infinity;
    for (const keyframe of this.#keyframes) {
      const { translationM, rotationRad } = transformDelta(keyframe.originFromCamera, pose);
      const far = translationM / ODOMETRY.keyframeM + rotationRad / ODOMETRY.keyframeRad;
      if (far < least) [best, least] = [keyframe, far];
    }
    return best;
  }

  #keep(surfaces: readonly Surface[], originFromCamera: Transform): void {
    this.#keyframes.push({ surfaces, originFromCamera });
    if (this.#keyframes.length > ODOMETRY.keyframes) this.#keyframes.shift();
  }

  #drift(pose: Transform, step: Float64Array | undefined, isTracked: boolean): void {
    const { translationM, rotationRad } = transformDelta(this.#last, pose);
    for (let i = 0; i < 36; i++)
      if (step && isTracked) this.#covariance[i]! += step[i]! * ODOMETRY.correlated;
    if (!step || weakestDirection(step).ratio >= ODOMETRY.openRatio)
      this.#openM += Math.max(translationM, ODOMETRY.leastOpenM);
    const doubtM = isTracked ? ODOMETRY.doubt * translationM : ODOMETRY.priorM;
    const doubtRad = isTracked ? ODOMETRY.doubt * rotationRad : ODOMETRY.priorRad;
    for (let i = 0; i < 6; i++) this.#covariance[i * 7]! += i < 3 ? doubtRad * doubtRad : doubtM * doubtM;
  }

  #estimate(originFromCamera: Transform, isTracked: boolean): SlamEstimate {
    const covariance = Float64Array.from(this.#covariance);
    for (let i = 3; i < 6; i++) covariance[i * 7]! += (ODOMETRY.openDoubt * this.#openM) ** 2;
    return { originFromCamera, covariance, isTracked };
  }
}

/**
 * Weighted like the correlated pixels, so that it constrains the directions about which the picture says almost
 * nothing.
 */
const PRIOR = [0, 1, 2, 3, 4, 5].map(
  (i) => ODOMETRY.correlated / (i < 3 ? ODOMETRY.priorRad ** 2 : ODOMETRY.priorM ** 2),
);
