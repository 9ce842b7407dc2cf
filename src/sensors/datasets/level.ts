import {
  fromAxisAngle,
  IDENTITY_QUAT,
  type Intrinsics,
  multiply,
  type Quat,
  rotate,
  type Transform,
  type Vec3,
} from "../../geometry/index.ts";
import { upright } from "../axes.ts";
import type { ReadOptions } from "../options.ts";
import { type Reading, viewOf, worldFrom } from "./conventions.ts";
import { type ShotList, worldUpOf } from "./shots.ts";

/** A depth image in the world of its files, upright as far as its axes allow. */
export interface LevelView {
  readonly worldFromCamera: Transform;
  readonly intrinsics: Intrinsics;
  /** In metres; 0 means no measurement. */
  depthAt(at: number): number;
}

const FRAMES = 24;
const STRIDE = 8;
const REACH = 8;
const JUMP_SHARE = 0.06;
const FAR_M = 4;
/** Largest deviation of a floor or wall from level or upright, by round. */
const ROUNDS_RAD = [0.6, 0.3, 0.15, 0.1];
/** Less is noise; more than the first round allows cannot be found. */
const LEAST_RAD = 0.017;
/** Share of all normals that must be level or upright at the end: rooms pass, hills do not. */
const LEAST_SHARE = 0.35;
const LEAST_SLOPES = 2_000;
/**
 * Surfaces within 11° of facing up or down; and, for an upside-down world, the least share of all that face down and
 * their least ratio to those facing up.
 */
const LEVEL_COSINE = 0.98;
const OVER_SHARE = 0.08;
const OVER_RATIO = 3;

/** The rotation that makes floors level and facing up, and messages about it; undefined if they are already. */
export async function levelOf(
  list: ShotList,
  options: ReadOptions,
): Promise<{ readonly turn: Quat; readonly lines: readonly string[] } | undefined> {
  const usable = list.shots.filter(({ depth, pose }) => depth !== undefined && pose !== undefined);
  const count = Math.min(FRAMES, usable.length);
  if (count < 2 || options.worldUp || !["detect", "ask"].includes(list.worldUp)) return undefined;
  const reading: Reading = {
    poseConvention: options.poseConvention ?? list.poseConvention ?? "camera-to-world",
    cameraAxes: options.cameraAxes ?? list.cameraAxes,
    depthUnitM: options.depthUnitM ?? list.depthUnitM,
    poseUnitM: options.poseUnitM ?? 1,
  };
  const poses = usable.map(({ pose }) => worldFrom(pose!, reading));
  const { axis } = worldUpOf(list, poses, "optical", options);
  const places = Array.from({ length: count }, (_, n) => Math.floor(((n + 0.5) * usable.length) / count));
  const shown = await Promise.all(places.map((at) => viewOf(list, usable[at]!, options)));
  const views = shown.flatMap((view, n): LevelView[] => {
    if (!view) return [];
    const { intrinsics, data } = view;
    const depthAt = (pixel: number) => data[pixel]! * reading.depthUnitM;
    return [{ worldFromCamera: upright(poses[places[n]!]!, "optical", axis), intrinsics, depthAt }];
  });
  const found = findLevel(views);
  if (!found) return undefined;
  const { turn, tiltRad, isOver } = found;
  const degrees = ((tiltRad * 180) / Math.PI).toFixed(1);
  return {
    turn,
    lines: [
      ...(tiltRad > 0
        ? [`The world of the files leans by ${degrees}°: turned so that floors are level.`]
        : []),
      ...(isOver
        ? [
            "The camera was held upside down: turned over, since floors and tables face up (--world-up says otherwise).",
          ]
        : []),
    ],
  };
}

/**
 * The rotation of a recording's world that makes floors level and walls upright; undefined if they are already, or if
 * it cannot be determined. Many trackers use the first picture's axes as the world.
 */
