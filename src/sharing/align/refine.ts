import { alike } from "./judge.ts";
import { applyLevel, type LevelPose } from "./level.ts";
import { cellAt, type FloorSide, floorAt, type MapSide } from "./side.ts";

/** Steps of the fit, and from how far walls and things are paired in the first and the last of them. */
const STEPS = 12;
const FIRST_REACH_M = 0.7;
const LAST_REACH_M = 0.25;
/** Standard deviations of a wall's position from its cell, and of a thing's position. */
const WALL_SIGMA_M = 0.1;
const THING_SIGMA_M = 0.2;
/** Neighbouring cells of a wall err together. */
const CELLS_A_WALL = 10;
/** Every this many points of wall are paired. */
const MAX_POINTS = 1_500;
/** Walls are paired where they face within 25° of each other, things where they are about as high. */
const PARALLEL = 0.9;
const SAME_HEIGHT_M = 0.5;
const STILL = 1e-5;

/** A pose that was fitted, and how uncertain it is: variances and covariances of yaw, x and y, row by row. */
export interface Fitted {
  readonly pose: LevelPose;
  readonly covariance: readonly number[];
}

/** Normal equations of three unknowns: a turn about the origin of the first map, and a shift. */
export class Normal {
  readonly m = new Float64Array(9);
  readonly v = new Float64Array(3);

  /** One equation: how the error along a direction changes with yaw, x and y. */
  add(j: readonly [number, number, number], error: number, weight: number): void {
    for (let r = 0; r < 3; r++) {
      this.v[r]! += weight * j[r]! * error;
      for (let c = 0; c < 3; c++) this.m[3 * r + c]! += weight * j[r]! * j[c]!;
    }
  }

  inverse(): number[] | undefined {
    const m = this.m;
    const cofactor = (r: number, c: number) => {
      const [r1, r2, c1, c2] = [(r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3];
      return m[3 * r1 + c1]! * m[3 * r2 + c2]! - m[3 * r1 + c2]! * m[3 * r2 + c1]!;
    };
    const det = m[0]! * cofactor(0, 0) + m[1]! * cofactor(0, 1) + m[2]! * cofactor(0, 2);
    if (!(Math.abs(det) > 1e-9)) return undefined;
    return Array.from({ length: 9 }, (_, i) => cofactor(i % 3, Math.floor(i / 3)) / det);
  }
}

/** Lays the second map's walls and things on the nearest of the first's: point to line, and point to point. */
export function refine(a: MapSide, b: MapSide, start: LevelPose): Fitted {
  let pose = start;
  let covariance: readonly number[] = [Infinity, 0, 0, 0, Infinity, 0, 0, 0, Infinity];
  for (let step = 0; step < STEPS; step++) {
    const reachM = FIRST_REACH_M + ((LAST_REACH_M - FIRST_REACH_M) * step) / (STEPS - 1);
    const normal = new Normal();
    let rise: number[] = [];
    for (const floor of b.floors) {
      const on = floorAt(a, floor.raster.floorZ + pose.z, 0.5);
      if (!on) continue;
      rise.push(on.raster.floorZ - floor.raster.floorZ);
      addWalls(normal, on, floor, pose, reachM);
    }
    addThings(normal, a, b, pose, reachM);
    const inverse = normal.inverse();
    if (!inverse) break;
    covariance = inverse;
    const [turn, dx, dy] = [0, 1, 2].map((r) =>
      [0, 1, 2].reduce((sum, c) => sum + inverse[3 * r + c]! * normal.v[c]!, 0),
    ) as [number, number, number];
    if (rise.length === 0) rise = [pose.z];
    const z = rise.reduce((sum, each) => sum + each, 0) / rise.length;
    // The turn was about the origin of the first map's frame.
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    pose = {
      yawRad: pose.yawRad + turn,
      x: cos * pose.x - sin * pose.y + dx,
      y: sin * pose.x + cos * pose.y + dy,
      z,
    };
    if (step >= STEPS / 2 && Math.abs(turn) < STILL && Math.hypot(dx, dy) < STILL) break;
  }
  return { pose, covariance };
}

export function addWalls(
  normal: Normal,
  on: FloorSide,
  { walls }: FloorSide,
  pose: LevelPose,
  reachM: number,
): void {
  const [cos, sin] = [Math.cos(pose.yawRad), Math.sin(pose.yawRad)];
  const stride = Math.max(1, Math.ceil(walls.count / MAX_POINTS));
  for (let i = 0; i < walls.count; i += stride) {
    const [bx, by] = [walls.x[i]!, walls.y[i]!];
    const [x, y] = [cos * bx - sin * by + pose.x, sin * bx + cos * by + pose.y];
    const near = nearestWall(on, x, y, reachM);
    if (near < 0) continue;
    const [nx, ny] = [on.walls.nx[near]!, on.walls.ny[near]!];
    if (nx === 0 && ny === 0) continue;
    const [fx, fy] = [cos * walls.nx[i]! - sin * walls.ny[i]!, sin * walls.nx[i]! + cos * walls.ny[i]!];
    if (Math.abs(fx * nx + fy * ny) < PARALLEL) continue;
    const error = (on.walls.x[near]! - x) * nx + (on.walls.y[near]! - y) * ny;
    const weight = (stride / CELLS_A_WALL) * robust(error, WALL_SIGMA_M);
    normal.add([x * ny - y * nx, nx, ny], error, weight);
  }
}

export function addThings(normal: Normal, a: MapSide, b: MapSide, pose: LevelPose, reachM: number): void {
  for (const other of b.things) {
    if (!other.steady) continue;
    const at = applyLevel(pose, other.centre);
    const [one, next] = (a.byCategory.get(other.category) ?? [])
      .filter((thing) => alike(thing, other) && Math.abs(thing.centre.z - at.z) < SAME_HEIGHT_M)
      .map(({ centre }) => ({ centre, awayM: Math.hypot(centre.x - at.x, centre.y - at.y) }))
      .filter(({ awayM }) => awayM <= reachM)
      .sort((p, q) => p.awayM - q.awayM);
    if (!one || next) continue;
    const [ex, ey] = [one.centre.x - at.x, one.centre.y - at.y];
    const weight = robust(one.awayM, THING_SIGMA_M);
    normal.add([-at.y, 1, 0], ex, weight);
    normal.add([at.x, 0, 1], ey, weight);
  }
}

/** Inverse variance, reduced for outliers (Cauchy). */
function robust(error: number, sigma: number): number {
  return 1 / (sigma ** 2 + error ** 2);
}

/** The nearest wall cell within reach, or -1. */
function nearestWall(
  { raster, toWallM, wallAt, walls }: FloorSide,
  x: number,
  y: number,
  reachM: number,
): number {
  const at = cellAt(raster, x, y);
  if (at < 0 || toWallM[at]! > reachM) return -1;
  const [column, row] = [at % raster.width, Math.floor(at / raster.width)];
  // The distance of the cell's middle is known, so that only cells about as far need to be looked at.
  const cells = Math.ceil(toWallM[at]! / raster.cellM) + 1;
  let [best, bestM] = [-1, Infinity];
  for (let r = Math.max(0, row - cells); r <= Math.min(raster.height - 1, row + cells); r++)
    for (let c = Math.max(0, column - cells); c <= Math.min(raster.width - 1, column + cells); c++) {
      const index = wallAt[r * raster.width + c]! - 1;
      if (index < 0) continue;
      const awayM = Math.hypot(walls.x[index]! - x, walls.y[index]! - y);
      if (awayM < bestM) [best, bestM] = [index, awayM];
    }
  return best;
}
