export * from "./frame.ts";
export * from "./images.ts";
export { createRecording, describeSource, openRecording, writeRecordingInto } from "./open.ts";
export { type ReadOptions, readOptionsSchema, type Skip } from "./options.ts";
export type { SourcePlan, SourceStream } from "./plan.ts";
export { encodePng } from "./png.ts";
export * from "./recording.ts";
export * from "./staged-folder.ts";
export type * from "./statements.ts";
