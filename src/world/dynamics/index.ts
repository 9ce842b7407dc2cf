export * from "./make-timeline.ts";
export { roomAt, Timeline } from "./timeline.ts";
export type * from "./types.ts";
