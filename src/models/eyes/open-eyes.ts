import { availableParallelism } from "node:os";
import { LociError } from "../../schema/errors.ts";
import { findPackage } from "../optional-package.ts";
import { WorkerThread, workerBeside } from "../worker-thread.ts";
import type { Eyes, EyesInput, EyesRuntime, Look } from "./eyes.ts";
import { NATIVE_PACKAGE } from "./native-net.ts";

export interface EyesOptions {
  /** Our own kernels, or onnxruntime-node; default the latter if it is installed. */
  readonly runtime?: EyesRuntime | undefined;
  /** A folder whose node_modules holds onnxruntime-node, if it is not installed beside Loci. */
  readonly packagesFrom?: string | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface EyesWorkerData {
  readonly runtime: EyesRuntime;
  readonly packagesFrom: string | undefined;
}

export interface EyesReply {
  readonly told?: Required<Pick<Eyes, "id" | "categories" | "kinds" | "states">>;
  readonly look?: Look;
}

/** Number of threads: the second starts when requests queue up, as at the beginning of a recording. */
const THREADS = 2;
/** Requests queued in the thread itself: it continues while the caller is busy for half a second. */
const LOOKS_AHEAD = 4;
/** An inference takes a tenth of a second of one core; more on a loaded machine. */
const TIMEOUT_MS = 60_000;

/**
 * Opens our own network: weights trained on renderings of the simulator alone (training/eyes), in threads of its own.
 * No download, no native code needed; the same bits every time on one machine with one runtime, whichever thread runs
 * it.
 */
export async function openEyes(options: EyesOptions = {}): Promise<Eyes> {
  const { packagesFrom, timeoutMs = TIMEOUT_MS } = options;
  const installed = findPackage(NATIVE_PACKAGE, packagesFrom) !== null;
  const runtime = options.runtime ?? (installed ? "native" : "wasm");
  const threads = Array.from({ length: Math.min(THREADS, availableParallelism()) }, () => ({
    worker: new WorkerThread<EyesInput | null, EyesReply>(workerBeside(import.meta.url), {
      id: `eyes (${runtime})`,
      timeoutMs,
      ahead: LOOKS_AHEAD,
      data: { runtime, packagesFrom } satisfies EyesWorkerData,
    }),
    looks: 0,
  }));
  const close = async () => void (await Promise.all(threads.map(({ worker }) => worker.close())));
  // The first call loads the weights, so that a missing file is reported on opening.
  const { told } = await threads[0]!.worker.call(null).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    ...told!,
    async look(input) {
      // The first of the least busy: a second thread starts only when the first is busy.
      const thread = threads.reduce((a, b) => (b.looks < a.looks ? b : a));
      thread.looks++;
      try {
        const { look } = await thread.worker.call(input);
        if (look === undefined) throw new LociError("model-failed", "the eyes gave no look");
        return look;
      } finally {
        thread.looks--;
      }
    },
    close,
  };
}
