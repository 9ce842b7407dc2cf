export { evaluateDataset } from "./evaluate-dataset.ts";
export { DATASETS, loadDataset } from "./load-dataset.ts";
export { readQuestions } from "./questions-file.ts";
export { scenesOf } from "./scenes.ts";
export { fetchLine } from "./sources.ts";
