/** Loci: a 4D memory for embodied agents. This is the library's face. */
export { Memory, type OpenOptions, openMemory, type RememberOptions } from "./compose.ts";
export * from "./geometry/index.ts";
export * from "./memory/index.ts";
export * from "./models/index.ts";
export * from "./schema/index.ts";
