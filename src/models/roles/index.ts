export {
  modelCaptioner,
  modelConfidence,
  modelDescriber,
  modelMatcher,
  modelSelector,
  modelSummariser,
} from "./adapters.ts";
export { chooseModels } from "./choose-models.ts";
export { readModelConfig } from "./config-file.ts";
export { modelDetector } from "./detector.ts";
export { openModelRoles } from "./open-roles.ts";
