export * from "./answer.ts";
export * from "./core.ts";
export * from "./frames.ts";
export * from "./parse.ts";
export * from "./primitives.ts";
export * from "./question.ts";
export * from "./records.ts";
export * from "./sighting.ts";
