import type { EmbedderInfo } from "../../schema/index.ts";
import { backgroundOf, UNRELATED_TEXTS } from "../background.ts";
import type { ImageEmbedder, TextEmbedder } from "../embedder.ts";
import { imageEmbedder, textEmbedder, unitRow } from "../embedder-rules.ts";
import { WorkerThread, workerBeside } from "../worker-thread.ts";
import { findModel, type ModelOptions } from "./find-model.ts";
import type { ModelReply, ModelRequest } from "./protocol.ts";

export interface TransformersOptions extends ModelOptions {
  /** A folder whose node_modules holds the package, if it is not installed beside Loci. */
  readonly packagesFrom?: string;
  /** Where downloads are cached; only for models from the hub. */
  readonly cacheDir?: string;
  /** Time limit for one batch. */
  readonly timeoutMs?: number;
  /** Time limit for opening, which may download. */
  readonly openTimeoutMs?: number;
}

const TIMEOUT_MS = 120_000;
const OPEN_TIMEOUT_MS = 600_000;
const TEXT_BATCH_SIZE = 32;
const IMAGE_BATCH_SIZE = 8;

/** Any text encoder in ONNX (MiniLM, BGE, E5, …) through `@huggingface/transformers`, in a thread of its own. */
export async function openTransformersText(
  model: string,
  options: TransformersOptions = {},
): Promise<TextEmbedder> {
  const { thread, id } = await openThread("text", model, options);
  const embed = async (texts: readonly string[], signal?: AbortSignal) =>
    rowsOf(await thread.call({ kind: "texts", texts }, signal ? { signal } : {}));
  const probes = await orClose(thread, embed(UNRELATED_TEXTS));
  const info: EmbedderInfo = { id, dim: probes[0]?.length ?? 0 };
  return textEmbedder({
    info,
    batchSize: TEXT_BATCH_SIZE,
    background: backgroundOf(probes.map((row) => unitRow(row, info))),
    embedBatch: (texts, { signal }) => embed(texts, signal),
    close: () => thread.close(),
  });
}

/** A CLIP or SigLIP model: pictures and words into one space. */
export async function openTransformersImage(
  model: string,
  options: TransformersOptions = {},
): Promise<ImageEmbedder> {
  const { thread, id } = await openThread("image", model, options);
  const call = async (request: ModelRequest, signal?: AbortSignal) =>
    rowsOf(await thread.call(request, signal ? { signal } : {}));
  const probe = await orClose(thread, call({ kind: "texts", texts: ["a photo"] }));
  return imageEmbedder({
    info: { id, dim: probe[0]?.length ?? 0 },
    imageBatchSize: IMAGE_BATCH_SIZE,
    textBatchSize: TEXT_BATCH_SIZE,
    embedImages: (images, { signal }) => call({ kind: "images", images }, signal),
    embedTexts: (texts, { signal }) => call({ kind: "texts", texts }, signal),
    close: () => thread.close(),
  });
}

type ModelThread = WorkerThread<ModelRequest, ModelReply>;

async function openThread(task: "text" | "image", model: string, options: TransformersOptions) {
  const found = await findModel(task, model, options);
  const { packagesFrom, cacheDir } = options;
  const thread: ModelThread = new WorkerThread(workerBeside(import.meta.url), {
    id: found.id,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    data: { task, model: found, packagesFrom, cacheDir },
  });
  await orClose(
    thread,
    thread.call({ kind: "load" }, { timeoutMs: options.openTimeoutMs ?? OPEN_TIMEOUT_MS }),
  );
  return { thread, id: found.id };
}

async function orClose<T>(thread: ModelThread, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    await thread.close();
    throw error;
  }
}

function rowsOf({ rows, values }: ModelReply): Float32Array[] {
  const dim = rows === 0 ? 0 : values.length / rows;
  return Array.from({ length: rows }, (_, index) => values.subarray(index * dim, (index + 1) * dim));
}
