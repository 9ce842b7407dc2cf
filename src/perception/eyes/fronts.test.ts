import { expect, test } from "vitest";
import { backsOf, runsOf } from "./fronts.ts";
import { STRUCTURE, type Surface } from "./links.ts";
import { type KnownVoxel, mapOf } from "./testing/known-map.ts";

const SIZE_M = 0.05;
/** Off the edges of voxels. */
const OFF_M = 0.01;
type Flat = readonly [x: number, y: number];

/**
 * An upright sheet between two points on the ground, up to a height, that faces to the right of the direction between
 * them.
 */
function sheet([x0, y0]: Flat, [x1, y1]: Flat, from: number, to: number): KnownVoxel[] {
  const long = Math.hypot(x1 - x0, y1 - y0);
  const [dx, dy] = [(x1 - x0) / long, (y1 - y0) / long];
  const [across, up] = [Math.round(long / SIZE_M), Math.round((to - from) / SIZE_M)];
  return Array.from({ length: across * up }, (_, n) => {
    const along = ((n % across) + 0.5) * SIZE_M;
    const z = from + (Math.floor(n / across) + 0.5) * SIZE_M;
    return {
      at: [x0 + dx * along + OFF_M, y0 + dy * along + OFF_M, z],
      normal: [dy, -dx, 0],
      surface: [0, 1, 0],
    };
  });
}

/** Fronts of a counter before a wall in the south and one in the east, and the walls above it. */
const NORTH_FRONT = sheet([2, 0.6], [0, 0.6], 0, 0.9);
const WEST_FRONT = sheet([2, 2.6], [2, 0.6], 0, 0.9);
const SOUTH_WALL = sheet([2.6, 0], [0, 0], 1, 1.6);
const EAST_WALL = sheet([2.6, 2.6], [2.6, 0], 1, 1.6);

function mapped(own: readonly KnownVoxel[], walls: readonly KnownVoxel[] = []) {
  const map = mapOf(SIZE_M, [...own, ...walls]);
  const placeOf = new Int32Array(map.count).fill(0);
  for (const { at } of walls) placeOf[map.at(...at)] = STRUCTURE;
  return { map, voxels: own.map(({ at }) => map.at(...at)), seen: { placeOf } as Surface };
}

test("a counter around an inner corner is two runs, each with its front", () => {
  const { map, voxels } = mapped([...NORTH_FRONT, ...WEST_FRONT]);
  const runs = runsOf(map, voxels);
  expect(runs.map((run) => run.voxels.length).sort()).toEqual([NORTH_FRONT.length, WEST_FRONT.length].sort());
  expect(runs.map(({ front }) => front!.way.y).sort()).toEqual([expect.closeTo(0), expect.closeTo(1)]);
});

test("a cupboard with a front and a side is one: they meet in an outer corner", () => {
  const front = sheet([0, 0.6], [2, 0.6], 0, 0.9);
  const side = sheet([2, 0.6], [2, 2.6], 0, 0.9);
  const { map, voxels } = mapped([...front, ...side]);
  expect(runsOf(map, voxels)).toHaveLength(1);
});

test("runs reach back to the walls behind them, of which only what is above them shows, and one of them into the corner", () => {
  const { map, voxels, seen } = mapped([...NORTH_FRONT, ...WEST_FRONT], [...SOUTH_WALL, ...EAST_WALL]);
  const runs = runsOf(map, voxels);
  const backs = new Map(runs.map(({ front }, n) => [Math.round(front!.way.y), backsOf(map, seen, runs)[n]!]));
  const [north, west] = [backs.get(1)!, backs.get(0)!];
  expect(north[1]).toBeCloseTo(0, 1);
  expect(Math.abs(north[3]! - north[0]!)).toBeCloseTo(2, 1);
  expect(west[0]).toBeCloseTo(2.6, 1);
  expect(Math.abs(west[4]! - west[1]!)).toBeCloseTo(2, 1);
  const corners = [north, west].map((back) => back.slice(6, 8));
  expect(corners.filter((corner) => corner.length > 0)).toEqual([
    [expect.closeTo(2.6, 1), expect.closeTo(0, 1)],
  ]);
});

test("a free-standing counter reaches no farther than it shows", () => {
  const { map, voxels, seen } = mapped(NORTH_FRONT, sheet([2.6, -2], [0, -2], 1, 1.6));
  expect(backsOf(map, seen, runsOf(map, voxels))).toEqual([[]]);
});
