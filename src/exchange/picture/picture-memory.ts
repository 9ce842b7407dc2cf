import type { MemoryReader } from "../../memory/index.ts";
import { type DrawOptions, drawPicture } from "./picture.ts";
import { readScene, type SceneOptions } from "./read-scene.ts";
import type { Scene } from "./scene.ts";

export interface PictureOptions extends SceneOptions, DrawOptions {
  /** Drawn beside the memory and to the same scale: the truth, or another memory. */
  readonly beside?: readonly Scene[];
}

/** A memory from above at a time, as SVG. */
export async function pictureMemory(reader: MemoryReader, options: PictureOptions = {}): Promise<string> {
  return drawPicture([await readScene(reader, options), ...(options.beside ?? [])], options);
}
