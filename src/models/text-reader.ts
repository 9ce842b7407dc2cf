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
  /** Whether it reads whole frames as they come; otherwise crops of things, once their best looks are in. */
  readonly frames?: boolean | undefined;
  read(picture: RgbImage, options?: { readonly signal?: AbortSignal | undefined }): Promise<FoundText[]>;
  close(): Promise<void>;
}
