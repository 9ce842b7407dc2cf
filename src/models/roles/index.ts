export {
  modelCaptioner,
  modelConfidence,
  modelMatcher,
  modelSelector,
  modelSummariser,
} from "./adapters.ts";
export { chooseModels } from "./choose-models.ts";
export { readModelConfig } from "./config-file.ts";
export { modelDescriber } from "./describer.ts";
export { modelDetector } from "./detector.ts";
export { openModelRoles } from "./open-roles.ts";
