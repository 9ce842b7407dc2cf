import { fromYaw, type Transform, toMatrix } from "../geometry/index.ts";
import { NormalEquations, PLANAR } from "./normal-equations.ts";
import { type Contacts, gemanMcClure, motionBetween, register } from "./registration.ts";
import type { Samples } from "./samples.ts";
import { LOCALISE } from "./settings.ts";
import type { Surfels } from "./surfels.ts";

/** A camera's position in a frame, and its rotation relative to the orientation of its samples. */
export interface Stand {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly turnRad: number;
}

export interface Fit {
  readonly stand: Stand;
  /** Samples that matched a known surface, and those of them that lie on it. */
  readonly met: number;
  readonly lying: number;
  /** Reduction of the sum of squares by the first step: about three from noise alone, hardly ever sixteen. */
  readonly gain: number;
}

export interface FitOptions {
  /** One standard deviation of the initial position and rotation. */
  readonly sdM: number;
  readonly sdRad: number;
  /** Search range of the first iterations. */
  readonly wideM: number;
  /** The owner whose own surfaces are ignored. */
  readonly owner: number;
  /** With a smaller gain the initial pose is kept. */
  readonly leastGain: number;
}

const SETTLED_M = 1.5e-3;
const SETTLED_RAD = 5e-4;

interface Met extends Contacts {
  readonly lying: number;
}

/**
 * The rotation and shift that register a frame's samples on known surfaces, over the ground, with Geman–McClure weights
 * from wide to narrow, and the initial pose as a prior.
 */
export function layOn(surfels: Surfels, samples: Samples, start: Stand, options: FitOptions): Fit {
  const { x, y, z, turnRad } = start;
  const { wideM, owner, leastGain } = options;
  const isWide = wideM > LOCALISE.voxelM;
  const wideRounds = isWide ? LOCALISE.wideRounds : 1;
  const [turn, way] = [1 / options.sdRad ** 2, 1 / options.sdM ** 2];
  const from: Transform = { p: { x, y, z }, q: fromYaw(turnRad) };
  const found = register(from, {
    stages: [
      { rounds: wideRounds, scaleM: wideM, reach: isWide ? Math.ceil(wideM / LOCALISE.voxelM) : 0 },
      { rounds: LOCALISE.rounds - wideRounds, scaleM: LOCALISE.narrowM, reach: 0 },
    ],
    meet: (pose, { scaleM, reach }) => meet(surfels, samples, pose, { scaleM, reach, owner }),
    priors: [{ at: from, information: [turn, turn, turn, way, way, way] }],
    free: PLANAR,
    leastGain,
    doneM: SETTLED_M,
    doneRad: SETTLED_RAD,
  });
  if (!found) return { stand: start, met: 0, lying: 0, gain: 0 };
  const { pose, contacts, gain } = found;
  const { p } = pose;
  // Not the yaw itself, which would jump by a full turn.
  const stand = { x: p.x, y: p.y, z, turnRad: turnRad + motionBetween(from, pose)[2] };
  return { stand, met: contacts.met, lying: contacts.lying, gain };
}

function meet(
  surfels: Surfels,
  { count, points, normals, sdM }: Samples,
  pose: Transform,
  { scaleM, reach, owner }: { readonly scaleM: number; readonly reach: number; readonly owner: number },
): Met {
  const equations = new NormalEquations();
  const { p } = pose;
  const m = toMatrix(pose.q);
  let met = 0;
  let lying = 0;
  for (let i = 0; i < count; i++) {
    const [px, py] = [points[3 * i]!, points[3 * i + 1]!];
    const [ox, oy] = [m[0] * px + m[1] * py, m[3] * px + m[4] * py];
    const [x, y, z] = [p.x + ox, p.y + oy, p.z + points[3 * i + 2]!];
    const [mx, my] = [normals[2 * i]!, normals[2 * i + 1]!];
    const piece = surfels.nearest(x, y, z, m[0] * mx + m[1] * my, m[3] * mx + m[4] * my, reach, owner);
    if (piece < 0) continue;
    surfels.offset(piece, x, y, OFFSET);
    const [nx, ny, off] = [OFFSET[0]!, OFFSET[1]!, OFFSET[2]!];
    met++;
    if (Math.abs(off) < LOCALISE.onSurfaceM) lying++;
    const weight = (LOCALISE.independentShare * gemanMcClure(off, scaleM)) / (sdM[i]! * sdM[i]!);
    equations.add(ox, oy, 0, nx, ny, 0, -off, weight);
  }
  return { equations, shown: count, met, lying };
}

/** Output of `offset`; never used re-entrantly. */
const OFFSET = new Float64Array(3);
