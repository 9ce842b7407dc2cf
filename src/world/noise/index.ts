export * from "./captions.ts";
export * from "./clock.ts";
export * from "./depth.ts";
export * from "./drift.ts";
export * from "./labels.ts";
export * from "./levels.ts";
export * from "./masks.ts";
