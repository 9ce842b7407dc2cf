import { run } from "./run.ts";

// A reader that closes the pipe (`| head`) is not an error.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  throw error;
});

const interrupted = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    interrupted.abort(new Error(signal));
    // A second signal, or work that does not listen, ends it; a server that drains has time to.
    process.once(signal, () => process.exit(130));
    setTimeout(() => process.exit(130), 15_000).unref();
  });
}

process.exitCode = await run(process.argv, interrupted.signal);
