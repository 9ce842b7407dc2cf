/** The thread that brings a graph up to the truth and then ends. */
import { parentPort, workerData } from "node:worker_threads";
import { assert, isLociError } from "../../schema/core.ts";
import { Connection } from "../sqlite/connection.ts";
import { filesOf, openForReading } from "../sqlite/files.ts";
import { bringUp } from "./build.ts";
import type { BuildStart, FromBuilder } from "./protocol.ts";

const port = parentPort;
assert(port, "this file runs as a worker thread");
const { folder, space, stop } = workerData as BuildStart;
const stopped = new Int32Array(stop);
const say = (message: FromBuilder) => port.postMessage(message);

try {
  const connection = new Connection(openForReading(folder), filesOf(folder).database, false);
  try {
    bringUp(connection, folder, space, {
      onGraph: (facts) => say({ type: "graph", facts }),
      onProgress: (done, total) => say({ type: "progress", done, total }),
      isStopped: () => Atomics.load(stopped, 0) !== 0,
    });
  } finally {
    connection.close();
  }
} catch (error) {
  // No room, no permission, no package: then searches stay exact. Any other error is a bug and ends the thread.
  if (!isLociError(error) && (error as NodeJS.ErrnoException).code === undefined) throw error;
  say({ type: "failed", reason: (error as Error).message });
}
