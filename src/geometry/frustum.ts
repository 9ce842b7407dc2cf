import type { Box } from "./box.ts";
import { boxFromPoints, inflate } from "./box.ts";
import { conjugate, rotate } from "./quat.ts";
import type { Transform } from "./transform.ts";
import { apply, compose } from "./transform.ts";
import type { Vec3 } from "./vec3.ts";
import { lengthOf, subtract, vec3 } from "./vec3.ts";

/**
 * What a camera can see, in its optical frame (+Z forward, +X right, +Y down). A point at depth z is inside when
 * nearM ≤ z ≤ farM, |x/z − tanOffsetX| ≤ tanHalfWidth and |y/z − tanOffsetY| ≤ tanHalfHeight; the offsets, 0
 * when absent, carry a principal point that is not in the middle of the image. 0 ≤ nearM ≤ farM < ∞.
 */
export interface Frustum {
  readonly worldFromCamera: Transform;
  readonly tanHalfWidth: number;
  readonly tanHalfHeight: number;
  readonly nearM: number;
  readonly farM: number;
  readonly tanOffsetX?: number;
  readonly tanOffsetY?: number;
}

/**
 * A pinhole camera in pixels. Pixel (i, j) covers [i, i+1) × [j, j+1), so the image is [0, width] × [0, height]
 * and a centred camera has cx = width/2. OpenCV puts pixel centres at integers: its adapters add 0.5 to cx, cy.
 */
export interface Intrinsics {
  readonly fx: number;
  readonly fy: number;
  readonly cx: number;
  readonly cy: number;
  readonly width: number;
  readonly height: number;
}

/** A place in the image and the depth along the optical axis (+Z), which is not the length of the ray. */
export interface ProjectedPoint {
  readonly u: number;
  readonly v: number;
  readonly depthM: number;
}

/** The frustum of a pinhole image between two depths. Throws a RangeError on a camera that cannot exist. */
export function frustumFromIntrinsics(
  intrinsics: Intrinsics,
  worldFromCamera: Transform,
  nearM: number,
  farM: number,
): Frustum {
  const { fx, fy, cx, cy, width, height } = intrinsics;
  if (!(fx > 0 && fy > 0 && width > 0 && height > 0 && Number.isFinite(cx + cy))) {
    throw new RangeError(`expected positive focal lengths and image size, got ${JSON.stringify(intrinsics)}`);
  }
  if (!(nearM >= 0 && nearM <= farM && farM < Infinity)) {
    throw new RangeError(`expected 0 ≤ near ≤ far < ∞, got near ${nearM} and far ${farM}`);
  }
  return {
    worldFromCamera,
    tanHalfWidth: width / 2 / fx,
    tanHalfHeight: height / 2 / fy,
    nearM,
    farM,
    tanOffsetX: (width / 2 - cx) / fx,
    tanOffsetY: (height / 2 - cy) / fy,
  };
}

/** Closed on all six faces, up to the rounding of one rotation. NaN is in no frustum. */
export function frustumContains(frustum: Frustum, pointInWorld: Vec3): boolean {
  const { x, y, z } = inCamera(frustum.worldFromCamera, pointInWorld);
  return (
    z >= frustum.nearM &&
    z <= frustum.farM &&
    Math.abs(x - (frustum.tanOffsetX ?? 0) * z) <= frustum.tanHalfWidth * z &&
    Math.abs(y - (frustum.tanOffsetY ?? 0) * z) <= frustum.tanHalfHeight * z
  );
}

/** The tightest world box, since a frustum is the hull of its eight corners, widened by 1e-12 of its scale for rounding. */
export function frustumBounds(frustum: Frustum): Box {
  const corners = frustumCorners(frustum);
  const scale = Math.max(...corners.map(lengthOf), lengthOf(frustum.worldFromCamera.p));
  return inflate(boxFromPoints(corners)!, 1e-12 * scale);
}

/** The eight corners in the world: near then far, each from the image's top left clockwise. Also what a viewer draws. */
export function frustumCorners(frustum: Frustum): Vec3[] {
  const { tanHalfWidth: w, tanHalfHeight: h, tanOffsetX: ox = 0, tanOffsetY: oy = 0 } = frustum;
  return [frustum.nearM, frustum.farM].flatMap((z) =>
    [vec3(ox - w, oy - h, 1), vec3(ox + w, oy - h, 1), vec3(ox + w, oy + h, 1), vec3(ox - w, oy + h, 1)].map(
      (d) => apply(frustum.worldFromCamera, vec3(d.x * z, d.y * z, z)),
    ),
  );
}

/** The frustum seen from the parent of the frame in which it was given. */
export function transformFrustum(parentFromWorld: Transform, frustum: Frustum): Frustum {
  return { ...frustum, worldFromCamera: compose(parentFromWorld, frustum.worldFromCamera) };
}

/**
 * Pinhole projection. Undefined when the point is not in front of the camera; a point beside the image still
 * projects, since the edges of a half-seen box need it: ask `isInImage` where that matters.
 */
export function project(
  intrinsics: Intrinsics,
  worldFromCamera: Transform,
  pointInWorld: Vec3,
): ProjectedPoint | undefined {
  const { x, y, z } = inCamera(worldFromCamera, pointInWorld);
  if (!(z > 0)) return undefined;
  const { fx, fy, cx, cy } = intrinsics;
  return { u: (fx * x) / z + cx, v: (fy * y) / z + cy, depthM: z };
}

/** The world point seen at a place in the image at a depth: the inverse of `project`. */
export function unproject(
  intrinsics: Intrinsics,
  worldFromCamera: Transform,
  { u, v, depthM }: ProjectedPoint,
): Vec3 {
  const { fx, fy, cx, cy } = intrinsics;
  return apply(worldFromCamera, vec3(((u - cx) / fx) * depthM, ((v - cy) / fy) * depthM, depthM));
}

/** Half-open like the pixels themselves: floor(u), floor(v) is then a valid index. */
export function isInImage(
  { width, height }: Intrinsics,
  { u, v }: { readonly u: number; readonly v: number },
): boolean {
  return u >= 0 && u < width && v >= 0 && v < height;
}

function inCamera(worldFromCamera: Transform, pointInWorld: Vec3): Vec3 {
  return rotate(conjugate(worldFromCamera.q), subtract(pointInWorld, worldFromCamera.p));
}
