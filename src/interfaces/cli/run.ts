import { CommanderError } from "commander";
import { makeProgram } from "./program.ts";
import { failureLine } from "./terminal.ts";

/** Runs one command from its arguments to its exit code; any error is one line on stderr. */
export async function run(argv: readonly string[], signal: AbortSignal): Promise<number> {
  try {
    await makeProgram(signal).parseAsync([...argv]);
    // A command that ran but found problems (a check, for example) sets its exit code here.
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
