import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { basename, isAbsolute, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { LIMITS, LociError, parseOrThrow } from "../../schema/index.ts";

export interface ModelOptions {
  /** A sentence-transformers folder states its own; the hub's models mostly use the mean. */
  readonly pooling?: Pooling;
  /** The weights: fp32 (`model.onnx`), q8 (`model_quantized.onnx`), fp16. Default: what the folder has. */
  readonly dtype?: Dtype;
  /** A branch, tag or commit of the hub. */
  readonly revision?: string;
}

type Pooling = "mean" | "cls";
type Dtype = "fp32" | "fp16" | "q8";

export interface FoundModel {
  /** Names the weights: by their content for a folder, by name and revision for the hub. */
  readonly id: string;
  /** An absolute folder, or a name on the hub. */
  readonly source: string;
  readonly local: boolean;
  readonly pooling: Pooling;
  readonly dtype: Dtype;
  readonly revision: string;
}

/** The tasks of models, with the files that each needs. */
const PARTS = {
  text: ["model"],
  image: ["text_model", "vision_model"],
  detector: ["model"],
  segmenter: ["vision_encoder", "prompt_encoder_mask_decoder"],
} as const satisfies Record<string, readonly string[]>;
export type ModelTask = keyof typeof PARTS;

const FILE_OF: Record<Dtype, string> = { fp32: "", q8: "_quantized", fp16: "_fp16" };
const HASH_CHARS = 12;

/** Distinguishes a folder from a name on the hub, and finds what the folder holds. */
export async function findModel(task: ModelTask, model: string, options: ModelOptions): Promise<FoundModel> {
  const folder = resolve(model);
  const isFolder = await stat(folder).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
  if (isFolder) return inspectFolder(task, folder, options);
  if (isAbsolute(model) || model.startsWith(".") || !/^[\w.-]+\/[\w.-]+$/.test(model)) {
    throw new LociError(
      "model-unavailable",
      `no model folder at ${model}, nor is that an ORGANISATION/NAME of the hub`,
    );
  }
  const { dtype = "fp32", pooling = "mean", revision = "main" } = options;
  const id = idOf(`${model.replace("/", ".")}:${dtype}:${task === "text" ? pooling : task}:${revision}`);
  return { id, source: model, local: false, pooling, dtype, revision };
}

async function inspectFolder(task: ModelTask, folder: string, options: ModelOptions): Promise<FoundModel> {
  const files = new Set(await readdir(join(folder, "onnx")).catch(() => []));
  const towers = PARTS[task];
  const choices = options.dtype ? [options.dtype] : (["fp32", "q8", "fp16"] as const);
  const dtype = choices.find((choice) =>
    towers.every((tower) => files.has(`${tower}${FILE_OF[choice]}.onnx`)),
  );
  if (!dtype) {
    const expected = towers
      .map((tower) => `onnx/${tower}${FILE_OF[choices[0] ?? "fp32"]}.onnx`)
      .join(" and ");
    throw new LociError("model-unavailable", `${folder} holds no ${task} model: expected ${expected}`);
  }
  const pooling = options.pooling ?? (await poolingOf(folder));
  // Large models store their numbers in further files, named after the first one (`model.onnx_data`).
  const names = towers.map((tower) => `${tower}${FILE_OF[dtype]}.onnx`);
  const parts = [...files].filter((file) => names.some((name) => file.startsWith(name))).sort();
  const weights = parts.map((file) => join(folder, "onnx", file));
  const texts = task === "segmenter" ? ["config.json"] : ["config.json", "tokenizer.json"];
  const hash = await hashOf([...texts.map((file) => join(folder, file)), ...weights]);
  // The content comes first, whatever the folder's name. Pooling changes a text model's vectors too.
  const id = idOf(`${hash}:${task === "text" ? pooling : task}:${basename(folder)}`);
  return { id, source: folder, local: true, pooling, dtype, revision: "main" };
}

const poolingSchema = z.object({ pooling_mode_cls_token: z.boolean().optional() });

/** The file in which sentence-transformers records how a model pools. */
async function poolingOf(folder: string): Promise<Pooling> {
  const file = join(folder, "1_Pooling", "config.json");
  const text = await readFile(file, "utf8").catch(() => null);
  if (text === null) return "mean";
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new LociError("invalid-input", `${file}: expected JSON`, { cause: error });
  }
  return parseOrThrow(poolingSchema, json, file).pooling_mode_cls_token ? "cls" : "mean";
}

async function hashOf(files: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files) {
    await pipeline(createReadStream(file), hash, { end: false }).catch((error: Error) => {
      throw new LociError("model-unavailable", `the model's file ${file} cannot be read: ${error.message}`, {
        cause: error,
      });
    });
  }
  return hash.digest("hex").slice(0, HASH_CHARS);
}

/** A name too long for an id is truncated, with a hash of the whole to keep it unique. */
function idOf(name: string): string {
  const id = `transformers:${name.replaceAll(/[^A-Za-z0-9_.:-]/g, "-")}`;
  if (id.length <= LIMITS.idChars) return id;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, HASH_CHARS);
  return `${id.slice(0, LIMITS.idChars - HASH_CHARS - 1)}-${hash}`;
}
