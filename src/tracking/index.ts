export { type Adjudicator, type Proposal, RULE_ADJUDICATOR } from "./adjudicator.ts";
export { EgoDiary, type EgoDiaryOptions } from "./ego-diary.ts";
export { DEFAULT_SETTINGS, PAPER_SETTINGS, type TrackingSettings } from "./settings.ts";
export {
  type DescribedThing,
  type TrackedThing,
  Tracker,
  type TrackerOptions,
  type TrackerStep,
} from "./tracker.ts";
