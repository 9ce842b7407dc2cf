import { applyLevel, composeLevel, invertLevel, type LevelPose, turnBetween } from "./level.ts";
import { addThings, addWalls, Normal } from "./refine.ts";
import { floorAt, type MapSide, sideOf } from "./side.ts";
import type { SketchPiece } from "./sketch.ts";

/** Steps of the fit, and from how far walls and things are paired in the first and the last of them. */
const STEPS = 16;
const FIRST_REACH_M = 0.8;
const LAST_REACH_M = 0.25;
/** How far a submap may drift from the one before: the error of a few metres of dead reckoning. */
const LINK_M = 0.08;
const LINK_RAD = 0.03;
/** … and from its pose in the rigid map: a weak prior for submaps without other constraints. */
const HOLD_M = 0.7;
const HOLD_RAD = 0.2;
/** A larger correction is not caused by drift. */
const MAX_BENT_M = 2;
const MAX_BENT_RAD = 0.3;

/** Unknowns of one submap: a rotation about the origin of the first map, and a shift along its ground. */
const OWN = 3;
/** Each submap is coupled to the one before it and the one after it. */
const BAND = 2 * OWN;

/**
 * A map bends as its robot drifts, so no rigid pose aligns all of it with another. Its submaps, each nearly rigid, are
 * registered to the first map together: walls to walls and things to things, each constrained by its neighbours in
 * time, in one least-squares problem. Returns the pose of each submap in the first map, or undefined if drift cannot
 * explain the result.
 */
export function straighten(
  first: MapSide,
  pieces: readonly SketchPiece[],
  aFromB: LevelPose,
): LevelPose[] | undefined {
  const sides = pieces.map(sideOf);
  const start = pieces.map(({ pose }) => composeLevel(aFromB, pose));
  let poses = start;
  for (let step = 0; step < STEPS; step++) {
    const reachM = FIRST_REACH_M + ((LAST_REACH_M - FIRST_REACH_M) * step) / (STEPS - 1);
    const system = new Banded(pieces.length);
    for (const [i, side] of sides.entries()) {
      system.addOwn(i, seenBy(first, side, poses[i]!, reachM));
      hold(system, i, start[i]!, poses[i]!);
      if (i > 0 && pieces[i]!.author === pieces[i - 1]!.author)
        link(system, i, [start[i - 1]!, start[i]!], [poses[i - 1]!, poses[i]!]);
    }
    const steps = system.solve();
    poses = poses.map((pose, i) => moved(pose, steps.subarray(OWN * i, OWN * (i + 1))));
  }
  const isDrift = poses.every((pose, i) => {
    const was = start[i]!;
    const bentM = Math.hypot(pose.x - was.x, pose.y - was.y);
    return bentM <= MAX_BENT_M && turnBetween(pose.yawRad, was.yawRad) <= MAX_BENT_RAD;
  });
  return isDrift ? poses : undefined;
}

function seenBy(first: MapSide, piece: MapSide, pose: LevelPose, reachM: number): Normal {
  const normal = new Normal();
  for (const floor of piece.floors) {
    const on = floorAt(first, floor.raster.floorZ + pose.z, 0.5);
    if (on) addWalls(normal, on, floor, pose, reachM);
  }
  addThings(normal, first, piece, pose, reachM);
  return normal;
}

/** Keeps a submap near its pose in the rigid map. */
function hold(system: Banded, i: number, was: LevelPose, is: LevelPose): void {
  const normal = new Normal();
  normal.add([1, 0, 0], wrapped(was.yawRad - is.yawRad), 1 / HOLD_RAD ** 2);
  normal.add([-is.y, 1, 0], was.x - is.x, 1 / HOLD_M ** 2);
  normal.add([is.x, 0, 1], was.y - is.y, 1 / HOLD_M ** 2);
  system.addOwn(i, normal);
}

/** At the start of a submap, it and the one before agree on position and heading. */
function link(
  system: Banded,
  i: number,
  [wasBefore, was]: readonly [LevelPose, LevelPose],
  [before, is]: readonly [LevelPose, LevelPose],
): void {
  const begins = applyLevel(invertLevel(wasBefore), { x: was.x, y: was.y, z: was.z });
  const { x, y } = applyLevel(before, begins);
  const turn = wrapped(is.yawRad - before.yawRad - (was.yawRad - wasBefore.yawRad));
  system.addPair(i, [-1, 0, 0, 1, 0, 0], -turn, 1 / LINK_RAD ** 2);
  system.addPair(i, [y, -1, 0, -is.y, 1, 0], x - is.x, 1 / LINK_M ** 2);
  system.addPair(i, [-x, 0, -1, is.x, 0, 1], y - is.y, 1 / LINK_M ** 2);
}

function moved(pose: LevelPose, step: Float64Array): LevelPose {
  const [turn, dx, dy] = [step[0]!, step[1]!, step[2]!];
  return composeLevel({ yawRad: turn, x: dx, y: dy, z: 0 }, pose);
}

function wrapped(rad: number): number {
  return Math.atan2(Math.sin(rad), Math.cos(rad));
}

/**
 * Normal equations of submaps in a row, each coupled to its neighbours only: a band of a symmetric matrix, row by row.
 */
class Banded {
  readonly #rows: number;
  readonly #m: Float64Array;
  readonly #v: Float64Array;

  constructor(pieces: number) {
    this.#rows = OWN * pieces;
    this.#m = new Float64Array(this.#rows * BAND);
    this.#v = new Float64Array(this.#rows);
  }

  addOwn(i: number, { m, v }: Normal): void {
    for (let r = 0; r < OWN; r++) {
      this.#v[OWN * i + r]! += v[r]!;
      for (let c = 0; c <= r; c++) this.#add(OWN * i + r, OWN * i + c, m[OWN * r + c]!);
    }
  }

  /** One equation of a submap and the one before it: the earlier one's unknowns first. */
  addPair(i: number, j: readonly number[], error: number, weight: number): void {
    const from = OWN * (i - 1);
    for (let r = 0; r < 2 * OWN; r++) {
      this.#v[from + r]! += weight * j[r]! * error;
      for (let c = 0; c <= r; c++) this.#add(from + r, from + c, weight * j[r]! * j[c]!);
    }
  }

  #add(row: number, column: number, value: number): void {
    this.#m[row * BAND + (row - column)]! += value;
  }

  /** By Cholesky's factors within the band; the priors keep the matrix positive definite. */
  solve(): Float64Array {
    const [m, x] = [this.#m.slice(), this.#v.slice()];
    const at = (row: number, column: number) => (row - column < BAND ? m[row * BAND + (row - column)]! : 0);
    for (let row = 0; row < this.#rows; row++) {
      const least = Math.max(0, row - BAND + 1);
      for (let column = least; column <= row; column++) {
        let sum = at(row, column);
        for (let k = least; k < column; k++) sum -= at(row, k) * at(column, k);
        m[row * BAND + (row - column)] = column === row ? Math.sqrt(sum) : sum / at(column, column);
      }
      for (let k = least; k < row; k++) x[row]! -= at(row, k) * x[k]!;
      x[row]! /= at(row, row);
    }
    for (let row = this.#rows - 1; row >= 0; row--) {
      for (let k = row + 1; k < Math.min(this.#rows, row + BAND); k++) x[row]! -= at(k, row) * x[k]!;
      x[row]! /= at(row, row);
    }
    return x;
  }
}
