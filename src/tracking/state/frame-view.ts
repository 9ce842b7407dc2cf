import type { Box, Intrinsics, Transform, Vec3 } from "../../geometry/index.ts";
import {
  centreOf,
  conjugate,
  extentOf,
  type Frustum,
  frustumBounds,
  frustumFromIntrinsics,
  rayBox,
  rotate,
  subtract,
} from "../../geometry/index.ts";
import type { DepthImage } from "../../schema/core.ts";
import { COMMON, SLIP_SHARE } from "../settings/common.ts";
import { PRESENCE } from "../settings/presence.ts";

const CORNERS: readonly Vec3[] = [-1, 1].flatMap((x) =>
  [-1, 1].flatMap((y) => [-1, 1].map((z) => ({ x, y, z }))),
);

/** The result of a depth image for the place of one box. */
export interface Probe {
  /** The points of the box that the image could judge, and the results. */
  readonly tested: number;
  readonly through: number;
  readonly match: number;
  readonly occluded: number;
  /** The pixels that the whole unoccluded box would cover. */
  readonly expectedPx: number;
  /** The same for its silhouette, filled. */
  readonly silhouettePx: number;
  readonly depthM: number;
}

/** One frame as evidence about places: rays to known boxes against the measured depth (docs/formulas.md#presence). */
export class FrameView {
  readonly cameraInWorld: Vec3;
  readonly #worldFromCamera: Transform;
  readonly #intrinsics: Intrinsics;
  readonly #depth: DepthImage | undefined;
  readonly #frustum: Frustum;

  constructor(worldFromCamera: Transform, intrinsics: Intrinsics, depth: DepthImage | undefined) {
    this.cameraInWorld = worldFromCamera.p;
    this.#worldFromCamera = worldFromCamera;
    this.#intrinsics = intrinsics;
    this.#depth = depth;
    this.#frustum = frustumFromIntrinsics(intrinsics, worldFromCamera, COMMON.toleranceM, PRESENCE.rangeM);
  }

