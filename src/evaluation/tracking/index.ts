export {
  evaluateTracking,
  formatTrackingReport,
  type TrackingEvalOptions,
  type TrackingReport,
} from "./evaluate.ts";
export { truthBeside } from "./truth-of.ts";
