export type { IngestSummary, SkipReason } from "./counts.ts";
export { type IngestHooks, type IngestOptions, type IngestProgress, ingest } from "./ingest.ts";
export type { PrivacyPolicyInput } from "./privacy.ts";
