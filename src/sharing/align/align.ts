import { type Judgement, judge } from "./judge.ts";
import { type LevelPose, turnBetween } from "./level.ts";
import { proposals } from "./propose.ts";
import { type Fitted, refine } from "./refine.ts";
import { type MapSide, sideOf } from "./side.ts";
import type { MapSketch } from "./sketch.ts";

/** How many proposals are refined: the best by their unrefined score, no two alike. */
const FITTED = 24;
/** Poses nearer than this to each other are one answer. */
const SAME_M = 0.5;
const SAME_RAD = 0.14;
/** A join must be this much likelier than chance, and than any other, in nats. */
const MIN_TOTAL = 20;
/**
 * … by its things alone this much, and both maps must have this share of the steady things: rooms with right angles
 * align well between any two houses, but their contents do not.
 */
const MIN_OF_THINGS = 20;
const MIN_FOUND = 0.6;
/** … or this share, if both odds are that much higher: a robot in a hurry misses much of what another saw. */
const SURE_TOTAL = 80;
const SURE_OF_THINGS = 25;
const SURE_FOUND = 0.45;
const MIN_AHEAD = 12;
/** … and rest on this much. */
const MIN_THINGS = 4;
const MIN_SHARED_M2 = 4;

/** Why two maps were not joined. */
export type Refusal = "nothing-in-common" | "not-sure" | "ambiguous";

export interface Alignment {
  /** The pose of the second map in the first, if it could be determined. */
  readonly pose?: LevelPose;
  readonly covariance?: readonly number[];
  readonly refused?: Refusal;
  readonly best?: Judgement & { readonly pose: LevelPose };
  /** How much likelier the best answer is than the next one that is another, in nats. */
  readonly ahead: number;
}

/** The pose of the second of two maps in the first: the one answer, or why there is none. */
export function align(first: MapSketch, second: MapSketch): Alignment {
  const [a, b] = [sideOf(first), sideOf(second)];
  const answers = answersOf(a, b);
  const best = answers[0];
  if (!best) return { refused: "nothing-in-common", ahead: 0 };
  const next = answers.find((other) => !isSame(best.pose, other.pose));
  const ahead = best.total - Math.max(0, next?.total ?? 0);
  const found = { best, ahead };
  if (best.pairs.length < MIN_THINGS || best.sharedM2 < MIN_SHARED_M2)
    return { ...found, refused: "nothing-in-common" };
  const isSure = best.total >= SURE_TOTAL && best.things >= SURE_OF_THINGS;
  const leastFound = isSure ? SURE_FOUND : MIN_FOUND;
  if (best.total < MIN_TOTAL || best.things < MIN_OF_THINGS || best.found < leastFound)
    return { ...found, refused: "not-sure" };
  if (ahead < MIN_AHEAD) return { ...found, refused: "ambiguous" };
  return { ...found, pose: best.pose, covariance: best.covariance };
}

type Answer = Fitted & Judgement;

function answersOf(a: MapSide, b: MapSide): Answer[] {
  const coarse = proposals(a, b)
    .map((pose) => ({ pose, total: judge(a, b, pose).total }))
    .sort((p, q) => q.total - p.total);
  const distinct: LevelPose[] = [];
  for (const { pose } of coarse) {
    if (distinct.length === FITTED) break;
    if (!distinct.some((other) => isSame(pose, other))) distinct.push(pose);
  }
  return distinct
    .map((pose) => {
      const fitted = refine(a, b, pose);
      return { ...fitted, ...judge(a, b, fitted.pose) };
    })
    .sort((p, q) => q.total - p.total);
}

function isSame(a: LevelPose, b: LevelPose): boolean {
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z) <= SAME_M && turnBetween(a.yawRad, b.yawRad) <= SAME_RAD;
}
