/**
 * How two maps of one house lie to each other by what is in them: the pose that lays the static things that both really have on
 * each other best, by the truth's names for them. Maps bend as robots drift, so this is what can be known, and where the first
 * frames of both lie is not.
 */

import type { Truth } from "../../src/evaluation/tracking/truth.ts";
import { apply, invert } from "../../src/geometry/index.ts";
import { applyLevel, type LevelPose } from "../../src/sharing/align/level.ts";
import type { SketchThing } from "../../src/sharing/align/sketch.ts";
import type { RobotMap } from "./houses.ts";

/** A thing of a map is a true one of its kind within this of where it is. */
const REACH_M = 1;
/** Fewer pairs say nothing. */
const MIN_PAIRS = 4;

export interface ThingPair {
  readonly a: SketchThing;
  readonly b: SketchThing;
}

/** Static things that both maps have, by the truth. */
export function truePairs(truth: Truth, a: RobotMap, b: RobotMap): ThingPair[] {
  const [ofA, ofB] = [namesOf(truth, a), namesOf(truth, b)];
  return [...ofA].flatMap(([name, thing]) => {
    const other = ofB.get(name);
    return other ? [{ a: thing, b: other }] : [];
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

export function restM(pose: LevelPose, { a, b }: ThingPair): number {
  const at = applyLevel(pose, b.centre);
  return Math.hypot(a.centre.x - at.x, a.centre.y - at.y);
}

/** Which static true thing each of a map's is: the nearest of its kind, each once. */
function namesOf(truth: Truth, { sketch, mapFromWorld }: RobotMap): Map<string, SketchThing> {
  const worldFromMap = invert(mapFromWorld);
  const still = truth.things.filter(({ id }) => truth.document.histories[id]?.segments.length === 1);
  const near = sketch.things
    .filter(({ steady }) => steady)
    .flatMap((thing) => {
      const at = apply(worldFromMap, thing.centre);
      return still
        .filter(({ category }) => category === thing.category)
        .flatMap(({ id }) => {
          const centre = truth.placementAt(id, truth.endUs)?.placement.centre;
          const awayM = centre ? Math.hypot(centre.x - at.x, centre.y - at.y, centre.z - at.z) : Infinity;
          return awayM <= REACH_M ? [{ id, thing, awayM }] : [];
        });
    })
    .sort((p, q) => p.awayM - q.awayM);
  const names = new Map<string, SketchThing>();
  const taken = new Set<SketchThing>();
  for (const { id, thing } of near) {
    if (names.has(id) || taken.has(thing)) continue;
    names.set(id, thing);
    taken.add(thing);
  }
  return names;
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
