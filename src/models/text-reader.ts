import type { RgbImage } from "../schema/index.ts";

/** One line of text in a picture. */
export interface FoundText {
  readonly text: string;
  /** Left, top, right, bottom in pixels of the picture; right and bottom are exclusive. */
  readonly bbox: readonly [number, number, number, number];
  /** From 0 to 1. */
  readonly score: number;
}

/** Reads the text in a picture: signs, labels, titles. Returns only fairly certain lines. */
export interface TextReader {
  readonly id: string;
  /** Whether it reads whole frames on arrival; otherwise crops of things, once their best views are in. */
  readonly frames?: boolean | undefined;
  read(picture: RgbImage, options?: { readonly signal?: AbortSignal | undefined }): Promise<FoundText[]>;
  close(): Promise<void>;
}
