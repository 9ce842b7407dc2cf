import { alike } from "./judge.ts";
import type { LevelPose } from "./level.ts";
import type { FloorSide, MapSide } from "./side.ts";
import { directionOf } from "./walls.ts";

/** Walls agree on a direction from here on: the maps can then only be turned by right angles against it. */
const AGREED = 0.5;
/** Turns that are tried where they do not. */
const TURNS = 120;
/** Side of the squares in which votes for a shift are counted. */
const SQUARE_M = 0.25;
/** Points of wall a map votes with. */
const VOTERS = 700;
/** Peaks taken from each count of votes, and how far apart they are. */
const PEAKS = 6;
const APART_SQUARES = 2;
/** Two wall cells can match if their normals are within 18° of each other. */
const PARALLEL = 0.95;
/** Things of one category whose heights differ by more are different things. */
const SAME_HEIGHT_M = 0.5;
/** Counts of votes are no larger than this: 250 m by 250 m of shifts. */
const MAX_SQUARES = 2 ** 20;

/** Poses of the second map in the first for which things or walls vote, without order. */
export function proposals(a: MapSide, b: MapSide): LevelPose[] {
  const turns = turnsOf(a, b);
  return a.floors.flatMap((on) =>
    b.floors.flatMap((from) => {
      const z = on.raster.floorZ - from.raster.floorZ;
      return turns.flatMap((yawRad) =>
        shiftsOf(a, b, on, from, yawRad, z).map(([x, y]) => ({ yawRad, x, y, z })),
      );
    }),
  );
}

function turnsOf(a: MapSide, b: MapSide): number[] {
  const [one, other] = [a, b].map(({ floors }) => directionOf(floors.map(({ walls }) => walls)));
  if (one!.agreed >= AGREED && other!.agreed >= AGREED)
    return [0, 1, 2, 3].map((quarter) => one!.yawRad - other!.yawRad + (quarter * Math.PI) / 2);
  return Array.from({ length: TURNS }, (_, i) => (i * 2 * Math.PI) / TURNS);
}

/** Shifts by which things of one kind, or walls that face one way, come to lie on each other. */
function shiftsOf(
  a: MapSide,
  b: MapSide,
  on: FloorSide,
  from: FloorSide,
  yawRad: number,
  z: number,
): Shift[] {
  const grid = gridOf(on, from);
  const things = smoothed(grid, thingVotes(grid, a, b, yawRad, z));
  const walls = smoothed(grid, wallVotes(grid, on, from, yawRad));
  const [mostThings, mostWalls] = [things, walls].map((votes) =>
    votes.reduce((m, v) => Math.max(m, v), 1e-9),
  );
  const both = things.map((votes, i) => votes / mostThings! + walls[i]! / mostWalls!);
  return [things, walls, both].flatMap((votes) => peaksOf(grid, votes));
}

function thingVotes(grid: ShiftGrid, a: MapSide, b: MapSide, yawRad: number, z: number): Float32Array {
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  const votes = new Float32Array(grid.width * grid.height);
  for (const other of b.things) {
    const rivals = a.byCategory.get(other.category);
    if (!rivals) continue;
    const weight = 1 / Math.sqrt(rivals.length * b.byCategory.get(other.category)!.length);
    const { x, y, z: height } = other.centre;
    for (const one of rivals)
      if (Math.abs(one.centre.z - height - z) < SAME_HEIGHT_M && alike(one, other)) {
        const at = squareAt(grid, one.centre.x - cos * x + sin * y, one.centre.y - sin * x - cos * y);
        if (at >= 0) votes[at]! += weight;
      }
  }
  return votes;
}

function wallVotes(
  grid: ShiftGrid,
  { walls: p }: FloorSide,
  { walls: q }: FloorSide,
  yawRad: number,
): Float32Array {
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  const votes = new Float32Array(grid.width * grid.height);
  const [stepP, stepQ] = [Math.ceil(p.count / VOTERS), Math.ceil(q.count / VOTERS)];
  for (let j = 0; j < q.count; j += stepQ) {
    if (q.nx[j] === 0 && q.ny[j] === 0) continue;
    const [nx, ny] = [cos * q.nx[j]! - sin * q.ny[j]!, sin * q.nx[j]! + cos * q.ny[j]!];
    const [x, y] = [cos * q.x[j]! - sin * q.y[j]!, sin * q.x[j]! + cos * q.y[j]!];
    for (let i = 0; i < p.count; i += stepP) {
      if (Math.abs(p.nx[i]! * nx + p.ny[i]! * ny) < PARALLEL) continue;
      const at = squareAt(grid, p.x[i]! - x, p.y[i]! - y);
      if (at >= 0) votes[at]!++;
    }
  }
  return votes;
}

type Shift = readonly [x: number, y: number];

/** Squares over all shifts by which two storeys can touch. */
interface ShiftGrid {
  readonly originX: number;
  readonly originY: number;
  readonly width: number;
  readonly height: number;
  readonly squareM: number;
}

function gridOf({ raster: on }: FloorSide, { raster: from }: FloorSide): ShiftGrid {
  // At any rotation, the second storey is within this of the first's frame.
  const reachM = Math.max(
    ...[from.originX, from.originX + from.width * from.cellM].flatMap((x) =>
      [from.originY, from.originY + from.height * from.cellM].map((y) => Math.hypot(x, y)),
    ),
  );
  const [wideM, highM] = [on.width * on.cellM + 2 * reachM, on.height * on.cellM + 2 * reachM];
  const squareM = Math.max(SQUARE_M, Math.sqrt((wideM * highM) / MAX_SQUARES));
  return {
    originX: on.originX - reachM,
    originY: on.originY - reachM,
    width: Math.ceil(wideM / squareM) + 1,
    height: Math.ceil(highM / squareM) + 1,
    squareM,
  };
}

function squareAt({ originX, originY, width, height, squareM }: ShiftGrid, x: number, y: number): number {
  const column = Math.floor((x - originX) / squareM);
  const row = Math.floor((y - originY) / squareM);
  return column < 0 || row < 0 || column >= width || row >= height ? -1 : row * width + column;
}

/** Sums over three by three squares: a vote falls beside its square as often as in it. */
function smoothed({ width, height }: ShiftGrid, votes: Float32Array): Float32Array {
  const sums = new Float32Array(votes.length);
  for (let row = 1; row + 1 < height; row++)
    for (let column = 1; column + 1 < width; column++) {
      const at = row * width + column;
      let sum = 0;
      for (let other = at - width; other <= at + width; other += width)
        sum += votes[other - 1]! + votes[other]! + votes[other + 1]!;
      sums[at] = sum;
    }
  return sums;
}

/** The squares with most votes, no two of them near each other, best first. */
function peaksOf({ originX, originY, width, squareM }: ShiftGrid, votes: Float32Array): Shift[] {
  const left = votes.slice();
  const peaks: Shift[] = [];
  while (peaks.length < PEAKS) {
    let best = 0;
    for (let at = 1; at < left.length; at++) if (left[at]! > left[best]!) best = at;
    if (!(left[best]! > 0)) break;
    const [column, row] = [best % width, Math.floor(best / width)];
    peaks.push([originX + (column + 0.5) * squareM, originY + (row + 0.5) * squareM]);
    for (let dy = -APART_SQUARES; dy <= APART_SQUARES; dy++)
      for (let dx = -APART_SQUARES; dx <= APART_SQUARES; dx++) {
        const at = best + dy * width + dx;
        if (at >= 0 && at < left.length) left[at] = 0;
      }
  }
  return peaks;
}
