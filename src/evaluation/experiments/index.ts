export { type Comparison, compareRuns, comparisonText } from "./compare.ts";
export type { ExperimentReport } from "./experiment.ts";
export { experimentHtml } from "./report/html.ts";
export { experimentMarkdown } from "./report/markdown.ts";
export { experimentText } from "./report/text.ts";
export {
  type ExperimentRequest,
  type ExperimentRun,
  isExperiment,
  keepRun,
  listExperiments,
  runExperiment,
} from "./run-experiment.ts";
