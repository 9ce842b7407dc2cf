import type { Box, Intrinsics, Transform } from "../geometry/index.ts";
import type { DepthImage, MapParts, MaskImage, Maybe, Percept, RgbImage } from "../schema/core.ts";

/** A detector's output for one segment or box of a frame. */
export interface PosedDetection {
  /** Its number in the frame's masks. */
  readonly mask?: number | undefined;
  /** Left, top, right, bottom in pixels; right and bottom are exclusive. */
  readonly bbox: readonly [number, number, number, number];
  readonly score: number;
  /** Too uncertain to start a track; it may only confirm an existing one. */
  readonly faint?: boolean | undefined;
  /** Its instance in the volumetric map. */
  readonly part?: number | undefined;
  readonly label?: string | undefined;
  /** The source of its category: "eyes", or a detector's id; absent if the recording gives it. */
  readonly namedBy?: string | undefined;
  /** Alternative categories with their probabilities. */
  readonly maybe?: readonly Maybe[] | undefined;
  readonly text?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Its box as the detector gives it, along the axes of the frame's map; depth is then not used. */
  readonly box?: Box | undefined;
}

/** What perception needs of a frame, a subset of the sensors' `Frame`. Pixel counts refer to `intrinsics`. */
export interface PosedFrame {
  readonly index: number;
  readonly timeUs: number;
  readonly agentId: string;
  readonly sensorId: string;
  readonly intrinsics: Intrinsics;
  readonly worldFromCamera?: Transform | undefined;
  readonly rgb?: RgbImage | undefined;
  readonly depth?: DepthImage | undefined;
  readonly masks?: MaskImage | undefined;
  readonly detections?: readonly PosedDetection[] | undefined;
  /** The volumetric map's report on the instances shown so far. */
  readonly parts?: MapParts | undefined;
  readonly captions?: readonly string[] | undefined;
}

/** A frame's pose, and the id of its observation. */
export interface FramePlace {
  readonly submap: string;
  readonly submapFromCamera: Transform;
  readonly worldFromSubmap: Transform;
  readonly observationId: string;
}

/** The detection of each pixel: number n stands for `ids[n - 1]`, 0 for none. */
export interface SegmentImage extends MaskImage {
  readonly ids: readonly string[];
}

/** A percept with what views and captions of the same frame need in addition. */
export interface PerceivedFrame extends Percept {
  /** Absent without segments. By id, so that it stays valid when detections are filtered out. */
  readonly segments?: SegmentImage | undefined;
  /** Captions in the recording itself. */
  readonly captions: readonly string[];
  /** Unusable detections: no area, an invalid score, or beyond the limit. */
  readonly dropped: number;
}

/** Why a frame is refused; few and stable, because they are counted. */
export const REFUSALS = [
  "bad-time", // not an integer of microseconds
  "bad-pose", // not finite, not a rotation, or farther away than any place
  "bad-intrinsics", // a camera that cannot exist
  "size-mismatch", // images that do not belong together
  "depth-scale", // depths that are impossible in the camera's unit
  "no-image", // neither colour nor enough depth, and no text either
] as const;

export type RefusalReason = (typeof REFUSALS)[number];

/** A refused frame, and the reason. */
export interface Refused {
  readonly reason: RefusalReason;
  readonly detail: string;
}

/** Distinguishes the two results of `inspect`. */
export function isRefused(answer: object): answer is Refused {
  return "reason" in answer;
}
