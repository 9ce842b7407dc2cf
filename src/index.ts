/** Loci: a 4D memory for embodied agents. This is the library's face. */
export {
  type Actor,
  type AskCall,
  type AskRequest,
  askAboutPictures,
  askMemory,
  type DriveOptions,
  type DriveOutcome,
  type DriverOptions,
  describeRecording,
  drawMemory,
  type ExportRequest,
  exportMemory,
  type Found,
  finishFrames,
  type IngestReport,
  type IngestRequest,
  ingestInto,
  ingestRecording,
  localFace,
  Memory,
  type MemoryFace,
  type ModelsRequest,
  type OpenedModels,
  type OpenOptions,
  openMemory,
  openModels,
  openRobot,
  type PictureRequest,
  type RememberOptions,
  type RetrieveRequest,
  type RobotDriver,
  retainWithin,
  retrieveFrom,
  type SentFrame,
  type SuiteRequest,
  simulate,
  type Talk,
  type TrackingRequest,
} from "./compose.ts";
export * from "./exchange/feed/decode.ts";
export * from "./geometry/index.ts";
export type { IngestProgress, IngestSummary, PrivacyPolicyInput, SkipReason } from "./ingest/index.ts";
export * from "./memory/index.ts";
export * from "./models/index.ts";
export { type Asked, type AskOptions, type Reading, read } from "./reasoning/index.ts";
export { type ConnectOptions, connect } from "./remote/index.ts";
export * from "./retrieval/index.ts";
export * from "./schema/index.ts";
export type { ReadOptions, SourcePlan } from "./sensors/index.ts";
export type { MapJoin } from "./sharing/index.ts";
