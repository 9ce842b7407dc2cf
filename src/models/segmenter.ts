import type { MaskImage, RgbImage } from "../schema/index.ts";
import type { FoundThing } from "./detector.ts";

/**
 * Segments the content of boxes. The result has the size of the picture; the number at a pixel is the index of its
 * box plus one, 0 for none. Where things overlap, the smaller one gets the pixels. A box without a result has no
 * pixels. It throws only if the model is missing or fails.
 */
export interface Segmenter {
  /** Names the weights. */
  readonly id: string;
  segment(
    picture: RgbImage,
    boxes: readonly FoundThing["bbox"][],
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<MaskImage>;
  close(): Promise<void>;
}
