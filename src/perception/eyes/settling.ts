import { compose, IDENTITY, invert, type Transform, toMatrix, transformDelta } from "../../geometry/index.ts";
import { type Contacts, NormalEquations, register, tukey } from "../../localisation/index.ts";
import { settings } from "../../schema/settings.ts";
import { depthSdM } from "../depth-model.ts";
import type { Sight } from "./sight.ts";
import { ALIVE } from "./voxel-columns.ts";
import type { VoxelMap } from "./voxels.ts";

/** Value, unit, minimum, maximum, source. */
const SETTLING = settings("eyes.settling", {
  /** From coarse to fine: columns of samples, search distance, limit of the distance, and iterations. */
  coarseAcross: [32, "count", 16, 64, "recording"],
  coarseVoxels: [3, "voxels", 2, 6, "recording"],
  coarseGateM: [0.12, "m", 0.06, 0.24, "recording"],
  coarseRounds: [4, "count", 2, 8, "limit"],
  fineAcross: [48, "count", 24, 96, "recording"],
  fineVoxels: [2, "voxels", 1, 4, "recording"],
  fineGateM: [0.06, "m", 0.03, 0.12, "recording"],
  fineRounds: [2, "count", 1, 4, "limit"],
  /** Pose correction from one frame to the next, and in total: standard deviations. */
  stepM: [0.03, "m", 0.015, 0.06, "recording"],
  stepRad: [0.02, "rad", 0.01, 0.04, "recording"],
  slipM: [0.15, "m", 0.08, 0.3, "recording"],
  slipRad: [0.05, "rad", 0.025, 0.1, "recording"],
  /** Surfaces whose normals differ by more than this (cosine) do not match. */
  facing: [0.8, "cosine", 0.6, 0.9, "experiment"],
  /** Neighbouring points have correlated errors: this many count as one. */
  correlated: [20, "count", 10, 40, "experiment"],
  /** Allowed distance of a point from its voxel's plane, in addition to depth noise. */
  floorM: [0.004, "m", 0.002, 0.008, "experiment"],
  /** With a larger correction it is lost or elsewhere: the given pose is kept. */
  mostM: [0.3, "m", 0.15, 0.6, "experiment"],
  mostRad: [0.12, "rad", 0.06, 0.24, "experiment"],
  /** Least matched points, and their least share of those in view. */
  least: [150, "count", 75, 300, "experiment"],
  leastShare: [0.45, "share", 0.225, 0.9, "experiment"],
  /** Smaller steps end the iteration. */
  doneM: [0.002, "m", 0.001, 0.004, "experiment"],
  doneRad: [0.001, "rad", 0.0005, 0.002, "experiment"],
});

const { coarseAcross, coarseVoxels, coarseGateM, coarseRounds } = SETTLING;
const { fineAcross, fineVoxels, fineGateM, fineRounds } = SETTLING;
const STAGES = [
  { across: coarseAcross, voxels: coarseVoxels, gateM: coarseGateM, rounds: coarseRounds },
  { across: fineAcross, voxels: fineVoxels, gateM: fineGateM, rounds: fineRounds },
] as const;

/**
 * The poses of a recording have errors of centimetres and a degree or two (7-Scenes: 5 cm on average), enough to
 * double half of a magazine. Each frame is registered on the map's surfaces in all six degrees of freedom, with the
 * given pose and the last correction as priors.
 */
export class Settling {
  /** Transforms given poses by the last frame's correction. */
  #slip: Transform = IDENTITY;
  /** Number of registered frames, and their total correction. */
  frames = 0;
  movedM = 0;

