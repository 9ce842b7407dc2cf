export type { ExperimentReport } from "./experiment.ts";
export { experimentText } from "./report-text.ts";
export {
  type ExperimentRequest,
  type ExperimentRun,
  isExperiment,
  keepRun,
  listExperiments,
  runExperiment,
} from "./run-experiment.ts";
