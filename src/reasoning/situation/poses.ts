import type { Box, Vec3 } from "../../geometry/index.ts";
import { wrapped } from "../algebra/things/viewer.ts";
import {
  betweenAt,
  facingAt,
  gapOnPlan,
  headingAt,
  type Meant,
  SIDES,
  type Side,
  type Stance,
  sideAt,
  stanceAt,
} from "./terms.ts";

/** A speaker's statement of their position, with the things that they may mean. */
export interface Situation {
  readonly stance?: { readonly relation: Stance; readonly meant: readonly Meant[] } | undefined;
  readonly facing?: readonly Meant[] | undefined;
  readonly sides: readonly {
    /** A side, or the left turn needed to face it (three o'clock is −π/2). */
    readonly side: Side | number;
    readonly meant: readonly Meant[];
    readonly isInReach?: boolean | undefined;
  }[];
  /** Obstacles: a speaker is not inside one unless they say so. */
  readonly solid: readonly Box[];
  /** The region of possible positions. */
  readonly bounds: Box;
}

/** A position and direction, with its probability of being the one meant. */
export interface LikelyPose {
  readonly position: Vec3;
  readonly yawRad: number;
  readonly p: number;
}

const STEP_M = 0.2;
const YAWS = 24;
/** The most positions tried; over a larger area they are farther apart. */
const MOST_PLACES = 4_000;
/** Factor for positions inside furniture. */
const INSIDE = 0.08;
/** Positions this much less likely than the likeliest are dropped. */
const NEGLIGIBLE = 0.005;
/** Poses closer than this are equal for questions about left and right (m). */
const SAME_M = 0.8;
const SAME_RAD = Math.PI / 4;
const MOST_POSES = 6;
/** The most of the likeliest poses for which agreeing ones are counted. */
const MOST_TRIED = 48;
const MOST_KEPT = 2_000;
const LEAST_P = 0.02;

/**
 * The likely poses of a speaker by their statement, best first: every pose of a grid weighted by the likelihood of the
 * statement, with similar poses combined. The probabilities sum up to at most 1; no part of a statement excludes a
 * pose.
 */
export function likelyPoses(situation: Situation): LikelyPose[] {
  const places = gridOf(situation.bounds).map((position) => ({
    position,
    p: standingAt(position, situation),
  }));
  const most = Math.max(...places.map(({ p }) => p));
  const weighed = places
    .filter(({ p }) => p > most * NEGLIGIBLE)
    .flatMap(({ position, p }) =>
      Array.from({ length: YAWS }, (_, n) => {
        const pose = { position, yawRad: wrapped((2 * Math.PI * n) / YAWS) };
        return { ...pose, p: p * lookingAt(pose, situation) };
      }),
    );
  const total = weighed.reduce((sum, { p }) => sum + p, 0);
  if (!(total > 0)) return [];
  let left = weighed
    .filter(({ p }) => p > (1e-4 * total) / weighed.length)
    .sort((a, b) => b.p - a.p)
    .slice(0, MOST_KEPT);
  const modes: LikelyPose[] = [];
  while (left.length > 0 && modes.length < MOST_POSES) {
    let [best, mass] = [left[0]!, 0];
    for (const top of left.slice(0, MOST_TRIED)) {
      let own = 0;
      for (const one of left) if (isSame(one, top)) own += one.p;
      if (own > mass) [best, mass] = [top, own];
    }
    const crowd = left.filter((one) => isSame(one, best));
    const mode = meanOf(crowd);
    modes.push({ ...mode, p: mode.p / total });
    const taken = new Set(crowd);
    left = left.filter((one) => !taken.has(one));
  }
  return modes.filter(({ p }, n) => n === 0 || p >= LEAST_P).sort((a, b) => b.p - a.p);
}

/** The likelihood of a position, in any direction. */
function standingAt(position: Vec3, situation: Situation): number {
  const { stance } = situation;
  const free = isFree(position, situation) ? 1 : INSIDE;
  if (!stance) return free;
  const { relation, meant } = stance;
  return free * (relation === "between" ? betweenAt(position, meant) : stanceAt(position, relation, meant));
}

/** The likelihood of a direction at a position. */
function lookingAt(pose: Omit<LikelyPose, "p">, { stance, facing, sides, bounds }: Situation): number {
  let weight = 1;
  if (stance && !facing) {
    const { relation, meant } = stance;
    weight *= headingAt(pose, relation, meant);
    // Seats and beds stand with their backs to the wall.
    if (relation === "on" || relation === "in") weight *= openAhead(pose, bounds);
  }
  if (facing) weight *= facingAt(pose, facing);
  for (const { side, meant, isInReach = false } of sides)
    weight *= sideAt(pose, typeof side === "number" ? side : SIDES[side], meant, { isInReach });
  return weight;
}

const OPEN_M = 1.5;

/** The free distance ahead before the wall, as a likelihood of sitting that way. */
function openAhead({ position, yawRad }: Omit<LikelyPose, "p">, { min, max }: Box): number {
  const [c, s] = [Math.cos(yawRad), Math.sin(yawRad)];
  const x = c > 0 ? (max.x - position.x) / c : c < 0 ? (min.x - position.x) / c : Infinity;
  const y = s > 0 ? (max.y - position.y) / s : s < 0 ? (min.y - position.y) / s : Infinity;
  return 0.4 + 0.6 * Math.min(1, Math.min(x, y) / OPEN_M);
}

function gridOf({ min, max }: Box): Vec3[] {
  const area = Math.max(0.01, (max.x - min.x) * (max.y - min.y));
  const step = Math.max(STEP_M, Math.sqrt(area / MOST_PLACES));
  const places: Vec3[] = [];
  for (let x = min.x + step / 2; x <= max.x; x += step)
    for (let y = min.y + step / 2; y <= max.y; y += step) places.push({ x, y, z: min.z });
  return places;
}

/** A person on or in a thing is inside its box; others stand in free space. */
function isFree(position: Vec3, { solid, stance }: Situation): boolean {
  const own = stance && (stance.relation === "on" || stance.relation === "in") ? stance.meant : [];
  if (own.some(({ box }) => gapOnPlan(position, box) === 0)) return true;
  return solid.every((box) => gapOnPlan(position, box) > 0);
}

function isSame(a: LikelyPose, b: LikelyPose): boolean {
  const [dx, dy] = [a.position.x - b.position.x, a.position.y - b.position.y];
  if (dx * dx + dy * dy > SAME_M * SAME_M) return false;
  const turn = Math.abs(a.yawRad - b.yawRad);
  return Math.min(turn, 2 * Math.PI - turn) <= SAME_RAD;
}

function meanOf(poses: readonly LikelyPose[]): LikelyPose {
  let [x, y, c, s, p] = [0, 0, 0, 0, 0];
  for (const pose of poses) {
    x += pose.p * pose.position.x;
    y += pose.p * pose.position.y;
    c += pose.p * Math.cos(pose.yawRad);
    s += pose.p * Math.sin(pose.yawRad);
    p += pose.p;
  }
  return { position: { x: x / p, y: y / p, z: poses[0]!.position.z }, yawRad: Math.atan2(s, c), p };
}
