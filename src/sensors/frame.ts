import type { Box, Intrinsics, Transform } from "../geometry/index.ts";
import type { DepthImage, FrameLine, MaskImage, RgbImage } from "../schema/index.ts";

export { DETECTIONS_PER_FRAME, type FrameLine, frameLineSchema, IMAGE_SIDE_PX } from "../schema/index.ts";
export type { DepthImage, MaskImage, RgbImage };

/** Ranges of a planar scan around +Z of the body, counter-clockwise from `startRad`; 0 is no return. */
export interface RangeScan {
  readonly startRad: number;
  readonly stepRad: number;
  readonly rangesMm: Uint16Array;
}

/** What a detector, or the simulator in its place, says about one segment or box. */
export interface FrameDetection {
  /** Its number in the frame's masks. */
  readonly mask?: number | undefined;
  /** Left, top, right, bottom in pixels; right and bottom are exclusive. */
  readonly bbox: readonly [number, number, number, number];
  readonly score: number;
  /** Too unsure to make a thing known by itself; it may say that one that is known is still there. */
  readonly faint?: boolean | undefined;
  readonly label?: string | undefined;
  /** A phrase about it: "a red mug with the text ANNA". */
  readonly text?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Where it is by its detector's own reckoning, along the axes of `mapFrame`. */
  readonly box?: Box | undefined;
}

/**
 * One moment of one sensor: the only thing that perception sees, whether it comes from a file, a live robot or
 * the simulator. `worldFromCamera` is the pose believed at that moment, in the frame `mapFrame`, to an optical
 * frame (+Z forward, +X right, +Y down); it is absent when nobody knew.
 */
export interface Frame {
  /** Position in its recording, in order of arrival. */
  readonly index: number;
  /** By the clock of the agent. */
  readonly timeUs: number;
  /** By the clock of the recorder; late packets have it after later frames. */
  readonly receivedAtUs?: number | undefined;
  readonly agentId: string;
  readonly sensorId: string;
  readonly intrinsics: Intrinsics;
  /** "world" unless the agent has a map of its own whose place in the world is unknown. */
  readonly mapFrame: string;
  readonly worldFromCamera?: Transform | undefined;
  /** The piece of map to which a later correction applies. */
  readonly submap?: { readonly frame: string; readonly submapFromCamera: Transform } | undefined;
  /** How unsure its localisation is of the pose, one standard deviation: past half a metre or 0.2 rad nothing is learnt from it. */
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

/** The line that goes with a frame's images. */
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

/** The frame that a line and its images were. */
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
