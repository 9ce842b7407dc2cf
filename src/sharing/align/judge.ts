import { FREE } from "../../map/raster.ts";
import { applyLevel, invertLevel, type LevelPose } from "./level.ts";
import { cellAt, type FloorSide, floorAt, type MapSide, ON_WALL_M } from "./side.ts";
import type { SketchThing } from "./sketch.ts";

/** Floors whose heights differ by less than this after alignment are one storey. */
const SAME_STOREY_M = 0.5;
/** Two things within this distance may be one: half a metre of drift on either side, and small moves. */
const SAME_THING_M = 0.6;
/** How exactly things lie on each other where the pose is right. */
const THING_SIGMA_M = 0.2;
/**
 * How often a thing of one map is found in the other, where both looked: steady things, and things that are moved
 * about.
 */
const FOUND_STEADY = 0.75;
const FOUND_LOOSE = 0.45;
/** One thing weighs no more than this, in nats. */
const MAX_THING = 4;
/** How often a wall of one map is one in the other, where both looked. */
const FOUND_WALL = 0.8;
/** How often free ground of one map is wall in the other, by noise and opened doors. */
const FREE_IS_WALL = 0.02;
/** Neighbouring cells are correlated: this many of them count as one observation, for walls and for ground. */
const CELLS_A_WALL = 10;
const CELLS_A_GROUND = 60;
/** Sizes of one thing in two maps differ by at most this factor along each side, past some centimetres of noise. */
const SIZE_FACTOR = 2;
const SIZE_NOISE_M = 0.15;

/** The evidence for a pose, in nats, and its extent. */
export interface Judgement {
  readonly things: number;
  readonly walls: number;
  readonly ground: number;
  readonly total: number;
  /** Pairs of things that lie on each other: ids of the first and of the second map. */
  readonly pairs: readonly (readonly [string, string])[];
  /** The share of the steady things that both maps should show and both have; in both directions. */
  readonly found: number;
  /** How much ground both maps know. */
  readonly sharedM2: number;
}

/**
 * The log-likelihood ratio of the pose `aFromB` against a random pose: summed over each thing, each stretch of wall and
 * each patch of free ground that the other map should show too.
 */
export function judge(a: MapSide, b: MapSide, aFromB: LevelPose): Judgement {
  const there = oneWay(a, b, aFromB);
  const back = oneWay(b, a, invertLevel(aFromB));
  const { score: things, pairs, steady, expected } = thingsOf(a, b, aFromB);
  const bFromA = invertLevel(aFromB);
  const expectedBack = a.things.filter((thing) => thing.steady && isExpected(b, thing, bFromA)).length;
  const found = (2 * steady) / Math.max(1, expected + expectedBack);
  const walls = (there.walls + back.walls) / 2;
  const ground = (there.ground + back.ground) / 2;
  return { things, walls, ground, total: things + walls + ground, pairs, found, sharedM2: there.sharedM2 };
}

/** Walls and free ground of `from` compared with `on`. */
function oneWay(
  on: MapSide,
  from: MapSide,
  pose: LevelPose,
): { walls: number; ground: number; sharedM2: number } {
  let [walls, ground, sharedM2] = [0, 0, 0];
  for (const floor of from.floors) {
    const under = floorAt(on, floor.raster.floorZ + pose.z, SAME_STOREY_M);
    if (!under) continue;
    walls += wallOdds(under, floor, pose) / CELLS_A_WALL;
    const free = groundOdds(under, floor, pose);
    ground += free.odds / CELLS_A_GROUND;
    sharedM2 += free.sharedM2;
  }
  return { walls, ground, sharedM2 };
}

function wallOdds({ raster, toWallM, nearWall }: FloorSide, { walls }: FloorSide, pose: LevelPose): number {
  const [cos, sin] = [Math.cos(pose.yawRad), Math.sin(pose.yawRad)];
  const chance = Math.min(0.7, Math.max(0.02, nearWall));
  const [hit, miss] = [Math.log(FOUND_WALL / chance), Math.log((1 - FOUND_WALL) / (1 - chance))];
  let odds = 0;
  for (let i = 0; i < walls.count; i++) {
    const [x, y] = [walls.x[i]!, walls.y[i]!];
    const at = cellAt(raster, cos * x - sin * y + pose.x, sin * x + cos * y + pose.y);
    if (at >= 0 && raster.known[at]) odds += toWallM[at]! <= ON_WALL_M ? hit : miss;
  }
  return odds;
}

/** Every second cell either way is looked at: a quarter of the work, counted four times. */
const STRIDE = 2;

