import { fromAxisAngle, multiply, normalizeQuat, type Transform } from "../geometry/index.ts";
import type { Freedom, NormalEquations } from "./normal-equations.ts";

/** What the points of a frame meet on known surfaces from one pose. */
export interface Contacts {
  /** Of the step from this pose, about the camera, along the axes of the known surfaces. */
  readonly equations: NormalEquations;
  /** Points compared, and those of them that met a surface. */
  readonly shown: number;
  readonly met: number;
}

/** Information about each of the six unknowns, and the pose it speaks for; without one it only holds each step small. */
export interface Prior {
  readonly at?: Transform;
  readonly information: readonly number[];
}

/** The iterations with one search range; the association defines what else a stage has. */
interface Stage {
  readonly rounds: number;
}

export interface Registration<S extends Stage, C extends Contacts> {
  /** Search ranges from wide to narrow. */
  readonly stages: readonly S[];
  /** The contacts from a pose; undefined if they are too few to continue. */
  readonly meet: (pose: Transform, stage: S) => C | undefined;
  readonly priors?: readonly Prior[];
  /** The unknowns that are solved for; default all six. */
  readonly free?: Freedom;
  /** Below this reduction of the sum of squares by the first step, the pose is kept. */
  readonly leastGain?: number;
  /** Greatest rotation of one step. */
  readonly mostTurnRad?: number;
  /** Smaller steps end a stage. */
  readonly doneM: number;
  readonly doneRad: number;
}

export interface Registered<C extends Contacts> {
  readonly pose: Transform;
  /** Of the last round, before its step. */
  readonly contacts: C;
  /** Reduction of the sum of squares by the first step. */
  readonly gain: number;
}

/**
 * The pose that registers a frame on known surfaces: point to plane (Chen and Medioni 1992), Gauss-Newton steps with
 * priors, over the unknowns that are free. What the surfaces are stored in, and how points are associated with them, is
 * `meet`. Undefined if contacts are too few or leave an unknown without an answer.
 */
export function register<S extends Stage, C extends Contacts>(
  start: Transform,
  { stages, meet, priors = [], free, leastGain = 0, mostTurnRad, doneM, doneRad }: Registration<S, C>,
): Registered<C> | undefined {
  let pose = start;
  let [contacts, gain]: [C | undefined, number | undefined] = [undefined, undefined];
  for (const stage of stages) {
    for (let round = 0; round < stage.rounds; round++) {
      contacts = meet(pose, stage);
      if (!contacts) return undefined;
      const { equations } = contacts;
      for (const { at, information } of priors)
        equations.addPrior(at ? motionBetween(pose, at) : NO_MOTION, information);
      const step = equations.solve(free);
      if (!step) return undefined;
      gain ??= equations.gain(step);
      if (gain < leastGain) return { pose, contacts, gain };
      const turnRad = Math.hypot(step[0]!, step[1]!, step[2]!);
      if (mostTurnRad !== undefined && turnRad > mostTurnRad)
        for (let axis = 0; axis < 3; axis++) step[axis]! *= mostTurnRad / turnRad;
      pose = moved(pose, step);
      if (turnRad < doneRad && Math.hypot(step[3]!, step[4]!, step[5]!) < doneM) break;
    }
  }
  return contacts && { pose, contacts, gain: gain ?? 0 };
}

const NO_MOTION = [0, 0, 0, 0, 0, 0];

/** Tukey's biweight: residuals beyond the gate are other surfaces, and have no influence. */
export function tukey(residual: number, gate: number): number {
  const share = residual / gate;
  return Math.abs(share) < 1 ? (1 - share * share) * (1 - share * share) : 0;
}

/** Geman and McClure's weight: the influence of a residual beyond the scale decreases, but never ends. */
export function gemanMcClure(residual: number, scale: number): number {
  const share = (scale * scale) / (scale * scale + residual * residual);
  return share * share;
}

/** A pose changed by six numbers: a rotation vector about the camera, then metres, along the origin's axes. */
export function moved({ p, q }: Transform, by: ArrayLike<number>): Transform {
  const [wx, wy, wz] = [by[0]!, by[1]!, by[2]!];
  const angle = Math.hypot(wx, wy, wz);
  const turn =
    angle > 1e-12
      ? fromAxisAngle({ x: wx / angle, y: wy / angle, z: wz / angle }, angle)
      : { w: 1, x: 0, y: 0, z: 0 };
  return { p: { x: p.x + by[3]!, y: p.y + by[4]!, z: p.z + by[5]! }, q: normalizeQuat(multiply(turn, q)) };
}

/** The six numbers between two poses; the inverse of `moved`. */
export function motionBetween(
  from: Transform,
  to: Transform,
): [number, number, number, number, number, number] {
  const conjugate = { w: from.q.w, x: -from.q.x, y: -from.q.y, z: -from.q.z };
  const raw = multiply(to.q, conjugate);
  const sign = raw.w < 0 ? -1 : 1;
  const sine = Math.hypot(raw.x, raw.y, raw.z);
  const angle = 2 * Math.atan2(sine, Math.abs(raw.w));
  const scale = sine > 1e-12 ? (sign * angle) / sine : 2 * sign;
  return [
    raw.x * scale,
    raw.y * scale,
    raw.z * scale,
    to.p.x - from.p.x,
    to.p.y - from.p.y,
    to.p.z - from.p.z,
  ];
}
