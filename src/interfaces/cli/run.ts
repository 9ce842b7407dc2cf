import { CommanderError } from "commander";
import { makeProgram } from "./program.ts";
import { failureLine } from "./terminal.ts";

/** One command from its arguments to its exit code; whatever goes wrong is one line on stderr. */
export async function run(argv: readonly string[], signal: AbortSignal): Promise<number> {
  try {
    await makeProgram(signal).parseAsync([...argv]);
    // A command that has answered, and not well (a check that found something), says so here.
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    if (signal.aborted) {
      process.stderr.write("loci: interrupted\n");
      return 130;
    }
    process.stderr.write(`${failureLine(error)}\n`);
    return 1;
  }
}
