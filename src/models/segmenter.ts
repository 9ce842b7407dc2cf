import type { MaskImage, RgbImage } from "../schema/index.ts";
import type { FoundThing } from "./detector.ts";

/**
 * Cuts out what is in boxes. The image that it gives has the size of the picture; the number at a pixel is the place
 * of its box plus one, 0 where there is none. Where things overlap, the smaller one has the pixels. A box in which
 * nothing could be cut out has none. It throws only where the model is missing or fails.
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
