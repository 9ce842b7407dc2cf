import type { Box, Intrinsics, Transform } from "../geometry/index.ts";
import type { DepthImage, MapParts, MaskImage, Maybe, Percept, RgbImage } from "../schema/core.ts";

/** What a detector says about one segment or box of a frame. */
export interface PosedDetection {
  /** Its number in the frame's masks. */
  readonly mask?: number | undefined;
  /** Left, top, right, bottom in pixels; right and bottom are exclusive. */
  readonly bbox: readonly [number, number, number, number];
  readonly score: number;
  /** Too unsure to make a thing known by itself; it may say that one that is known is still there. */
  readonly faint?: boolean | undefined;
  /** Which thing of the eyes' own map it shows. */
  readonly part?: number | undefined;
  readonly label?: string | undefined;
  /** Who calls it so: "eyes", a detector by its id; absent where the recording says it. */
  readonly namedBy?: string | undefined;
  /** What else it may be, with its probability. */
  readonly maybe?: readonly Maybe[] | undefined;
  readonly text?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Where it is by its detector's own reckoning, along the axes of the frame's map: then depth is not asked. */
  readonly box?: Box | undefined;
}

/** What perception needs of a frame; the sensors' `Frame` has it all. Pixel counts refer to `intrinsics`. */
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
  /** What the eyes' own map says of the things that it showed so far. */
  readonly parts?: MapParts | undefined;
  readonly captions?: readonly string[] | undefined;
}

/** Where the frame was taken, and under which id it is remembered. */
export interface FramePlace {
  readonly submap: string;
  readonly submapFromCamera: Transform;
  readonly worldFromSubmap: Transform;
  readonly observationId: string;
}

/** Which detection each pixel belongs to: number n stands for `ids[n - 1]`, 0 for none. */
export interface SegmentImage extends MaskImage {
  readonly ids: readonly string[];
}

/** A percept with what the views and captions of the same frame need besides. */
export interface PerceivedFrame extends Percept {
  /** Absent when nothing was cut out. By id, so that it stays true when detections are filtered out. */
  readonly segments?: SegmentImage | undefined;
  /** What the recording itself said about the frame. */
  readonly captions: readonly string[];
  /** Detections that could not be used: no area, a score that is no number, past the limit. */
  readonly dropped: number;
}

/** Why a frame is not used; for counting, so there are few and they stay the same. */
export const REFUSALS = [
  "bad-time", // not an integer of microseconds
  "bad-pose", // not finite, not a rotation, or farther away than any place
  "bad-intrinsics", // a camera that cannot exist
  "size-mismatch", // images that do not belong together
  "depth-scale", // depths that no camera in its right unit measures
  "no-image", // neither colour nor enough depth, and no words either
] as const;

export type RefusalReason = (typeof REFUSALS)[number];

/** A frame that was not used, and why. */
export interface Refused {
  readonly reason: RefusalReason;
  readonly detail: string;
}

/** Tells the two answers of `inspect` apart. */
export function isRefused(answer: object): answer is Refused {
  return "reason" in answer;
}
