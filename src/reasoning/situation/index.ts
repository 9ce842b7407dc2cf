export { likelyPoses } from "./poses.ts";
export { evaluateFrom, type SituationRead, situate } from "./situate.ts";
