export { backgroundOf, UNRELATED_TEXTS } from "./background.ts";
export { type CacheOptions, cached } from "./cached.ts";
export * from "./embedder.ts";
export { findPackage } from "./optional-package.ts";
export {
  EMBEDDER_CHOICES,
  type EmbedderSpec,
  openEmbedder,
  openImageEmbedder,
  parseEmbedderSpec,
} from "./registry.ts";
