export * from "./frame.ts";
export * from "./images.ts";
export { createRecording, openRecording, writeRecordingInto } from "./open.ts";
export { encodePng } from "./png.ts";
export * from "./recording.ts";
export * from "./staged-folder.ts";
