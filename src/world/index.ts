/** `loci/world`: simulated houses, their events, what a robot sees of them, and questions with their answers. */
export { type BoxWorldFile, boxWorldOf } from "./box-world.ts";
export { makeTimeline, type Timeline } from "./dynamics/index.ts";
export {
  generateHouse,
  type House,
  type HouseOptions,
  type HouseSnapshot,
  type HouseThing,
} from "./house/index.ts";
export { LiveHouse, type LiveHouseOptions } from "./live-house.ts";
export { makeQuestions, questionWorld, SUITES } from "./questions/index.ts";
export {
  FAMILIES,
  type FamilyName,
  imagineHouse,
  parseRecordOptions,
  QUESTIONS_FILE,
  type RecordHooks,
  type RecordOptions,
  type RecordProgress,
  type RecordSummary,
  recordHouse,
  TRUTH_FILE,
} from "./recorder/index.ts";
export { imagineWeeks, makeWeekQuestions } from "./weeks/index.ts";
