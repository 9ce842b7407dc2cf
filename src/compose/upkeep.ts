import { rename, rm, writeFile } from "node:fs/promises";
import { extname } from "node:path";
import type { PictureOptions } from "../exchange/picture/index.ts";
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
  const beside = truth === undefined ? [] : await truthBeside(truth, options.atUs);
  const svg = await pictureMemory(await memory.reader(), { ...options, beside });
  const bytes = type === ".svg" ? Buffer.from(svg) : await rasterise(svg);
  await writeWhole(file, bytes);
  return { file, bytes: bytes.length };
}

/** The file appears under its name only when it is whole. */
async function writeWhole(file: string, bytes: Uint8Array): Promise<void> {
  const partial = `${file}.partial`;
  try {
    await writeFile(partial, bytes);
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOSPC")
      throw new LociError("memory-full", `no space left to write ${file}; nothing was kept`, {
        cause: error,
      });
    throw new LociError("invalid-input", `${file} cannot be written: ${message}`, { cause: error });
  }
}

async function truthBeside(path: string, atUs: number | undefined) {
  const { readTruth, truthScene } = await import("../evaluation/tracking/index.ts");
  const truth = await readTruth(path);
  return [truthScene(truth, atUs)];
}

/** Gives up what is worth least until the memory is within its limits; what must be kept is kept. */
export async function retainWithin(memory: Memory, policy: RetentionPolicy): Promise<RetentionReport> {
  const { keepWithin } = await import("../memory/retention/index.ts");
  const { shrunkJpeg } = await import("../perception/index.ts");
  return keepWithin(await memory.reader(), await memory.writer(), policy, { shrink: shrunkJpeg });
}
