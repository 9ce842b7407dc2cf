export { backgroundOf, UNRELATED_TEXTS } from "./background.ts";
export { type CacheOptions, cached } from "./cached.ts";
export type { Captioner, ClipToCaption } from "./captioner.ts";
export type { Describer, ThingDescription, ThingToDescribe } from "./describer.ts";
export type { Detector, FoundThing } from "./detector.ts";
export { isLanguageModelDetector, openDetector, openSegmenter } from "./detectors.ts";
export * from "./embedder.ts";
export type { Eyes, EyesInput, EyesOptions, EyesRuntime, Look } from "./eyes/index.ts";
export {
  type BudgetedModel,
  budgeted,
  type ModelBudget,
  type ModelPrices,
  type Spent,
} from "./language/budget.ts";
export * from "./language/language-model.ts";
export {
  LANGUAGE_MODEL_CHOICES,
  type LanguageModelSpec,
  openLanguageModel,
  parseLanguageModelSpec,
} from "./language/registry.ts";
export { findPackage } from "./optional-package.ts";
export {
  EMBEDDER_CHOICES,
  type EmbedderSpec,
  openEmbedder,
  openImageEmbedder,
  parseEmbedderSpec,
} from "./registry.ts";
export type { ConfidenceRater, Matcher } from "./roles/adapters.ts";
export type { ModelRoles } from "./roles/open-roles.ts";
export { MODEL_ROLES, type ModelRole } from "./roles/role.ts";
export type { RoleUsage } from "./roles/role-model.ts";
export type { Segmenter } from "./segmenter.ts";
export type { Summariser } from "./summariser.ts";
export type { FoundText, TextReader } from "./text-reader.ts";
export { openTextReader, textReaderFor } from "./text-readers.ts";
