import { drawMemory } from "../../../compose.ts";
import { type MemoryOptions, withMemory } from "../open.ts";
import type { Terminal } from "../terminal.ts";

export interface PictureCommandOptions extends MemoryOptions {
  readonly at?: number;
  readonly floor?: number;
  readonly width?: number;
  readonly layers?: string[];
  readonly title?: string;
  readonly truth?: string;
}

/** Draws the memory from above into a file. */
export async function run(options: PictureCommandOptions, terminal: Terminal, file: string): Promise<void> {
  const drawn = await withMemory(options, { create: false }, (memory) =>
    drawMemory(memory, file, {
      ...(options.at !== undefined && { atUs: options.at }),
      ...(options.floor !== undefined && { floor: options.floor }),
      ...(options.width !== undefined && { widthPx: options.width }),
      ...(options.layers && { layers: options.layers as never }),
      ...(options.title !== undefined && { title: options.title }),
      truth: options.truth,
    }),
  );
  terminal.result(drawn, () => `${drawn.file}, ${Math.ceil(drawn.bytes / 1000)} kB`);
}
