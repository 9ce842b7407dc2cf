import { reportOf, type SuiteReport } from "./report.ts";
import { type RunOptions, runSuite } from "./run-suite.ts";

/** Runs a suite and reports on it, for `eval SUITE`. */
export async function evaluateSuite(options: RunOptions): Promise<SuiteReport> {
  return reportOf(await runSuite(options));
}
