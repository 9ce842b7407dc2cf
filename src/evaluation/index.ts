/** `loci/evaluation`: suites, datasets, judges and reports. It stands on the face; nothing of the face needs it. */
export { DATASETS, loadDataset, readQuestions } from "./datasets/index.ts";
export {
  evaluateEncoders,
  evaluateHabits,
  evaluateParser,
  evaluateSuite,
  evaluateTracking,
  type SuiteRequest,
  type TrackingRequest,
} from "./evaluate.ts";
export {
  checkPeopleQuestions,
  evaluatePeople,
  listPeopleQuestions,
  type PeopleRequest,
  preparePeopleHouses,
} from "./people/evaluate-people.ts";
export { evaluateCaptionRecall, evaluateForest } from "./retrieval/evaluate-retrieval.ts";
export type { SuiteReport } from "./runner/index.ts";
export type { Estimate } from "./statistics.ts";
export { checkTruthOf, readTruth, type TrackingReport, truthDrawing } from "./tracking/index.ts";
