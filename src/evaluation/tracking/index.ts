export {
  evaluateTracking,
  formatTrackingReport,
  type TrackingEvalOptions,
  type TrackingReport,
} from "./evaluate.ts";
export { readTruth } from "./truth.ts";
export { checkTruthOf } from "./truth-of.ts";
export { truthScene } from "./truth-scene.ts";
