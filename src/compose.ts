import type { RecordHooks, RecordOptions, RecordSummary } from "./world/recorder/index.ts";

export {
  type AskCall,
  type AskRequest,
  askMemory,
  Conversation,
  listMemory,
  readExpression,
  type WorkCall,
} from "./compose/ask.ts";
export { clocksSeen, mapsSeen } from "./compose/asked-map.ts";
export { type FoundHit, withBelief } from "./compose/believed.ts";
export { copyMemory } from "./compose/copy.ts";
export { buildDemo } from "./compose/demo.ts";
export {
  Expedition,
  type ExpeditionHooks,
  type ExpeditionRequest,
  type Returned,
  type RobotOptions,
} from "./compose/expedition.ts";
export { exploreHouse } from "./compose/explore.ts";
export { type ExportRequest, exportMemory, followMemory, liveSchemas, openRobot } from "./compose/export.ts";
export { type GuidanceRequest, guidanceOf } from "./compose/guidance.ts";
export { importMemory } from "./compose/import.ts";
export {
  type ArrivalReport,
  checkPlacing,
  describeRecording,
  type FoundRecording,
  findRecording,
  type IngestReport,
  type IngestRequest,
  ingestInto,
  ingestOpened,
  ingestRecording,
  odometryFor,
  type ReturnReport,
} from "./compose/ingest.ts";
export { detectorFor, type Eyes, openEyes, textReaderFor } from "./compose/ingest-eyes.ts";
export { type AlignRequest, alignScene, joinScene, partScene } from "./compose/join.ts";
export { REFUSAL_TEXT } from "./compose/known-place.ts";
export type { SentFrame } from "./compose/live-frames.ts";
export {
  linesOf,
  Memory,
  type OpenOptions,
  openMemory,
  type RememberOptions,
} from "./compose/memory.ts";
export { type ModelsRequest, type OpenedModels, openModels } from "./compose/models.ts";
export { outcomeOf } from "./compose/outcome.ts";
export { askAboutPictures, readClip, readPictures } from "./compose/pictures.ts";
export { openReplay, type Replay, type ReplayChannel } from "./compose/replay.ts";
export { type RetrieveRequest, retrieveFrom } from "./compose/retrieve.ts";
export { listRuns, openRun, RunRecorder } from "./compose/runs.ts";
export {
  parseSource,
  type SourceRequest,
  type SourceStatus,
  withTopic,
} from "./compose/sources/request.ts";
export { finishAbandoned, hasAbandoned, type LocalPeer, localPeer } from "./compose/sync.ts";
export { drawMemory, pictureThings, retainWithin } from "./compose/upkeep.ts";
export { openWatches, resumeWatches, retireWatches } from "./compose/watch.ts";
export { simulateWeeks } from "./compose/weeks.ts";
export { EXPORT_FORMATS } from "./exchange/formats/format.ts";
export type { LiveOptions } from "./exchange/foxglove/live.ts";
export type { Drawing, PictureOptions } from "./exchange/picture/index.ts";
export { SKIP_WORDS } from "./ingest/index.ts";

/** Writes a simulated recording; loaded only when asked for. */
export async function simulate(options: RecordOptions, hooks: RecordHooks = {}): Promise<RecordSummary> {
  return (await import("./world/recorder/index.ts")).recordHouse(options, hooks);
}

export { memoryExists, memoryFolder, placeName } from "./compose/memory-folder.ts";
export type { Actor } from "./operations/context.ts";
export { localFace, type MemoryFace, type Talk } from "./operations/face.ts";
export { finishFrames } from "./operations/frames.ts";
export { sourceStates, stopSources } from "./operations/running-sources.ts";
export type { Found } from "./operations/search.ts";
export { isLiveFormat } from "./sensors/live/formats.ts";
export { isLive as isLiveSource } from "./sensors/live/open-live.ts";
export type { DriveOptions, DriveOutcome, DriverOptions, RobotDriver } from "./sensors/rosbridge/driver.ts";
export type { RobotClock } from "./sharing/index.ts";
export {
  nameOf as segmentName,
  Parts as SegmentParts,
  type Peer,
  type Sealed,
  type SyncReport,
  seal as sealSegment,
  syncMemories,
  type TakeOptions,
} from "./sharing/sync/index.ts";
export { type Gone, tells } from "./watches/gone.ts";
