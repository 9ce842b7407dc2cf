export type { Evidence } from "./evidence.ts";
export { explain } from "./explain.ts";
export type { SearchForest } from "./forest/search-forest.ts";
export type { ChildSelector } from "./forest/selector.ts";
export { type Keyframe, keyframesOf } from "./keyframes.ts";
export { STRATEGIES, type Strategy } from "./presets/presets.ts";
export { type Concept, cuesOf } from "./question/cues.ts";
export { type Retrieved, type RetrieveOptions, retrieve } from "./retrieve.ts";
export { serialise } from "./serialise.ts";
