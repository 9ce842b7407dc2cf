export { DEFAULT_START_US, FAMILIES, parseRecordOptions, type RecordOptions } from "./options.ts";
export {
  imagineHouse,
  QUESTIONS_FILE,
  type RecordHooks,
  type RecordProgress,
  type RecordSummary,
  recordHouse,
  TRUTH_FILE,
} from "./record-house.ts";