function groundOdds(
  { raster: on, isWall }: FloorSide,
  { raster }: FloorSide,
  pose: LevelPose,
): { odds: number; sharedM2: number } {
  const [cos, sin] = [Math.cos(pose.yawRad), Math.sin(pose.yawRad)];
  const chance = Math.min(0.5, Math.max(FREE_IS_WALL + 0.01, isWall));
  const [through, clear] = [Math.log(FREE_IS_WALL / chance), Math.log((1 - FREE_IS_WALL) / (1 - chance))];
  let [odds, shared] = [0, 0];
  for (let row = 0; row < raster.height; row += STRIDE)
    for (let column = 0; column < raster.width; column += STRIDE) {
      if (raster.state[row * raster.width + column] !== FREE) continue;
      const x = raster.originX + (column + 0.5) * raster.cellM;
      const y = raster.originY + (row + 0.5) * raster.cellM;
      const at = cellAt(on, cos * x - sin * y + pose.x, sin * x + cos * y + pose.y);
      if (at < 0 || !on.known[at]) continue;
      shared++;
      odds += on.wall[at] ? through : clear;
    }
  return { odds: odds * STRIDE ** 2, sharedM2: shared * STRIDE ** 2 * raster.cellM ** 2 };
}

/** Things that one map has where the other looked: found there or not. */
function thingsOf(
  a: MapSide,
  b: MapSide,
  pose: LevelPose,
): { score: number; pairs: (readonly [string, string])[]; steady: number; expected: number } {
  const expected = b.things.filter((thing) => isExpected(a, thing, pose));
  const found = pairsOf(a.byCategory, expected, pose);
  const paired = new Set(found.map(({ other }) => other));
  let score = 0;
  for (const { other, awayM } of found) {
    const odds = (foundOf(other) * exactness(awayM)) / chanceOf(a, other.category);
    score += Math.max(-MAX_THING, Math.min(MAX_THING, Math.log(odds)));
  }
  for (const other of expected)
    if (!paired.has(other)) score += Math.log((1 - foundOf(other)) / (1 - chanceOf(a, other.category)));
  return {
    score,
    pairs: found.map(({ one, other }) => [one.id, other.id] as const),
    steady: found.filter(({ one, other }) => one.steady && other.steady).length,
    expected: expected.filter(({ steady }) => steady).length,
  };
}

interface Pair {
  readonly one: SketchThing;
  readonly other: SketchThing;
  readonly awayM: number;
}

/** Nearest pairs first, each thing once. */
function pairsOf(
  byCategory: ReadonlyMap<string, readonly SketchThing[]>,
  others: readonly SketchThing[],
  pose: LevelPose,
): Pair[] {
  const near: Pair[] = [];
  for (const other of others) {
    const at = applyLevel(pose, other.centre);
    for (const one of byCategory.get(other.category) ?? []) {
      const awayM = Math.hypot(one.centre.x - at.x, one.centre.y - at.y, one.centre.z - at.z);
      if (awayM <= SAME_THING_M && alike(one, other)) near.push({ one, other, awayM });
    }
  }
  near.sort((p, q) => p.awayM - q.awayM);
  const taken = new Set<SketchThing>();
  return near.filter(({ one, other }) => {
    if (taken.has(one) || taken.has(other)) return false;
    taken.add(one).add(other);
    return true;
  });
}

function foundOf({ steady }: SketchThing): number {
  return steady ? FOUND_STEADY : FOUND_LOOSE;
}

/** The chance that a thing of a category is within reach of a random point. */
function chanceOf(side: MapSide, category: string): number {
  const count = side.byCategory.get(category)?.length ?? 0;
  const share = (count * Math.PI * SAME_THING_M ** 2) / Math.max(1, side.knownM2);
  return Math.min(0.6, Math.max(0.005, share));
}

/** How much likelier a distance is for one thing seen twice than for two by chance within reach. */
function exactness(awayM: number): number {
  const same = Math.exp(-0.5 * (awayM / THING_SIGMA_M) ** 2) / (2 * Math.PI * THING_SIGMA_M ** 2);
  return Math.max(0.2, same * Math.PI * SAME_THING_M ** 2);
}

export function alike({ sizeM: a }: SketchThing, { sizeM: b }: SketchThing): boolean {
  const within = (p: number, q: number) => Math.max(p, q) <= SIZE_FACTOR * Math.min(p, q) + SIZE_NOISE_M;
  // Boxes are aligned with the axes of their own map: a rotated box keeps its height and its diagonal.
  return within(a.z, b.z) && within(Math.hypot(a.x, a.y), Math.hypot(b.x, b.y));
}

/** Whether a map should show a thing of the other: its robot looked where the thing is. */
function isExpected(side: MapSide, { centre }: SketchThing, pose: LevelPose): boolean {
  const { x, y, z } = applyLevel(pose, centre);
  return isKnown(side, x, y, z);
}

function isKnown(side: MapSide, x: number, y: number, z: number): boolean {
  return side.floors.some(({ raster }) => {
    if (z < raster.floorZ - 0.3 || z > raster.floorZ + 2.6) return false;
    const at = cellAt(raster, x, y);
    return at >= 0 && raster.known[at] === 1;
  });
}
