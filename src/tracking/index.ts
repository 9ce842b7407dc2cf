export { type Adjudicator, type Proposal, RULE_ADJUDICATOR } from "./adjudicator.ts";
export { EgoDiary } from "./ego-diary.ts";
export { Tracker } from "./tracker.ts";
