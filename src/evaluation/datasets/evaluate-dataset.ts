import { evaluateSuite } from "../runner/evaluate-suite.ts";
import type { SuiteReport } from "../runner/report.ts";
import type { RunOptions } from "../runner/run-suite.ts";
import type { Strategy } from "../runner/strategy.ts";
import { presetStrategy } from "../runner/system-strategy.ts";
import { loadDataset } from "./load-dataset.ts";
import { type FillableMemory, type ScenesOptions, scenesOf } from "./scenes.ts";

export interface DatasetEvalOptions
  extends Omit<RunOptions, "suite" | "scenes" | "strategies" | "notes">,
    ScenesOptions {
  readonly dataset: string;
  readonly folder: string;
  /** Presets of retrieval by name, or whole strategies. */
  readonly strategies: readonly (string | Strategy)[];
  /** An empty memory for a scene; it is closed when the scene is done. */
  readonly makeMemory: (sceneId: string) => Promise<FillableMemory>;
}

/** Evaluates a dataset from its folder to the report, for `eval DATASET`. */
export function evaluateDataset(options: DatasetEvalOptions): Promise<SuiteReport> {
  const {
    dataset: name,
    folder,
    makeMemory,
    withExcluded,
    withoutFacts,
    ingest,
    strategies,
    ...run
  } = options;
  const dataset = loadDataset(name, folder);
  const reasons = Object.entries(Object.groupBy(dataset.excluded, ({ reason }) => reason));
  return evaluateSuite({
    ...run,
    suite: name,
    scenes: scenesOf(dataset, makeMemory, {
      ...(withExcluded === undefined ? {} : { withExcluded }),
      ...(withoutFacts === undefined ? {} : { withoutFacts }),
      ...(ingest === undefined ? {} : { ingest }),
    }),
    strategies: [
      ...strategies.map((one) => (typeof one === "string" ? presetStrategy(one) : one)),
      ...(dataset.compareWith ?? []),
    ],
    notes: [
      ...dataset.notes,
      ...reasons.map(
        ([reason, all]) =>
          `${all?.length} questions ${withExcluded ? "should be" : "are"} left out: ${reason}.`,
      ),
    ],
  });
}
