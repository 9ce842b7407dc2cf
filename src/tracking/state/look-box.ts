import type { Box, Transform, Vec3 } from "../../geometry/index.ts";
import { apply } from "../../geometry/index.ts";
import type { LiftedSolid } from "../../schema/core.ts";
import { COMMON } from "../settings/common.ts";

/**
 * The box rotated into the world's axes. Rotating its corners makes it larger, so horizontally the spread of the
 * sampled points is used where it is smaller; heights are the same in both, since both are gravity-aligned.
 */
export function boxAlongWorld(solid: LiftedSolid, worldFromSubmap: Transform, cameraInWorld: Vec3): Box {
  const { box } = solid;
  const corners = [
    apply(worldFromSubmap, box.min),
    apply(worldFromSubmap, { ...box.max, z: box.min.z }),
    apply(worldFromSubmap, { ...box.min, y: box.max.y }),
    apply(worldFromSubmap, { ...box.min, x: box.max.x }),
  ];
  const z0 = corners[0]!.z;
  const z1 = z0 + (box.max.z - box.min.z);
  let [x0, y0, x1, y1] = spreadOf(corners);
  const own = ownPoints(solid, worldFromSubmap, cameraInWorld);
  if (own.length >= COMMON.minRays) {
    const [sx0, sy0, sx1, sy1] = spreadOf(own);
    [x0, y0, x1, y1] = [Math.max(x0, sx0), Math.max(y0, sy0), Math.min(x1, sx1), Math.min(y1, sy1)];
  }
  return {
    min: { x: Math.min(x0, x1), y: Math.min(y0, y1), z: z0 },
    max: { x: Math.max(x0, x1), y: Math.max(y0, y1), z: z1 },
  };
}

/**
 * The sampled points that determine the horizontal extent. Masks are too large, and between a chair's legs they include
 * the floor behind it and another chair: points beyond a gap along the ray, in the very direction of those before it,
 * do not belong to the thing. Its support closes such gaps, so points at its foot count where others do. A thing that
 * is not large with all points keeps all: a chair's seat is visible behind its back, and may be its lowest visible
 * part.
 */
function ownPoints({ box, samples, centroid }: LiftedSolid, worldFromSubmap: Transform, eye: Vec3): Vec3[] {
  const { x, y } = apply(worldFromSubmap, centroid);
  const away = Math.hypot(x - eye.x, y - eye.y);
  // A support is visible only from above: the rim of a lamp, seen from below, belongs to the lamp.
  const bottomZ = apply(worldFromSubmap, box.min).z;
  const footZ = eye.z > bottomZ ? bottomZ + COMMON.edgeM : -Infinity;
  const points: SeenPoint[] = [];
  for (let i = 0; i + 2 < samples.length; i += 3) {
    const point = apply(worldFromSubmap, { x: samples[i]!, y: samples[i + 1]!, z: samples[i + 2]! });
    const [dx, dy] = [point.x - eye.x, point.y - eye.y];
    const along = (dx * (x - eye.x) + dy * (y - eye.y)) / away;
    const across = (dy * (x - eye.x) - dx * (y - eye.y)) / away;
    points.push({ point, along, bearing: across / Math.max(along, COMMON.hairM), isFoot: point.z <= footZ });
  }
  const standing = points.filter(({ isFoot }) => !isFoot).sort((a, b) => a.along - b.along);
  if (!(away > COMMON.hairM) || standing.length < COMMON.minRays) return points.map(({ point }) => point);
  const runs: SeenPoint[][] = [];
  for (const one of standing) {
    const run = runs.at(-1);
    if (run && one.along - run.at(-1)!.along <= COMMON.flatM) run.push(one);
    else runs.push([one]);
  }
  const offOf = (run: readonly SeenPoint[]) => Math.min(...run.map(({ along }) => Math.abs(along - away)));
  const main = runs.reduce((best, run) => (offOf(run) < offOf(best) ? run : best));
  const [left, right] = rangeOf(main.map(({ bearing }) => bearing));
  const [front, back] = rangeOf(main.map(({ along }) => along));
  const isOwn = (run: readonly SeenPoint[]) =>
    run === main ||
    run.some(({ bearing }) => bearing < left || bearing > right) ||
    Math.max(back, run.at(-1)!.along) - Math.min(front, run[0]!.along) < COMMON.largeM;
  const kept = runs.filter(isOwn).flat();
  const [near, far] = rangeOf(kept.map(({ along }) => along));
  const feet = points.filter(({ isFoot }) => isFoot);
  const [first, last] = rangeOf([near, far, ...feet.map(({ along }) => along)]);
  const isLarge = last - first >= COMMON.largeM;
  const foot = feet.filter(
    ({ along }) => !isLarge || (along >= near - COMMON.touchM && along <= far + COMMON.touchM),
  );
  return [...kept, ...foot].map(({ point }) => point);
}

interface SeenPoint {
  readonly point: Vec3;
  /** The horizontal distance in the direction of the middle. */
  readonly along: number;
  /** Tangent of the angle from there. */
  readonly bearing: number;
  readonly isFoot: boolean;
}

function rangeOf(values: readonly number[]): [least: number, most: number] {
  return [Math.min(...values), Math.max(...values)];
}

function spreadOf(points: readonly Vec3[]): [x0: number, y0: number, x1: number, y1: number] {
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    x0 = Math.min(x0, x);
    y0 = Math.min(y0, y);
    x1 = Math.max(x1, x);
    y1 = Math.max(y1, y);
  }
  return [x0, y0, x1, y1];
}
