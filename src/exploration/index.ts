export type { Body, Stand } from "../sensors/index.ts";
export { explore } from "./explore.ts";
export type { Guidance } from "./guide/guidance.ts";
export type { Explored, ExploreOptions } from "./options.ts";
export { parseRun, RunWriter, readRun } from "./run-record.ts";
export { Site, type SiteMemory } from "./site.ts";
