export { FAMILIES, type FamilyName } from "../families/index.ts";
export { DEFAULT_START_US, parseRecordOptions, type RecordOptions } from "./options.ts";
export {
  imagineHouse,
  QUESTIONS_FILE,
  type RecordHooks,
  type RecordProgress,
  type RecordSummary,
  recordHouse,
  TRUTH_FILE,
} from "./record-house.ts";
