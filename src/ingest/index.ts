export { type IngestSummary, SKIP_WORDS, type SkipReason } from "./counts.ts";
export { type IngestHooks, type IngestOptions, type IngestProgress, ingest } from "./ingest.ts";
export { LiveIngest, type LiveOutcome, type StatementItem } from "./live.ts";
export type { IngestModels } from "./options.ts";
export { type PrivacyPolicyInput, parsePrivacyPolicy, zoneAt } from "./privacy.ts";
export { observationIdOf } from "./records.ts";
export { ReorderBuffer } from "./reorder-buffer.ts";
export { checkUsable } from "./usable.ts";
