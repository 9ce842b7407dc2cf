import { Worker } from "node:worker_threads";
import type { ToWriter } from "./writer-protocol.ts";

/** A thread that waits for its next memory ends after this time: it holds some forty megabytes. */
const IDLE_MS = 2_000;

/**
 * The threads of writers. Starting one and loading its modules takes a third of a second of work, so a released thread
 * waits a while for the next memory.
 */
let waiting: { readonly worker: Worker; readonly end: () => void } | undefined;

/** A thread without work yet: the spare one, or a new one. */
export function takeThread(): Worker {
  const ready = waiting;
  waiting = undefined;
  if (ready === undefined) return startThread();
  ready.end();
  ready.worker.ref();
  return ready.worker;
}

/** Takes back a thread whose memory is closed; no other code may hold it or listen to it. */
export function giveThread(worker: Worker): void {
  silence(worker);
  worker.unref();
  if (waiting !== undefined) {
    worker.postMessage({ type: "end" } satisfies ToWriter);
    return;
  }
  const late = setTimeout(() => {
    if (waiting?.worker === worker) waiting = undefined;
    worker.postMessage({ type: "end" } satisfies ToWriter);
  }, IDLE_MS);
  late.unref();
  const gone = () => {
    if (waiting?.worker === worker) waiting = undefined;
  };
  worker.once("exit", gone);
  worker.on("error", gone);
  waiting = {
    worker,
    end: () => {
      clearTimeout(late);
      silence(worker);
    },
  };
}

/** By name: removing all listeners would include Node's own, without which the worker receives nothing. */
function silence(worker: Worker): void {
  for (const event of ["message", "error", "exit"]) worker.removeAllListeners(event);
}

function startThread(): Worker {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new Worker(new URL(`./writer-worker.${extension}`, import.meta.url), {
    // Unlimited, it grows to a hundred megabytes of garbage. V8 lets the old generation grow to four times the live
    // size before it collects, and to less than twice below two gigabytes.
    resourceLimits: { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1_536 },
  });
}
