import fc from "fast-check";
import { afterAll, expect } from "vitest";
import { TABLES } from "../src/schema/settings.ts";

/** Below vitest.config.ts's limit for a test: a failure is reported in time, however far it has been shrunk. */
const DRAWING_MS = 50_000;
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  interruptAfterTimeLimit: DRAWING_MS,
  markInterruptAsFailure: true,
});

/**
 * Runs before each file of the quick suite. The files of a worker share one process and its modules, which saves loading them
 * three hundred times; so a file that changes the process and does not change it back fails here, instead of another file later.
 */
const before = { ...process.env };
const found = state();
afterAll(() => expect(state(), "how the process is left").toEqual(found));

function state() {
  const { fetch, Date: date, setTimeout: timer, setInterval: interval } = globalThis;
  return {
    // Variables that packages add for themselves do not count (sharp does, on loading), nor vitest's; ours do.
    environment: Object.keys({ ...before, ...process.env }).filter(
      (name) =>
        process.env[name] !== before[name] &&
        (name in before || name.startsWith("LOCI_")) &&
        !name.startsWith("VITEST"),
    ),
    folder: process.cwd(),
    exitCode: process.exitCode,
    globals: { fetch, date, timer, interval, random: Math.random, now: Date.now },
    drawn: fc.readConfigureGlobal(),
    // Experiments turn them while they run; whoever loads a table later finds it as it is written.
    settings: [...TABLES].flatMap(([stage, { table, values }]) =>
      Object.keys(table).flatMap((name) => (values[name] === table[name]![0] ? [] : `${stage}.${name}`)),
    ),
    streams: { out: process.stdout.write, err: process.stderr.write },
  };
}
