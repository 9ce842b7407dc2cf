import type { Box, Intrinsics, Transform } from "../geometry/index.ts";
import type { DepthImage, MaskImage, RgbImage } from "./images.ts";
import type { MapParts, Maybe } from "./percept.ts";

/** Ranges of a planar scan around +Z of the body, counter-clockwise from `startRad`; 0 means no return. */
export interface RangeScan {
  readonly startRad: number;
  readonly stepRad: number;
  readonly rangesMm: Uint16Array;
}

/** What a recording, a detector or our own eyes say about one segment or box of a frame. */
export interface Detection {
  /** Its number in the frame's masks. */
  readonly mask?: number | undefined;
  /** Left, top, right, bottom in pixels; right and bottom are exclusive. */
  readonly bbox: readonly [number, number, number, number];
  readonly score: number;
  /** Too uncertain to start a track; it may only confirm an existing one. */
  readonly faint?: boolean | undefined;
  readonly label?: string | undefined;
  /** The source of its category: "eyes", or a detector's id; absent if the recording gives it. */
  readonly namedBy?: string | undefined;
  /** Alternative categories with their probabilities. */
  readonly maybe?: readonly Maybe[] | undefined;
  /** A phrase that describes it: "a red mug with the text ANNA". */
  readonly text?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Its box as the detector gives it, along the axes of `mapFrame`; depth is then not used. */
  readonly box?: Box | undefined;
  /** Its instance in the volumetric map (`Frame.parts`). */
  readonly part?: number | undefined;
}

/**
 * One moment of one sensor, from a file, a live robot or the simulator: the only frame there is. Its layers are
 * optional, and each stage adds its own: detectors add detections and masks, our eyes also the instances of their map.
 * Pixel counts refer to `intrinsics`. `worldFromCamera` is the pose estimate at that moment, in the frame `mapFrame`,
 * from an optical frame (+Z forward, +X right, +Y down); absent if unknown.
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
  readonly detections?: readonly Detection[] | undefined;
  readonly captions?: readonly string[] | undefined;
  /** The volumetric map's report on the instances shown so far; only after a new segmentation. */
  readonly parts?: MapParts | undefined;
}
