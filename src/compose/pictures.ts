import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallOptions } from "../memory/port.ts";
import type { EncodedImage } from "../models/index.ts";
import { type AnswerRecord, contentId, LociError, type RecordInput } from "../schema/index.ts";
import { type AskRequest, askMemory } from "./ask.ts";
import { openMemory } from "./memory.ts";

/** Most pictures that go to a model with one question. */
export const MAX_PICTURES = 16;
const MAX_PICTURE_BYTES = 16_777_216;
const MAX_FILES = 10_000;
/** Spacing between pictures without known times. */
const STEP_US = 1_000_000;

/** Reads pictures from files, JPEG or PNG. */
export async function readPictures(paths: readonly string[]): Promise<EncodedImage[]> {
  if (paths.length > MAX_PICTURES)
    throw new LociError(
      "limit-exceeded",
      `a question brings at most ${MAX_PICTURES} pictures, got ${paths.length}; for more give their folder with --clip`,
    );
  return Promise.all(paths.map(readPicture));
}

/** The pictures of a folder, sorted by name; of many, sixteen evenly spaced ones including first and last. */
export async function readClip(folder: string): Promise<EncodedImage[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw new LociError("invalid-input", `cannot read the clip ${folder}`, { cause });
  });
  const pictures = names.filter((name) => /\.(?:jpe?g|png)$/i.test(name)).sort(byNumber);
  if (pictures.length === 0)
    throw new LociError("invalid-input", `the clip ${folder} has no JPEG or PNG pictures`);
  if (pictures.length > MAX_FILES)
    throw new LociError("limit-exceeded", `a clip has at most ${MAX_FILES} pictures, got ${pictures.length}`);
  return Promise.all(evenly(pictures, MAX_PICTURES).map((name) => readPicture(join(folder, name))));
}

/**
 * A question about its own pictures only (ERQA, VLM4D): they are stored as views without a pose in a temporary
 * memory, shown to the model together, and cited by the answer.
 */
export async function askAboutPictures(
  images: readonly EncodedImage[],
  question: string,
  request: Omit<AskRequest, "images" | "viewIds"> = {},
  call: CallOptions = {},
): Promise<AnswerRecord> {
  const folder = await mkdtemp(join(tmpdir(), "loci-pictures-"));
  const memory = await openMemory(folder);
  try {
    const views = floatingViews(images);
    await memory.write(views);
    const viewIds = views.records.flatMap(({ kind, id }) =>
      kind === "view" && id !== undefined ? [id] : [],
    );
    return await askMemory(memory, question, { ...request, images, viewIds }, call);
  } finally {
    await memory.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Author of the views that come with a question. */
export const ASKER = "asker";

/** Pictures as views without a pose, one per second from a start time: found by their time, cited by their ids. */
export function floatingViews(
  images: readonly EncodedImage[],
  startUs = 0,
): { readonly records: RecordInput[]; readonly blobs: Uint8Array[] } {
  return {
    records: images.flatMap((image, n) => floatingView(image, n, startUs)),
    blobs: images.map(({ bytes }) => bytes),
  };
}

function floatingView({ bytes }: EncodedImage, n: number, startUs: number): RecordInput[] {
  const thumb = createHash("sha256").update(bytes).digest("hex");
  const observationId = contentId("obs", "pictures", n, thumb);
  const common = {
    sceneId: "default",
    author: ASKER,
    labels: [],
    validFromUs: startUs + n * STEP_US,
    validToUs: startUs + (n + 1) * STEP_US,
  };
  return [
    { ...common, kind: "observation", id: observationId, sensorId: "camera" },
    {
      ...common,
      kind: "view",
      id: contentId("view", observationId),
      observationId,
      thumb,
      text: [`picture ${n + 1} that came with the question`],
    },
  ];
}

async function readPicture(path: string): Promise<EncodedImage> {
  const size = await stat(path).then(
    (about) => about.size,
    (cause: unknown) => {
      throw new LociError("invalid-input", `cannot read the picture ${path}`, { cause });
    },
  );
  const bytes = size > MAX_PICTURE_BYTES ? new Uint8Array(0) : await readFile(path);
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8;
  const isPng = bytes[0] === 0x89 && bytes[1] === 0x50;
  if (!isJpeg && !isPng)
    throw new LociError("invalid-input", `${path} is no JPEG or PNG of at most ${MAX_PICTURE_BYTES} bytes`);
  return { bytes };
}

/** Sorts "frame-2" before "frame-10". */
function byNumber(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true }) || (a < b ? -1 : 1);
}

/** Evenly spaced items of a list, including its first and last. */
export function evenly<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, n) => all[Math.round((n * (all.length - 1)) / (most - 1))]!);
}
