import { fromYaw, type Transform, toMatrix } from "../../geometry/index.ts";
import { LEVEL, NormalEquations } from "../normal-equations.ts";
import { type Contacts, motionBetween, register } from "../registration.ts";
import type { Cloud } from "./cloud.ts";
import type { CellGrid } from "./grid.ts";
import type { Level } from "./level.ts";
import { ARRIVAL } from "./settings.ts";

/** Normals further apart than this (cosine) belong to different surfaces. */
const FACING = 0.7;

/** A pose registered on the known surfaces, and how firmly they constrain it over the ground. */
export interface Laid extends Level {
  /** Final share of samples on a surface. */
  readonly lying: number;
  /** The weakest and strongest constraint against a horizontal shift, in samples: along a bare wall it slides. */
  readonly holds: readonly [number, number];
}

/**
 * The effort of a registration: samples of the arriving cloud, iterations, and the search range of the first and
 * last.
 */
export interface Care {
  readonly samples: number;
  readonly rounds: number;
  readonly firstReachM: number;
  readonly lastReachM: number;
}

/** Greatest rotation of one step, and the information that holds an unconstrained direction: of one sample. */
const MOST_TURN_RAD = 0.1;
const HELD = [1, 1, 1, 1, 1, 1];

interface Met extends Contacts {
  readonly holds: Laid["holds"];
}

/** Registers one cloud on another over the ground and in height, with decreasing search range. */
export function layOnKnown(
  known: Cloud,
  grid: CellGrid,
  arriving: Cloud,
  start: Level,
  { samples, rounds, firstReachM, lastReachM }: Care = ARRIVAL.fit,
): Laid {
  const { x, y, z, yawRad } = start;
  const from: Transform = { p: { x, y, z }, q: fromYaw(yawRad) };
  const stride = Math.max(1, Math.floor(arriving.count / samples));
  const found = register(from, {
    stages: Array.from({ length: rounds }, (_, round) => ({
      rounds: 1,
      reachM: firstReachM * (lastReachM / firstReachM) ** (round / (rounds - 1)),
    })),
    meet: (pose, { reachM }) => meet(known, grid, arriving, { pose, stride, reachM }),
    priors: [{ information: HELD }],
    free: LEVEL,
    mostTurnRad: MOST_TURN_RAD,
    doneM: 0,
    doneRad: 0,
  });
  if (!found) return { ...start, lying: 0, holds: [0, 0] };
  const { pose, contacts } = found;
  const { shown, met, holds } = contacts;
  return {
    ...{ x: pose.p.x, y: pose.p.y, z: pose.p.z, yawRad: yawRad + motionBetween(from, pose)[2] },
    ...{ lying: shown === 0 ? 0 : met / shown, holds },
  };
}

function meet(
  known: Cloud,
  grid: CellGrid,
  arriving: Cloud,
  { pose, stride, reachM }: { readonly pose: Transform; readonly stride: number; readonly reachM: number },
): Met {
  const equations = new NormalEquations();
  const { p } = pose;
  const m = toMatrix(pose.q);
  let [shown, met, hxx, hxy, hyy] = [0, 0, 0, 0, 0];
  for (let i = 0; i < arriving.count; i += stride) {
    const [ax, ay, az] = [arriving.points[3 * i]!, arriving.points[3 * i + 1]!, arriving.points[3 * i + 2]!];
    const [rx, ry] = [m[0] * ax + m[1] * ay, m[3] * ax + m[4] * ay];
    const [px, py, pz] = [rx + p.x, ry + p.y, az + p.z];
    if (grid.at(px, py, pz) < 0) continue;
    shown++;
    const n = grid.nearest(px, py, pz, reachM);
    if (n < 0) continue;
    const [nx, ny, nz] = [known.normals[3 * n]!, known.normals[3 * n + 1]!, known.normals[3 * n + 2]!];
    if (nx === 0 && ny === 0 && nz === 0) continue;
    const [bx, by, bz] = [
      arriving.normals[3 * i]!,
      arriving.normals[3 * i + 1]!,
      arriving.normals[3 * i + 2]!,
    ];
    if (bx === 0 && by === 0 && bz === 0) continue;
    const along = nx * (m[0] * bx + m[1] * by) + ny * (m[3] * bx + m[4] * by) + nz * bz;
    if (Math.abs(along) < FACING) continue;
    const off =
      nx * (px - known.points[3 * n]!) +
      ny * (py - known.points[3 * n + 1]!) +
      nz * (pz - known.points[3 * n + 2]!);
    met++;
    equations.add(rx, ry, 0, nx, ny, nz, off, 1 - (off / (2 * reachM)) ** 2);
    hxx += nx * nx;
    hxy += nx * ny;
    hyy += ny * ny;
  }
  const [half, root] = [(hxx + hyy) / 2, Math.hypot((hxx - hyy) / 2, hxy)];
  return { equations, shown, met, holds: [half - root, half + root] };
}
