import type { RgbImage } from "../schema/index.ts";

/** One line of writing in a picture. */
export interface FoundText {
  readonly text: string;
  /** Left, top, right, bottom in pixels of the picture; right and bottom are exclusive. */
  readonly bbox: readonly [number, number, number, number];
  /** From 0 to 1. */
  readonly score: number;
}

/** Reads what is written in a picture: signs, labels, titles. Only what it is fairly sure of. */
export interface TextReader {
  readonly id: string;
  read(picture: RgbImage, options?: { readonly signal?: AbortSignal | undefined }): Promise<FoundText[]>;
  close(): Promise<void>;
}

/** How a reader of signs is named on the command line. */
export const TEXT_READER_CHOICES = ["none", "tesseract"] as const;
