export type {
  Body,
  BodyModel,
  CallLimits,
  GoLimits,
  GoOutcome,
  Look,
  Stand,
  Went,
  Whereabouts,
} from "./body.ts";
export { GO_OUTCOMES } from "./body.ts";
export { explore } from "./explore.ts";
export type { Explored, ExploreOptions } from "./options.ts";
export { parseRun, type RecordedRun, RunWriter, readRun } from "./run-record.ts";
export { Site, type SiteMemory } from "./site.ts";
export { type DirectionJudge, visionJudge } from "./vision.ts";
