export { type DatasetEvalOptions, evaluateDataset } from "./evaluate-dataset.ts";
export { DATASETS, loadDataset } from "./load-dataset.ts";
export { readQuestions } from "./questions-file.ts";
export { type FillableMemory, scenesOf } from "./scenes.ts";
