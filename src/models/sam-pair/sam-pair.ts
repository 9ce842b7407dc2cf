import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { MaskImage, RgbImage } from "../../schema/index.ts";
import type { FoundThing } from "../detector.ts";
import type { Segmenter } from "../segmenter.ts";
import { WorkerThread, workerBeside } from "../worker-thread.ts";

export interface SamPairOptions {
  /** A folder whose node_modules holds the runtime, if it is not installed beside Loci. */
  readonly packagesFrom?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

/** The two files of an export: pictures into features, features and prompts into masks. */
export interface SamPair {
  readonly encoder: string;
  readonly decoder: string;
}

export type SamRequest =
  | { readonly kind: "load" }
  | { readonly kind: "segment"; readonly picture: RgbImage; readonly boxes: readonly FoundThing["bbox"][] };

const TIMEOUT_MS = 300_000;
const MAX_BOXES = 256;

/** The pair of files in a folder, as samexporter and its kin name them; undefined if there is none. */
export async function findSamPair(folder: string): Promise<SamPair | undefined> {
  const names = await readdir(folder).catch(() => []);
  const encoder = names.find((name) => /encoder.*\.(onnx|ort)$/i.test(name));
  const decoder = names.find((name) => /decoder.*\.(onnx|ort)$/i.test(name));
  return encoder && decoder
    ? { encoder: join(resolve(folder), encoder), decoder: join(resolve(folder), decoder) }
    : undefined;
}

/**
 * Segments things within their boxes with SAM 2 as a pair of ONNX files, by `onnxruntime-node` in a thread of its own.
 * The picture is encoded once, each box costs one run of the small decoder.
 */
export async function openSamPair(pair: SamPair, options: SamPairOptions = {}): Promise<Segmenter> {
  const id = `sam:${basename(pair.encoder).replace(/[._-]*encoder.*$/i, "")}`;
  const thread = new WorkerThread<SamRequest, MaskImage | null>(workerBeside(import.meta.url), {
    id,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    data: { pair, packagesFrom: options.packagesFrom },
  });
  // The first call loads the model, so that a missing file or package is reported on opening.
  await thread.call({ kind: "load" }).catch(async (error: unknown) => {
    await thread.close();
    throw error;
  });
  return {
    id,
    async segment(picture, boxes, { signal } = {}) {
      const { width, height } = picture;
      const request = { kind: "segment", picture, boxes: boxes.slice(0, MAX_BOXES) } as const;
      const masks = boxes.length === 0 ? null : await thread.call(request, signal ? { signal } : {});
      return masks ?? { width, height, data: new Uint16Array(width * height) };
    },
    close: () => thread.close(),
  };
}
