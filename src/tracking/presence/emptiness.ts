import { type Box, distance, type Vec3 } from "../../geometry/index.ts";
import { COMMON } from "../settings/common.ts";
import type { FrameView } from "../state/frame-view.ts";
import { lately } from "../state/lately.ts";
import type { Thing } from "../state/thing.ts";

/** Rays go to points in the upper part of a thing, across the middle of it. */
const HEIGHTS = [COMMON.majorityShare, 1 - COMMON.someShare];
const ACROSS = [-0.5, 0, 0.5];

/** Learns how a thing's support and background look while it is there: some things, like racks, are seen through. */
export function learnEmptiness(view: FrameView, thing: Thing): void {
  const share = emptyShare(view, thing.worldBox);
  if (share === undefined) return;
  const { mean, looks } = thing.doubts.emptiness ?? { mean: share, looks: 0 };
  thing.doubts.emptiness = { mean: lately(mean, share), looks: looks + 1 };
}

/**
 * Whether a place shows what carried a thing and what stood behind it, or something of its height, compared with its
 * look while the thing was there. A cup is no higher than the depth tolerance along one ray. But most rays to a cup end
 * above its foot and within its box, and none of those to the table under it do.
 */
export function emptinessOf(view: FrameView, thing: Thing): "empty" | "full" | "unknown" {
  const usual = thing.doubts.emptiness;
  if (!usual || usual.looks < COMMON.twice) return "unknown";
  const share = emptyShare(view, thing.worldBox);
  if (share === undefined) return "unknown";
  if (share >= Math.max(1 - COMMON.slightShare, usual.mean + 0.5)) return "empty";
  return share <= usual.mean + COMMON.slightShare && usual.mean < 0.5 ? "full" : "unknown";
}

/**
 * The share of the rays to the upper part of a box that end at its foot, below it or behind it; undefined if there are
 * too few.
 */
function emptyShare(view: FrameView, { min, max }: Box): number | undefined {
  const height = max.z - min.z;
  if (height < COMMON.slackM) return undefined;
  const footZ = min.z + COMMON.minorityShare * height;
  const reachM = Math.hypot(max.x - min.x, max.y - min.y) / 2 + COMMON.toleranceM;
  const eye = view.cameraInWorld;
  let [tested, empty] = [0, 0];
  const judge = (point: Vec3): void => {
    const end = view.surfaceToward(point);
    if (!end || distance(eye, end) < distance(eye, point) - reachM) return;
    tested++;
    if (end.z <= footZ || isBehind(eye, end, min, max)) empty++;
  };
  for (const up of HEIGHTS) {
    for (const across of ACROSS) {
      for (const along of ACROSS) {
        judge({
          x: (min.x + max.x) / 2 + (across * (max.x - min.x)) / 2,
          y: (min.y + max.y) / 2 + (along * (max.y - min.y)) / 2,
          z: min.z + up * height,
        });
      }
    }
  }
  return tested >= COMMON.minRays ? empty / tested : undefined;
}

/** Whether a ray that goes through a box ends beyond the sides by which it leaves it. */
function isBehind(eye: Vec3, end: Vec3, min: Vec3, max: Vec3): boolean {
  const beyond = (from: number, to: number, low: number, high: number) => (to > from ? to - high : low - to);
  return (
    beyond(eye.x, end.x, min.x, max.x) > COMMON.edgeM ||
    beyond(eye.y, end.y, min.y, max.y) > COMMON.edgeM ||
    beyond(eye.z, end.z, min.z, max.z) > COMMON.edgeM
  );
}
