/** The entry of the writer's thread: with the compile cache on before anything else is loaded, it starts sooner. */
import module from "node:module";

module.enableCompileCache();
await import("./writer-thread.ts");
