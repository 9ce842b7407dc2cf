import type { Transform, Vec3 } from "../../geometry/index.ts";

/** The pose of one level map in another: a rotation about the vertical, then a shift. */
export interface LevelPose {
  readonly yawRad: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export function applyLevel({ yawRad, x, y, z }: LevelPose, p: Vec3): Vec3 {
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  return { x: cos * p.x - sin * p.y + x, y: sin * p.x + cos * p.y + y, z: p.z + z };
}

export function invertLevel({ yawRad, x, y, z }: LevelPose): LevelPose {
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  return { yawRad: -yawRad, x: -(cos * x + sin * y), y: sin * x - cos * y, z: -z };
}

/** First the second, then the first. */
export function composeLevel(first: LevelPose, second: LevelPose): LevelPose {
  const { x, y, z } = applyLevel(first, second);
  return { yawRad: first.yawRad + second.yawRad, x, y, z };
}

export function transformOf({ yawRad, x, y, z }: LevelPose): Transform {
  return { p: { x, y, z }, q: { w: Math.cos(yawRad / 2), x: 0, y: 0, z: Math.sin(yawRad / 2) } };
}

/** The smaller angle between two headings, from 0 to π. */
export function turnBetween(a: number, b: number): number {
  const turn = Math.abs(a - b) % (2 * Math.PI);
  return Math.min(turn, 2 * Math.PI - turn);
}