export function findLevel(
  views: readonly LevelView[],
): { readonly turn: Quat; readonly tiltRad: number; readonly isOver: boolean } | undefined {
  const slopes = views.flatMap(slopesOf);
  if (slopes.length < LEAST_SLOPES) return undefined;
  let up: Vec3 = { x: 0, y: 0, z: 1 };
  let share = 0;
  for (const within of ROUNDS_RAD) {
    const m = [0, 0, 0, 0, 0, 0];
    let used = 0;
    for (const n of slopes) {
      const along = Math.abs(n.x * up.x + n.y * up.y + n.z * up.z);
      const sign = along > Math.cos(within) ? -1 : along < Math.sin(within) ? 1 : 0;
      if (sign === 0) continue;
      used++;
      // A level surface determines as much as two upright ones, which each leave one direction free.
      const w = sign < 0 ? 2 * sign : sign;
      for (const [k, value] of [n.x * n.x, n.x * n.y, n.x * n.z, n.y * n.y, n.y * n.z, n.z * n.z].entries())
        m[k]! += w * value;
    }
    share = used / slopes.length;
    up = least(m, up);
  }
  if (share < LEAST_SHARE) return undefined;
  const isOver = isTurnedOver(slopes, up);
  const leansRad = Math.acos(Math.min(1, up.z));
  const tiltRad = leansRad < LEAST_RAD ? 0 : leansRad;
  if (tiltRad === 0 && !isOver) return undefined;
  const axis = { x: up.y, y: -up.x, z: 0 };
  const length = Math.hypot(axis.x, axis.y);
  const level =
    tiltRad === 0 ? IDENTITY_QUAT : fromAxisAngle({ x: axis.x / length, y: axis.y / length, z: 0 }, tiltRad);
  return {
    turn: isOver ? multiply(fromAxisAngle({ x: 1, y: 0, z: 0 }, Math.PI), level) : level,
    tiltRad,
    isOver,
  };
}

/**
 * Whether level surfaces face down. Cameras see far more of floors, tables and seats than of ceilings and undersides.
 * A recording with the opposite was made upside down in a world of its own.
 */
function isTurnedOver(slopes: readonly Vec3[], up: Vec3): boolean {
  let [upward, downward] = [0, 0];
  for (const n of slopes) {
    // Normals point away from the camera: those of a floor point down.
    const along = n.x * up.x + n.y * up.y + n.z * up.z;
    if (along < -LEVEL_COSINE) upward++;
    else if (along > LEVEL_COSINE) downward++;
  }
  return downward > OVER_SHARE * slopes.length && downward > OVER_RATIO * upward;
}

/** Unit normals at well-measured pixels, in the world. */
function slopesOf({ worldFromCamera, intrinsics, depthAt }: LevelView): Vec3[] {
  const { fx, fy, cx, cy, width, height } = intrinsics;
  const found: Vec3[] = [];
  const pointAt = (i: number, j: number, z: number): Vec3 => ({
    x: ((i + 0.5 - cx) / fx) * z,
    y: ((j + 0.5 - cy) / fy) * z,
    z,
  });
  for (let j = REACH; j + REACH < height; j += STRIDE) {
    for (let i = REACH; i + REACH < width; i += STRIDE) {
      const z = depthAt(j * width + i);
      if (z === 0 || z > FAR_M) continue;
      const [l, r] = [depthAt(j * width + i - REACH), depthAt(j * width + i + REACH)];
      const [t, b] = [depthAt((j - REACH) * width + i), depthAt((j + REACH) * width + i)];
      if ([l, r, t, b].some((other) => other === 0 || Math.abs(other - z) > JUMP_SHARE * z)) continue;
      const [pl, pr] = [pointAt(i - REACH, j, l), pointAt(i + REACH, j, r)];
      const [pt, pb] = [pointAt(i, j - REACH, t), pointAt(i, j + REACH, b)];
      const [ax, ay, az] = [pr.x - pl.x, pr.y - pl.y, pr.z - pl.z];
      const [bx, by, bz] = [pb.x - pt.x, pb.y - pt.y, pb.z - pt.z];
      const n = { x: ay * bz - az * by, y: az * bx - ax * bz, z: ax * by - ay * bx };
      const length = Math.hypot(n.x, n.y, n.z);
      if (!(length > 0)) continue;
      found.push(rotate(worldFromCamera.q, { x: n.x / length, y: n.y / length, z: n.z / length }));
    }
  }
  return found;
}

/** The eigenvector of a symmetric matrix with the smallest eigenvalue, by power iteration on the shifted matrix. */
function least([xx, xy, xz, yy, yz, zz]: readonly number[], from: Vec3): Vec3 {
  const bound =
    Math.abs(xx!) + Math.abs(yy!) + Math.abs(zz!) + 2 * (Math.abs(xy!) + Math.abs(xz!) + Math.abs(yz!)) + 1;
  let v = from;
  for (let round = 0; round < 200; round++) {
    const x = bound * v.x - (xx! * v.x + xy! * v.y + xz! * v.z);
    const y = bound * v.y - (xy! * v.x + yy! * v.y + yz! * v.z);
    const z = bound * v.z - (xz! * v.x + yz! * v.y + zz! * v.z);
    const length = Math.hypot(x, y, z);
    v = { x: x / length, y: y / length, z: z / length };
  }
  return v.z < 0 ? { x: -v.x, y: -v.y, z: -v.z } : v;
}
