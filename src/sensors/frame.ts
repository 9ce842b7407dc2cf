import type { Box, Intrinsics, Transform } from "../geometry/index.ts";
import type { DepthImage, FrameLine, MaskImage, RgbImage } from "../schema/index.ts";

export { DETECTIONS_PER_FRAME, type FrameLine, frameLineSchema, IMAGE_SIDE_PX } from "../schema/index.ts";
export type { DepthImage, MaskImage, RgbImage };

/** Ranges of a planar scan around +Z of the body, counter-clockwise from `startRad`; 0 means no return. */
export interface RangeScan {
  readonly startRad: number;
  readonly stepRad: number;
  readonly rangesMm: Uint16Array;
}

/** What a detector, or the simulator in its place, reports about one segment or box. */
export interface FrameDetection {
  /** Its number in the frame's masks. */
  readonly mask?: number | undefined;
  /** Left, top, right, bottom in pixels; right and bottom are exclusive. */
  readonly bbox: readonly [number, number, number, number];
  readonly score: number;
  /** Too uncertain to start a track; it may only confirm an existing one. */
  readonly faint?: boolean | undefined;
  readonly label?: string | undefined;
  /** A phrase that describes it: "a red mug with the text ANNA". */
  readonly text?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Its box as the detector gives it, along the axes of `mapFrame`. */
  readonly box?: Box | undefined;
}

/**
 * One moment of one sensor: the only input of perception, whether from a file, a live robot or the simulator.
 * `worldFromCamera` is the pose estimate at that moment, in the frame `mapFrame`, from an optical frame (+Z forward,
 * +X right, +Y down); absent if unknown.
 */
export interface Frame {
  /** Position in its recording, in order of arrival. */
  readonly index: number;
  /** By the agent's clock. */
  readonly timeUs: number;
  /** By the recorder's clock; late packets carry later times than their successors. */
  readonly receivedAtUs?: number | undefined;
  readonly agentId: string;
  readonly sensorId: string;
  readonly intrinsics: Intrinsics;
  /** "world", unless the agent has its own map with an unknown pose in the world. */
  readonly mapFrame: string;
  /** What the robot itself calls that frame: "map", "odom". */
  readonly robotFrame?: string | undefined;
  readonly worldFromCamera?: Transform | undefined;
  /** The submap that later corrections move, and the camera's pose in it. */
  readonly submap?: { readonly frame: string; readonly submapFromCamera: Transform } | undefined;
  /**
   * Uncertainty of the localisation, one standard deviation; above half a metre or 0.2 rad the frame is not used for
   * learning.
   */
  readonly poseSd?: { readonly m: number; readonly rad: number } | undefined;
  /** Dead reckoning since the start, uncorrected. */
  readonly odometry?: { readonly frame: string; readonly odomFromBody: Transform } | undefined;
  readonly rgb?: RgbImage | undefined;
  readonly depth?: DepthImage | undefined;
  readonly masks?: MaskImage | undefined;
  readonly scan?: RangeScan | undefined;
  readonly detections?: readonly FrameDetection[] | undefined;
  readonly captions?: readonly string[] | undefined;
}

/** The line that accompanies a frame's images. */
export function lineOf(frame: Frame): FrameLine {
  const { rgb: _rgb, depth, masks: _masks, scan, detections, captions, ...rest } = frame;
  return {
    ...rest,
    ...(depth && { depthUnitM: depth.unitM }),
    ...(scan && { scan: { ...scan, rangesMm: [...scan.rangesMm] } }),
    ...(detections && { detections: detections.map((one) => ({ ...one, bbox: [...one.bbox] })) }),
    ...(captions && { captions: [...captions] }),
  };
}

/** The frame from a line and its images. */
export function frameOf(
  line: FrameLine,
  images: {
    rgb?: RgbImage | undefined;
    depth?: Omit<DepthImage, "unitM"> | undefined;
    masks?: MaskImage | undefined;
  },
): Frame {
  const { depthUnitM, scan, ...rest } = line;
  return {
    ...rest,
    ...(images.rgb && { rgb: images.rgb }),
    ...(images.depth && { depth: { ...images.depth, unitM: depthUnitM ?? 0.001 } }),
    ...(images.masks && { masks: images.masks }),
    ...(scan && { scan: { ...scan, rangesMm: Uint16Array.from(scan.rangesMm) } }),
  };
}
