import type { RgbImage } from "../schema/index.ts";

/** One thing that a detector found in a picture. */
export interface FoundThing {
  /** Left, top, right, bottom in pixels of the picture; right and bottom are exclusive. */
  readonly bbox: readonly [number, number, number, number];
  /** From 0 to 1, by the detector's own measure. */
  readonly score: number;
  readonly label: string;
  /** Too uncertain to start a track; it may only confirm a known thing. */
  readonly faint?: boolean | undefined;
}

/** Detections below the requested score are faint down to this share of it; others are dropped. */
export const FAINT_SHARE = 2 / 3;

/**
 * Finds things in a picture. Deterministic, most certain first; an empty list if nothing is found. It throws only if
 * the model is missing or fails.
 */
export interface Detector {
  /** Names the weights. */
  readonly id: string;
  detect(picture: RgbImage, options?: { readonly signal?: AbortSignal | undefined }): Promise<FoundThing[]>;
  close(): Promise<void>;
}