  /** Contains everything that the frame can judge. */
  get bounds(): Box {
    return frustumBounds(this.#frustum);
  }

  /** The position of a point in the image; undefined behind the camera or outside the image's margin. */
  pixelOf(pointInWorld: Vec3): { u: number; v: number; depthM: number } | undefined {
    const { x, y, z } = rotate(
      conjugate(this.#worldFromCamera.q),
      subtract(pointInWorld, this.#worldFromCamera.p),
    );
    if (!(z > COMMON.toleranceM)) return undefined;
    const { fx, fy, cx, cy, width, height } = this.#intrinsics;
    const u = (fx * x) / z + cx;
    const v = (fy * y) / z + cy;
    const marginX = COMMON.hardlyShare * width;
    const marginY = COMMON.hardlyShare * height;
    if (u < marginX || v < marginY || u >= width - marginX || v >= height - marginY) return undefined;
    return { u, v, depthM: z };
  }

  /**
   * The pixels that a box would cover: its silhouette from here, as far as it fills it. Off the middle of the image a
   * flat sensor shows things larger, by the cube of 1/cos of the angle: eight times at the border of a wide lens.
   */
  expectedPx(box: Box): number {
    const { x, y, z } = subtract(centreOf(box), this.#worldFromCamera.p);
    const depthM = rotate(conjugate(this.#worldFromCamera.q), { x, y, z }).z;
    const squared = x * x + y * y + z * z;
    const e = extentOf(box);
    const length = Math.sqrt(squared);
    if (!(length > COMMON.toleranceM)) return 0;
    const [ex, ey, ez] = [
      Math.max(e.x, COMMON.hairM),
      Math.max(e.y, COMMON.hairM),
      Math.max(e.z, COMMON.hairM),
    ];
    const silhouette = (Math.abs(x) * ey * ez + Math.abs(y) * ex * ez + Math.abs(z) * ex * ey) / length;
    const stretch = Math.min(
      PRESENCE.maxStretch,
      Math.max(1, length / Math.max(COMMON.toleranceM, depthM)) ** 3,
    );
    return (
      (COMMON.majorityShare * silhouette * stretch * this.#intrinsics.fx * this.#intrinsics.fy) / squared
    );
  }

  /** Judges a box by its middle, eight inner points and some points of its known surface. */
  probe(box: Box, surface: readonly Vec3[], toleranceM = COMMON.toleranceM): Probe | undefined {
    const depth = this.#depth;
    const centre = centreOf(box);
    const at = this.pixelOf(centre);
    if (!depth || !at || at.depthM > PRESENCE.rangeM) return undefined;
    const e = extentOf(box);
    const tally = { tested: 0, through: 0, match: 0, occluded: 0 };
    const leastM = SLIP_SHARE * Math.min(e.x, e.y, e.z);
    const judge = (point: Vec3): void => {
      const pixel = this.pixelOf(point);
      if (!pixel) return;
      const measured = this.#depthAt(depth, pixel.u, pixel.v);
      if (measured === 0) return;
      const z = pixel.depthM;
      const tolerance = Math.max(toleranceM, COMMON.certainSd * depthSdM(z), leastM);
      tally.tested++;
      if (measured > z + tolerance) tally.through++;
      else if (measured >= z * this.#entry(box, point) - tolerance) tally.match++;
      else tally.occluded++;
    };
    judge(centre);
    for (const { x, y, z } of CORNERS) {
      const share = COMMON.partShare / 2;
      judge({ x: centre.x + x * share * e.x, y: centre.y + y * share * e.y, z: centre.z + z * share * e.z });
    }
    for (const point of surface) judge(point);
    if (tally.tested === 0) return undefined;
    const expectedPx = this.expectedPx(box);
    return { ...tally, expectedPx, silhouettePx: expectedPx / COMMON.majorityShare, depthM: at.depthM };
  }

  /** Whether the surface at a point is visible: not occluded, and not seen through. */
  showsSurface(point: Vec3): boolean {
    const pixel = this.pixelOf(point);
    if (!this.#depth || !pixel) return false;
    const measured = this.#depthAt(this.#depth, pixel.u, pixel.v);
    return measured > 0 && Math.abs(measured - pixel.depthM) <= 2 * COMMON.toleranceM;
  }

  /** The measured end point of the ray to a point; undefined outside the image or without a measurement. */
  surfaceToward(point: Vec3): Vec3 | undefined {
    const pixel = this.pixelOf(point);
    if (!this.#depth || !pixel) return undefined;
    const measured = this.#depthAt(this.#depth, pixel.u, pixel.v);
    if (measured === 0) return undefined;
    const { x, y, z } = this.cameraInWorld;
    const share = measured / pixel.depthM;
    return { x: x + (point.x - x) * share, y: y + (point.y - y) * share, z: z + (point.z - z) * share };
  }

  /** The share of the way to a point at which its ray enters the box. */
  #entry(box: Box, point: Vec3): number {
    const origin = this.#worldFromCamera.p;
    const hit = rayBox({ origin, direction: subtract(point, origin) }, box);
    return hit ? Math.min(1, hit.near) : 1;
  }

  #depthAt({ data, width, height, unitM }: DepthImage, u: number, v: number): number {
    const i = Math.floor((u * width) / this.#intrinsics.width);
    const j = Math.floor((v * height) / this.#intrinsics.height);
    return (data[j * width + i] ?? 0) * unitM;
  }
}

/**
 * The probability that a detector misses a thing of this many pixels (docs/formulas.md#noise: half of those with 60).
 */
export function missProbability(pixels: number): number {
  const ratio = pixels / COMMON.halfMissedPx;
  return 1 / (1 + ratio * ratio);
}

/** One standard deviation of a measured depth at a distance. */
function depthSdM(z: number): number {
  const offM = z - COMMON.depthBestM;
  return COMMON.depthSdM + COMMON.depthSdPerM2 * offM * offM;
}
