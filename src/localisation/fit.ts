import { solveSymmetric3 } from "../geometry/index.ts";
import type { Samples } from "./samples.ts";
import { type Surfels, VOXEL_M } from "./surfels.ts";

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

const ROUNDS = 8;
const WIDE_ROUNDS = 3;
const NARROW_M = 0.03;
const ON_SURFACE_M = 0.03;
/** Neighbouring pixels have correlated errors: each counts as this share of an independent one. */
const INDEPENDENT = 0.1;
const SETTLED_M = 1.5e-3;
const SETTLED_RAD = 5e-4;

/**
 * The rotation and shift that register a frame's samples on known surfaces: point to plane (Chen & Medioni 1992) over
 * the ground, with Geman–McClure weights from wide to narrow, and the initial pose as a prior.
 */
export function layOn(surfels: Surfels, samples: Samples, start: Stand, options: FitOptions): Fit {
  const { count, points, normals, sdM } = samples;
  const [priorTurn, priorShift] = [1 / options.sdRad ** 2, 1 / options.sdM ** 2];
  const wideRounds = options.wideM > VOXEL_M ? WIDE_ROUNDS : 1;
  const reach = options.wideM > VOXEL_M ? Math.ceil(options.wideM / VOXEL_M) : 0;
  let [turn, dx, dy] = [0, 0, 0];
  let [met, lying, gain] = [0, 0, 0];
  for (let round = 0; round < ROUNDS; round++) {
    const isWide = round < wideRounds;
    const scale = isWide ? options.wideM : NARROW_M;
    const [cos, sin] = [Math.cos(start.turnRad + turn), Math.sin(start.turnRad + turn)];
    let [a, b, c, d, e, f] = [priorTurn, 0, 0, priorShift, 0, priorShift];
    let [u, v, w] = [-turn * priorTurn, -dx * priorShift, -dy * priorShift];
    met = 0;
    lying = 0;
    for (let i = 0; i < count; i++) {
      const [px, py] = [points[3 * i]!, points[3 * i + 1]!];
      const [ox, oy] = [cos * px - sin * py, sin * px + cos * py];
      const [x, y] = [start.x + dx + ox, start.y + dy + oy];
      const [mx, my] = [normals[2 * i]!, normals[2 * i + 1]!];
      const z = start.z + points[3 * i + 2]!;
      const piece = surfels.nearest(
        x,
        y,
        z,
        cos * mx - sin * my,
        sin * mx + cos * my,
        isWide ? reach : 0,
        options.owner,
      );
      if (piece < 0) continue;
      surfels.offset(piece, x, y, OFFSET);
      const [nx, ny, off] = [OFFSET[0]!, OFFSET[1]!, OFFSET[2]!];
      met++;
      if (Math.abs(off) < ON_SURFACE_M) lying++;
      const share = (scale * scale) / (scale * scale + off * off);
      const weight = (INDEPENDENT * share * share) / (sdM[i]! * sdM[i]!);
      const swing = ny * ox - nx * oy;
      a += weight * swing * swing;
      b += weight * swing * nx;
      c += weight * swing * ny;
      d += weight * nx * nx;
      e += weight * nx * ny;
      f += weight * ny * ny;
      u += weight * swing * off;
      v += weight * nx * off;
      w += weight * ny * off;
    }
    const [stepTurn, stepX, stepY] = solveSymmetric3([a, b, c, d, e, f], [u, v, w]);
    if (round === 0) gain = u * stepTurn + v * stepX + w * stepY;
    if (gain < options.leastGain) break;
    turn += stepTurn;
    dx += stepX;
    dy += stepY;
    if (met === 0) break;
    if (!isWide && Math.abs(stepTurn) < SETTLED_RAD && Math.hypot(stepX, stepY) < SETTLED_M) break;
  }
  const stand = { x: start.x + dx, y: start.y + dy, z: start.z, turnRad: start.turnRad + turn };
  return { stand, met, lying, gain };
}

/** Output of `offset`; never used re-entrantly. */
const OFFSET = new Float64Array(3);
