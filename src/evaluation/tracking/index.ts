export {
  evaluateTracking,
  formatTrackingReport,
  type TrackingEvalOptions,
  type TrackingReport,
} from "./evaluate.ts";
export type { Assignment, Assignments } from "./looks.ts";
export type { OpenedMemory, TrackingPipeline } from "./pipeline.ts";
export { scoreMemory, type TrackingScore } from "./score.ts";
export { formatSummary, summarise, type TrackingSummary } from "./summary.ts";
export { parseTruth, readTruth, Truth } from "./truth.ts";
export { truthScene } from "./truth-scene.ts";
