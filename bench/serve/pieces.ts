/**
 * Loaded into a server (`--import`): writes down every piece of work that held its main thread for long without a break, by
 * processor time, so that what else the machine does is not counted. A line each in the file that PIECES names.
 */
import { appendFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

/** Microseconds of processor. */
const LONG_US = 5_000;
/** An idle loop is looked at so often, ms. */
const TICK_MS = 5;

const path = process.env["PIECES"];
if (isMainThread && path !== undefined) {
  const usedUs = () => {
    const { user, system } = process.threadCpuUsage();
    return user + system;
  };
  let beforeUs = usedUs();
  const look = (): void => {
    const us = usedUs() - beforeUs;
    if (us > LONG_US) appendFileSync(path, `${JSON.stringify({ endMs: Date.now(), cpuMs: us / 1_000 })}\n`);
    beforeUs = usedUs();
    setImmediate(look).unref();
  };
  setInterval(() => undefined, TICK_MS).unref();
  look();
}
