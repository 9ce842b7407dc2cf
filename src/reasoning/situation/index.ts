export { type LikelyPose, likelyPoses, type Situation } from "./poses.ts";
export { evaluateFrom, type SituationRead, situate } from "./situate.ts";
export { type Meant, SIDES, type Side, STANCES, type Stance } from "./terms.ts";
