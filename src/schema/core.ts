/**
 * The parts of the schema that run without zod, and all of its types. Code that must start quickly (opening a memory,
 * searching it) imports this; code that checks outside input imports `index.ts`.
 */
export type * from "./accounts.ts";
export type * from "./answer.ts";
export * from "./constants.ts";
export type * from "./corrections.ts";
export * from "./effort.ts";
export * from "./embedder.ts";
export * from "./errors.ts";
export type * from "./exploration-run.ts";
export type * from "./expression.ts";
export type * from "./face.ts";
export type * from "./feed.ts";
export type * from "./frame.ts";
export type * from "./frame-line.ts";
export type * from "./frames.ts";
export * from "./ids.ts";
export * from "./images.ts";
export * from "./keys.ts";
export * from "./limits.ts";
export * from "./perceived.ts";
export type * from "./percept.ts";
export type * from "./primitives.ts";
export type * from "./question.ts";
export type * from "./records.ts";
export type * from "./sighting.ts";
export type * from "./slam.ts";
export type * from "./sync.ts";
export type * from "./watches.ts";
