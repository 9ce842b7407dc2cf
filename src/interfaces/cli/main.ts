import { CommanderError } from "commander";
import { makeProgram } from "./program.ts";
import { failureLine } from "./terminal.ts";

// A reader that goes away (`| head`) is not an error.
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

try {
  await makeProgram(interrupted.signal).parseAsync(process.argv);
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode;
  } else if (interrupted.signal.aborted) {
    process.stderr.write("loci: interrupted\n");
    process.exitCode = 130;
  } else {
    process.stderr.write(`${failureLine(error)}\n`);
    process.exitCode = 1;
  }
}
