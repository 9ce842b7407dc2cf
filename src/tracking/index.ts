export { EgoDiary } from "./records/ego-diary.ts";
export { type Adjudicator, type Proposal, RULE_ADJUDICATOR } from "./state/adjudicator.ts";
export { Tracker, type TrackerOptions } from "./tracker.ts";
