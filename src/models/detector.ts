import type { RgbImage } from "../schema/index.ts";

/** One thing that a detector found in a picture. */
export interface FoundThing {
  /** Left, top, right, bottom in pixels of the picture; right and bottom are exclusive. */
  readonly bbox: readonly [number, number, number, number];
  /** From 0 to 1, by the detector's own measure. */
  readonly score: number;
  readonly label: string;
  /** Too unsure to make a thing known by itself; seen again where one is known, it says that this one is still there. */
  readonly faint?: boolean | undefined;
}

/** Finds that are less sure than was asked for, by no more than this share of it, are faint; the rest is left out. */
export const FAINT_SHARE = 2 / 3;

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
