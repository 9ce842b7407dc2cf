import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareExperiments, evaluateExperiment, listExperiments } from "../../../evaluation/index.ts";
import { LociError } from "../../../schema/core.ts";
import { type ModelOptions, usageLines, withModels } from "../models.ts";
import { type Terminal, tableText } from "../terminal.ts";

export interface ExperimentOptions extends ModelOptions {
  readonly judge?: string;
  readonly keep?: string;
  readonly report?: string;
  readonly wording?: "dev" | "test";
}

/** Memories are costly and the same for every experiment: they stay where the next run finds them. */
const KEPT = join(tmpdir(), "loci-experiments");

/** Names that are experiments; `eval forest --data` is another evaluation. */
export async function isExperiment(name: string): Promise<boolean> {
  return (await listExperiments()).some((one) => one.name === name);
}

/** `eval experiments`: what there is. */
export async function list(terminal: Terminal): Promise<void> {
  const experiments = await listExperiments();
  terminal.result({ experiments }, () => tableText(experiments).join("\n"));
}

/** `eval compare RUN RUN`: what became of an experiment between two runs. */
export async function compare(terminal: Terminal, runs: readonly string[]): Promise<void> {
  const [first, second] = runs;
  if (first === undefined || second === undefined || runs.length > 2)
    throw new LociError("invalid-input", "eval compare needs two runs, the files that eval keeps: RUN RUN");
  const { report, text } = await compareExperiments(first, second);
  terminal.result(report, () => text);
}

/** `eval NAME`: one experiment, from memories to claims. */
export async function run(
  options: ExperimentOptions,
  terminal: Terminal,
  name: string,
  seeds: readonly number[],
): Promise<void> {
  const done = await withModels(options, "judge", terminal, async (models) => {
    const made = await evaluateExperiment({
      name,
      seeds,
      folder: options.keep ?? KEPT,
      wording: options.wording ?? "test",
      models,
      signal: terminal.signal,
      onProgress: (line) => terminal.progress(line),
      report: options.report,
    });
    return { ...made, usage: usageLines(models) };
  });
  terminal.result(done.report, () => [done.text, ...done.usage].join("\n"));
  terminal.note(`kept as ${done.kept}`);
}
