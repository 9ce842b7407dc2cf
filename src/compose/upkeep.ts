import { extname } from "node:path";
import type { PictureOptions } from "../exchange/picture/index.ts";
import type { RetentionPolicy, RetentionReport } from "../memory/retention/index.ts";
import { LociError } from "../schema/core.ts";
import type { Memory } from "./memory.ts";

/** Draws a memory from above into a file, SVG or PNG by its name. */
export async function drawMemory(
  memory: Memory,
  file: string,
  options: PictureOptions = {},
): Promise<{ file: string; bytes: number }> {
  const { pictureMemory, rasterise } = await import("../exchange/picture/index.ts");
  const type = extname(file).toLowerCase();
  if (type !== ".svg" && type !== ".png")
    throw new LociError("invalid-input", `picture writes .svg or .png files, got "${file}"`);
  const svg = await pictureMemory(await memory.reader(), options);
  const bytes = type === ".svg" ? Buffer.from(svg) : await rasterise(svg);
  const { writeWhole } = await import("../exchange/whole-file.ts");
  await writeWhole(file, [bytes]);
  return { file, bytes: bytes.length };
}

/** Gives up what is worth least until the memory is within its limits; what must be kept is kept. */
export async function retainWithin(memory: Memory, policy: RetentionPolicy): Promise<RetentionReport> {
  const { keepWithin } = await import("../memory/retention/index.ts");
  const { shrunkJpeg } = await import("../perception/index.ts");
  return keepWithin(await memory.reader(), await memory.writer(), policy, { shrink: shrunkJpeg });
}
