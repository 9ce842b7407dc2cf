import { run } from "./run.ts";

// A reader that closes the pipe (`| head`) is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

/** A process that was told to end does so within this: before a container's runtime kills it after 10 s. */
const GRACE_MS = 8_000;
/** A command that has returned has nothing left to do but to write its output. */
const LEFT_OPEN_MS = 2_000;
const SIGNALLED = { SIGINT: 130, SIGTERM: 143 } as const;

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    interrupted.abort(new Error(signal));
    // A second signal, or work that does not listen, ends it; a server that drains has time to.
    process.once(signal, () => process.exit(SIGNALLED[signal]));
    setTimeout(() => process.exit(SIGNALLED[signal]), GRACE_MS).unref();
  });
}

process.exitCode = await run(process.argv, interrupted.signal);
setTimeout(() => process.exit(), LEFT_OPEN_MS).unref();
