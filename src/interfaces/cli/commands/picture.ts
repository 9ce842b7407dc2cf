import { type Drawing, drawMemory, type Memory } from "../../../compose.ts";
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
  const drawn = await withMemory(options, { create: false }, async (memory) =>
    drawMemory(memory, file, {
      ...(options.at !== undefined && { atUs: options.at }),
      ...(options.floor !== undefined && { floor: options.floor }),
      ...(options.width !== undefined && { widthPx: options.width }),
      ...(options.layers && { layers: options.layers as never }),
      ...(options.title !== undefined && { title: options.title }),
      ...(options.truth !== undefined && { beside: [await truthOf(memory, options.truth, options.at)] }),
    }),
  );
  terminal.result(drawn, () => `${drawn.file}, ${Math.ceil(drawn.bytes / 1000)} kB`);
}

/** A truth.json of the simulator as a drawing, if it is that of what the memory holds. */
async function truthOf(memory: Memory, path: string, atUs: number | undefined): Promise<Drawing> {
  const { checkTruthOf, readTruth, truthDrawing } = await import("../../../evaluation/index.ts");
  const truth = await readTruth(path);
  await checkTruthOf(await memory.reader(), truth);
  return truthDrawing(truth, atUs);
}
