/** The entry of the builder's thread: enabling the compile cache before any other import shortens its start. */
import module from "node:module";

module.enableCompileCache();
await import("./build-thread.ts");
