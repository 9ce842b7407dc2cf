export { contentDigest, dumpRowToJson } from "./dump-json.ts";
export { dumpRowFromJson } from "./dump-parse.ts";
export { EmbeddedEngine, type EmbeddedOptions } from "./embedded/engine.ts";
export * from "./port.ts";
export { type HitOf, MemoryQuery, type Moment, momentUs, type QueryContext } from "./query.ts";
export * from "./request.ts";
export { SqliteEngine, type SqliteOptions } from "./sqlite/engine.ts";
export { memoryExists } from "./sqlite/files.ts";
export type { VerifyReport } from "./sqlite/verify.ts";
