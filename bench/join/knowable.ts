/**
 * How two maps of one house lie to each other by what is in them: the pose that lays the static things that both really have on
 * each other best, named by the segments that they were seen as. Maps bend as robots drift, so this is what can be known, and where the first
 * frames of both lie is not.
 */

import type { Vec3 } from "../../src/geometry/index.ts";
import { applyLevel, type LevelPose } from "../../src/sharing/align/level.ts";
import type { SketchThing } from "../../src/sharing/align/sketch.ts";
import type { JoinHouse, RobotMap } from "./houses.ts";

/** Fewer pairs say nothing. */
const MIN_PAIRS = 4;

export interface ThingPair {
  readonly a: SketchThing;
  readonly b: SketchThing;
}

/** Static things that both maps have, by the truth; not those that one of them has in pieces. */
export function truePairs({ truth, names }: JoinHouse, a: RobotMap, b: RobotMap): ThingPair[] {
  const isStill = (name: string) => truth.document.histories[name]?.segments.length === 1;
  const [ofA, ofB] = [a, b].map(({ sketch }) =>
    Map.groupBy(sketch.things, ({ id, steady }) => (steady && names.get(id)) || undefined),
  );
  return [...ofA!].flatMap(([name, [one, piece]]) => {
    const [other, otherPiece] = ofB!.get(name) ?? [];
    const isPair = name !== undefined && isStill(name) && one && other && !piece && !otherPiece;
    return isPair ? [{ a: one, b: other }] : [];
  });
}

/** The pose of the second map in the first that fits the pairs best, and how far they lie from each other by it. */
export function bestPose(pairs: readonly ThingPair[]): { pose: LevelPose; medianM: number } | undefined {
  if (pairs.length < MIN_PAIRS) return undefined;
  let weights = pairs.map(() => 1);
  let pose = fit(pairs, weights);
  for (let round = 0; round < 10; round++) {
    weights = pairs.map((pair) => 1 / (0.04 + restM(pose, pair) ** 2));
    pose = fit(pairs, weights);
  }
  const rests = pairs.map((pair) => restM(pose, pair)).sort((p, q) => p - q);
  return { pose, medianM: rests[rests.length >> 1]! };
}

/** How exactly the pairs tell where a point of the second map lies in the first: the jackknife's standard deviation (Tukey 1958). */
export function sigmaAtM(pairs: readonly ThingPair[], at: Vec3): number {
  const spots = pairs.flatMap((_, n) => {
    const left = bestPose(pairs.toSpliced(n, 1));
    return left ? [applyLevel(left.pose, at)] : [];
  });
  if (spots.length < 2) return Infinity;
  const mean = (axis: "x" | "y") => spots.reduce((sum, spot) => sum + spot[axis], 0) / spots.length;
  const [x, y] = [mean("x"), mean("y")];
  const squares = spots.reduce((sum, spot) => sum + (spot.x - x) ** 2 + (spot.y - y) ** 2, 0);
  return Math.sqrt(((spots.length - 1) / spots.length) * squares);
}

export function restM(pose: LevelPose, { a, b }: ThingPair): number {
  const at = applyLevel(pose, b.centre);
  return Math.hypot(a.centre.x - at.x, a.centre.y - at.y);
}

/** Weighted least squares of a turn about the vertical and a shift. */
function fit(pairs: readonly ThingPair[], weights: readonly number[]): LevelPose {
  const sum = weights.reduce((s, w) => s + w, 0);
  const mean = (pick: (pair: ThingPair) => number) =>
    pairs.reduce((s, pair, n) => s + weights[n]! * pick(pair), 0) / sum;
  const [ax, ay, bx, by] = [
    mean(({ a }) => a.centre.x),
    mean(({ a }) => a.centre.y),
    mean(({ b }) => b.centre.x),
    mean(({ b }) => b.centre.y),
  ];
  const cos = mean(
    ({ a, b }) => (a.centre.x - ax) * (b.centre.x - bx) + (a.centre.y - ay) * (b.centre.y - by),
  );
  const sin = mean(
    ({ a, b }) => (a.centre.y - ay) * (b.centre.x - bx) - (a.centre.x - ax) * (b.centre.y - by),
  );
  const yawRad = Math.atan2(sin, cos);
  const [c, s] = [Math.cos(yawRad), Math.sin(yawRad)];
  const z = mean(({ a, b }) => a.centre.z - b.centre.z);
  return { yawRad, x: ax - c * bx + s * by, y: ay - s * bx - c * by, z };
}
