import type { MemoryReader } from "../../memory/index.ts";
import type { Drawing } from "./drawing.ts";
import { type DrawOptions, drawPicture } from "./picture.ts";
import { type DrawingOptions, readDrawing } from "./read-drawing.ts";

export interface PictureOptions extends DrawingOptions, DrawOptions {
  /** Drawings beside the memory at the same scale: the truth, or another memory. */
  readonly beside?: readonly Drawing[];
}

/** A memory from above at a time, as SVG. */
export async function pictureMemory(reader: MemoryReader, options: PictureOptions = {}): Promise<string> {
  return drawPicture([await readDrawing(reader, options), ...(options.beside ?? [])], options);
}
