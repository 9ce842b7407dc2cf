export {
  evaluateTracking,
  formatTrackingReport,
  type TrackingEvalOptions,
  type TrackingReport,
} from "./evaluate.ts";
export { readTruth } from "./truth.ts";
export { truthDrawing } from "./truth-drawing.ts";
export { checkTruthOf } from "./truth-of.ts";
