import { extname } from "node:path";
import type { PictureOptions } from "../exchange/picture/index.ts";
import type { MemoryReader } from "../memory/port.ts";
import type { RetentionPolicy, RetentionReport } from "../memory/retention/index.ts";
import { LociError } from "../schema/core.ts";
import type { Memory } from "./memory.ts";

export type PictureRequest = PictureOptions & {
  /** A truth.json of the simulator, drawn beside the memory. */
  readonly truth?: string | undefined;
};

/** Draws a memory from above into a file, SVG or PNG by its name. */
export async function drawMemory(
  memory: Memory,
  file: string,
  request: PictureRequest = {},
): Promise<{ file: string; bytes: number }> {
  const { pictureMemory, rasterise } = await import("../exchange/picture/index.ts");
  const { truth, ...options } = request;
  const type = extname(file).toLowerCase();
  if (type !== ".svg" && type !== ".png")
    throw new LociError("invalid-input", `picture writes .svg or .png files, got "${file}"`);
  const reader = await memory.reader();
  const beside = truth === undefined ? [] : await truthBeside(reader, truth, options.atUs);
  const svg = await pictureMemory(reader, { ...options, beside });
  const bytes = type === ".svg" ? Buffer.from(svg) : await rasterise(svg);
  const { writeWhole } = await import("../exchange/whole-file.ts");
  await writeWhole(file, [bytes]);
  return { file, bytes: bytes.length };
}

async function truthBeside(reader: MemoryReader, path: string, atUs: number | undefined) {
  const { checkTruthOf, readTruth, truthScene } = await import("../evaluation/tracking/index.ts");
  const truth = await readTruth(path);
  await checkTruthOf(reader, truth);
  return [truthScene(truth, atUs)];
}

/** Gives up what is worth least until the memory is within its limits; what must be kept is kept. */
export async function retainWithin(memory: Memory, policy: RetentionPolicy): Promise<RetentionReport> {
  const { keepWithin } = await import("../memory/retention/index.ts");
  const { shrunkJpeg } = await import("../perception/index.ts");
  return keepWithin(await memory.reader(), await memory.writer(), policy, { shrink: shrunkJpeg });
}
