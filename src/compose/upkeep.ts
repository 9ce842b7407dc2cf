import { extname } from "node:path";
import { observedSpan } from "../belief/span.ts";
import type { PictureOptions } from "../exchange/picture/index.ts";
import type { MemoryReader } from "../memory/port.ts";
import type { RetentionPolicy, RetentionReport } from "../memory/retention/index.ts";
import type { Listed } from "../reasoning/listings.ts";
import { LociError } from "../schema/core.ts";
import type { Memory } from "./memory.ts";
import type { ThingPictures } from "./thing-pictures.ts";

/** Draws a memory from above into an SVG or PNG file, by its name. */
export async function drawMemory(
  memory: Memory,
  file: string,
  options: PictureOptions = {},
): Promise<{ file: string; bytes: number }> {
  const { pictureMemory, rasterise } = await import("../exchange/picture/index.ts");
  const type = extname(file).toLowerCase();
  if (type !== ".svg" && type !== ".png")
    throw new LociError("invalid-input", `picture writes .svg or .png files, got "${file}"`);
  const [own, ...others] = await readersOfMaps(await memory.reader(), options.sceneId);
  const { readDrawing } = await import("../exchange/picture/index.ts");
  // How separate maps lie to each other is unknown, so each is drawn by itself.
  const beside = await Promise.all(
    others.map(({ reader, title }) => readDrawing(reader, { ...options, title })),
  );
  const svg = await pictureMemory(own!.reader, {
    ...(others.length > 0 && { title: own!.title }),
    ...options,
    beside: [...beside, ...(options.beside ?? [])],
  });
  const bytes = type === ".svg" ? Buffer.from(svg) : await rasterise(svg);
  const { writeWhole } = await import("../exchange/whole-file.ts");
  await writeWhole(file, [bytes]);
  return { file, bytes: bytes.length };
}

async function readersOfMaps(reader: MemoryReader, sceneId: string | undefined) {
  const { askedMap, mapsSeen } = await import("./asked-map.ts");
  const maps = await mapsSeen(reader, sceneId);
  if (maps.length < 2) return [{ reader, title: "memory" }];
  return Promise.all(
    maps.slice(0, MAX_DRAWN).map(async ({ root, agents }) => ({
      reader: (await askedMap(reader, { sceneId, frame: root })).reader,
      title: `map ${root} (${agents.join(", ")}), not joined`,
    })),
  );
}

/** Most maps drawn side by side. */
const MAX_DRAWN = 6;

/** Writes the best kept view of each listed thing into a folder, with a page that shows them beside their names. */
export async function pictureThings(
  memory: Memory,
  listed: Pick<Listed, "rows">,
  folder: string,
  signal?: AbortSignal,
): Promise<ThingPictures> {
  return (await import("./thing-pictures.ts")).writePictures(await memory.reader(), listed, folder, signal);
}

/**
 * Deletes the least valuable content until the memory is within its limits; required content is kept. Ages count from
 * the last observation.
 */
export async function retainWithin(
  memory: Memory,
  { nowUs, ...policy }: Omit<RetentionPolicy, "nowUs"> & { readonly nowUs?: number | undefined },
): Promise<RetentionReport> {
  const lastUs = nowUs ?? (await observedSpan(await memory.reader()))?.toUs ?? 0;
  const { keepWithin } = await import("../memory/retention/index.ts");
  const { shrunkJpeg } = await import("../perception/index.ts");
  return keepWithin(
    await memory.reader(),
    await memory.writer(),
    { ...policy, nowUs: lastUs },
    { shrink: shrunkJpeg },
  );
}
