import type { Intrinsics, Transform } from "../geometry/index.ts";
import type { DepthImage, RgbImage } from "./images.ts";

/** What a tracker sees of a frame. */
export interface SlamInput {
  readonly timeUs: number;
  readonly intrinsics: Intrinsics;
  readonly depth?: DepthImage | undefined;
  readonly rgb?: RgbImage | undefined;
}

/** Where the camera is by a tracker, in a frame of the tracker's own that begins at the first picture. */
export interface SlamEstimate {
  readonly originFromCamera: Transform;
  /**
   * 6×6 row-major covariance of the drift since the start: rotation (rad) first, then translation (m), along the
   * axes of the origin and about the camera.
   */
  readonly covariance: Float64Array;
  /** False where the picture fitted nothing known: the pose is a guess that goes on as before. */
  readonly isTracked: boolean;
  /** Depth that the tracker saw in a picture alone, of the picture's size; only where the frame had none. */
  readonly depth?: DepthImage | undefined;
}

/**
 * Whoever can tell where a camera is from its pictures alone: built-in odometry, or a service. Undefined when it
 * has nothing to go by (no depth, no picture).
 */
export interface Slam {
  track(input: SlamInput): Promise<SlamEstimate | undefined>;
}
