import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

/** Milliseconds. */
interface Lateness {
  readonly p99: number;
  readonly longest: number;
}

/**
 * Starts a thread that does nothing but look at the clock each millisecond. The function that is returned ends it and tells how
 * late it was: for that long the machine stood still or had too much to do, whatever the programs on it are like.
 */
export function idler(): () => Promise<Lateness> {
  const thread = new Worker(new URL(import.meta.url));
  return () =>
    new Promise((resolve) => {
      thread.once("message", (late: Lateness) => {
        void thread.terminate();
        resolve(late);
      });
      thread.postMessage("end");
    });
}

if (!isMainThread) {
  const late = monitorEventLoopDelay({ resolution: 1 });
  late.enable();
  parentPort?.once("message", () =>
    parentPort?.postMessage({ p99: late.percentile(99) / 1e6, longest: late.max / 1e6 } satisfies Lateness),
  );
}
