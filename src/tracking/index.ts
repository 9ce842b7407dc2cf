export type { Doubted } from "./merge/doubted.ts";
export { EgoDiary } from "./records/ego-diary.ts";
export { type Adjudicator, type Proposal, RULE_ADJUDICATOR } from "./state/adjudicator.ts";
export { type TrackedThing, Tracker, type TrackerOptions, type TrackerStep } from "./tracker.ts";
