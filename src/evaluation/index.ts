/** `loci/evaluation`: suites, datasets, judges and reports. It depends on the face; the face does not depend on it. */
export { type ConsistencyRequest, evaluateConsistency } from "./consistency/evaluate-consistency.ts";
export { DATASETS, loadDataset, readQuestions } from "./datasets/index.ts";
export {
  compareExperiments,
  evaluateActive,
  evaluateEncoders,
  evaluateExperiment,
  evaluateEyes,
  evaluateHabits,
  evaluateParser,
  evaluateSuite,
  evaluateTracking,
  listExperiments,
  makeOwnQuestions,
  type SuiteRequest,
  type TrackingRequest,
} from "./evaluate.ts";
export { type Agreement, agreementOf } from "./judge/agreement.ts";
export type { Judge } from "./judge/judge.ts";
export { modelJudge } from "./judge/model-judge.ts";
export { RULE_JUDGE } from "./judge/rule-judge.ts";
export type { Proposal } from "./own/proposals.ts";
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
export { type TrackingReport, truthBeside } from "./tracking/index.ts";
