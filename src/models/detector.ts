import type { RgbImage } from "../schema/index.ts";

/** One thing that a detector found in a picture. */
export interface FoundThing {
  /** Left, top, right, bottom in pixels of the picture; right and bottom are exclusive. */
  readonly bbox: readonly [number, number, number, number];
  /** From 0 to 1, by the detector's own measure. */
  readonly score: number;
  readonly label: string;
}

/**
 * Finds things in a picture. The same picture gives the same answer, the surest first; a picture without anything
 * known gives an empty list. It throws only where the model is missing or fails.
 */
export interface Detector {
  /** Names the weights. */
  readonly id: string;
  detect(picture: RgbImage, options?: { readonly signal?: AbortSignal | undefined }): Promise<FoundThing[]>;
  close(): Promise<void>;
}
