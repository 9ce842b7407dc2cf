export { backgroundOf, UNRELATED_TEXTS } from "./background.ts";
export { type CacheOptions, cached } from "./cached.ts";
export type { Captioner, ClipToCaption } from "./captioner.ts";
export type { Describer, ThingToDescribe } from "./describer.ts";
export * from "./embedder.ts";
export { findPackage } from "./optional-package.ts";
export {
  EMBEDDER_CHOICES,
  type EmbedderSpec,
  openEmbedder,
  openImageEmbedder,
  parseEmbedderSpec,
} from "./registry.ts";
