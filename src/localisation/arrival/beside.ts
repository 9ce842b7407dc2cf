import { Worker } from "node:worker_threads";
import type { ArrivalView, Cloud } from "./cloud.ts";
import type { Arrival } from "./recognise.ts";

/** Recognises in another thread, since it takes seconds of a core: questions are answered meanwhile. */
export async function recogniseBeside(known: Cloud, views: readonly ArrivalView[]): Promise<Arrival> {
  // The build rewrites import specifiers but not strings. Flags such as --input-type would keep a worker from starting.
  const file = import.meta.url.endsWith(".ts") ? "./worker.ts" : "./worker.js";
  const workerData = { known, views: views.map(plain) };
  const worker = new Worker(new URL(file, import.meta.url), { name: "arrival", execArgv: [], workerData });
  try {
    return await new Promise<Arrival>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", (code) =>
        reject(new Error(`the thread that recognises places ended with ${code}`)),
      );
    });
  } finally {
    await worker.terminate();
  }
}

/** Only the numbers: what else a view holds may not be copied to a thread. */
function plain({ worldFromCamera, intrinsics, depth, rgb }: ArrivalView): ArrivalView {
  return { worldFromCamera, intrinsics, depth, ...(rgb && { rgb }) };
}
