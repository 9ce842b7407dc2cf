import type { Intrinsics, Transform } from "../geometry/index.ts";
import type { DepthImage, RgbImage } from "./images.ts";

/** What a pose tracker gets of a frame. */
export interface SlamInput {
  readonly timeUs: number;
  readonly intrinsics: Intrinsics;
  readonly depth?: DepthImage | undefined;
  readonly rgb?: RgbImage | undefined;
}

/** The camera pose from a tracker, in the tracker's own frame, which starts at the first picture. */
export interface SlamEstimate {
  readonly originFromCamera: Transform;
  /**
   * 6×6 row-major covariance of the drift since the start: rotation (rad) first, then translation (m), along the axes
   * of the origin and about the camera.
   */
  readonly covariance: Float64Array;
  /** False where the picture matched nothing known: the pose is extrapolated. */
  readonly isTracked: boolean;
  /** Depth that the tracker estimated from the picture, of the picture's size; only where the frame had none. */
  readonly depth?: DepthImage | undefined;
}

/**
 * A source of camera poses from pictures: built-in odometry, or a service. Returns undefined without usable input (no
 * depth, no picture).
 */
export interface Slam {
  track(input: SlamInput): Promise<SlamEstimate | undefined>;
}