  /** The pose of a frame, from its surfaces. */
  settle(map: VoxelMap, sight: Sight): Transform {
    const given = sight.mapFromCamera;
    // Far from the map's origin a rotation is a long displacement, which no correction may be.
    const slipped = compose(this.#slip, given);
    const start = isSlip(given, slipped) ? slipped : given;
    const found = register(start, {
      stages: STAGES,
      meet: (pose, stage) => {
        const contacts = contactsOf(map, sight, pose, stage);
        return contacts.met < SETTLING.least || contacts.met < SETTLING.leastShare * contacts.shown
          ? undefined
          : contacts;
      },
      priors: [
        { at: start, information: informationOf(SETTLING.stepM, SETTLING.stepRad) },
        { at: given, information: informationOf(SETTLING.slipM, SETTLING.slipRad) },
      ],
      doneM: SETTLING.doneM,
      doneRad: SETTLING.doneRad,
    });
    if (!found) return start;
    const { pose } = found;
    if (!isSlip(given, pose)) return given;
    this.#slip = compose(pose, invert(given));
    this.frames++;
    this.movedM += transformDelta(given, pose).translationM;
    return pose;
  }
}

function isSlip(given: Transform, pose: Transform): boolean {
  const { translationM, rotationRad } = transformDelta(given, pose);
  return translationM <= SETTLING.mostM && rotationRad <= SETTLING.mostRad;
}

function informationOf(sdM: number, sdRad: number): readonly number[] {
  const [turn, way] = [1 / sdRad ** 2, 1 / sdM ** 2];
  return [turn, turn, turn, way, way, way];
}

/** What a frame meets on the map from a pose. */
function contactsOf(
  map: VoxelMap,
  { points, normals, sound, depthM, width, height, mapFromCamera }: Sight,
  pose: Transform,
  { across, voxels, gateM }: (typeof STAGES)[number],
): Contacts {
  const equations = new NormalEquations();
  const by = compose(pose, invert(mapFromCamera));
  const [a, b, c, d, e, f, g, h, k] = toMatrix(by.q);
  const stride = Math.max(1, Math.round(width / across));
  let shown = 0;
  let met = 0;
  for (let row = stride >> 1; row < height; row += stride) {
    for (let column = stride >> 1; column < width; column += stride) {
      const at = row * width + column;
      if (sound[at] === 0) continue;
      const x = points[3 * at]!;
      const y = points[3 * at + 1]!;
      const z = points[3 * at + 2]!;
      const nx = normals[3 * at]!;
      const ny = normals[3 * at + 1]!;
      const nz = normals[3 * at + 2]!;
      if (nx === 0 && ny === 0 && nz === 0) continue;
      shown++;
      const isFound = isFoundAlong(
        map,
        a * x + b * y + c * z + by.p.x,
        d * x + e * y + f * z + by.p.y,
        g * x + h * y + k * z + by.p.z,
        a * nx + b * ny + c * nz,
        d * nx + e * ny + f * nz,
        g * nx + h * ny + k * nz,
        voxels,
      );
      if (!isFound || !(Math.abs(FOUND.off) < gateM)) continue;
      met++;
      const sd = SETTLING.floorM + depthSdM(depthM[at]!);
      // What has moved since has less influence.
      const weight = tukey(FOUND.off, gateM) / (sd * sd * SETTLING.correlated);
      const { p } = pose;
      equations.add(
        FOUND.x - p.x,
        FOUND.y - p.y,
        FOUND.z - p.z,
        FOUND.nx,
        FOUND.ny,
        FOUND.nz,
        FOUND.off,
        weight,
      );
    }
  }
  return { equations, shown, met };
}

/** Output of `isFoundAlong`: a point, the normal of the matching surface, and the distance. */
const FOUND = { x: 0, y: 0, z: 0, nx: 0, ny: 0, nz: 0, off: 0 };

/** Finds the nearest surface with a similar normal along a point's normal; writes it into `FOUND`. */
function isFoundAlong(
  map: VoxelMap,
  x: number,
  y: number,
  z: number,
  nx: number,
  ny: number,
  nz: number,
  voxels: number,
): boolean {
  const { point, normal, weight, goneAt } = map.columns;
  for (let n = 0; n <= 2 * voxels; n++) {
    // Nearest first: 0, 1, -1, 2, -2.
    const step = (n & 1 ? (n + 1) >> 1 : -(n >> 1)) * map.sizeM;
    const voxel = map.at(x + step * nx, y + step * ny, z + step * nz);
    if (voxel < 0 || goneAt[voxel] !== ALIVE) continue;
    const v = 3 * voxel;
    const length = Math.sqrt(normal[v]! ** 2 + normal[v + 1]! ** 2 + normal[v + 2]! ** 2);
    const mx = normal[v]! / length;
    const my = normal[v + 1]! / length;
    const mz = normal[v + 2]! / length;
    if (!(mx * nx + my * ny + mz * nz >= SETTLING.facing)) continue;
    const w = weight[voxel]!;
    FOUND.x = x;
    FOUND.y = y;
    FOUND.z = z;
    FOUND.nx = mx;
    FOUND.ny = my;
    FOUND.nz = mz;
    FOUND.off = mx * (x - point[v]! / w) + my * (y - point[v + 1]! / w) + mz * (z - point[v + 2]! / w);
    return true;
  }
  return false;
}

/** A sight at another pose: its points and normals are transformed in place. */
export function sightFrom(sight: Sight, mapFromCamera: Transform): Sight {
  const by = compose(mapFromCamera, invert(sight.mapFromCamera));
  const turn = toMatrix(by.q);
  turnAll(sight.points, turn, by.p.x, by.p.y, by.p.z);
  turnAll(sight.normals, turn, 0, 0, 0);
  return { ...sight, mapFromCamera };
}

function turnAll(
  of: Float32Array,
  turn: ReturnType<typeof toMatrix>,
  px: number,
  py: number,
  pz: number,
): void {
  const [a, b, c, d, e, f, g, h, k] = turn;
  for (let n = 0; n < of.length; n += 3) {
    const x = of[n]!;
    const y = of[n + 1]!;
    const z = of[n + 2]!;
    of[n] = a * x + b * y + c * z + px;
    of[n + 1] = d * x + e * y + f * z + py;
    of[n + 2] = g * x + h * y + k * z + pz;
  }
}
