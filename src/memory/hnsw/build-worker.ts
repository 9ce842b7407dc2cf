/** The entry of the builder's thread: with the compile cache on before anything else is loaded, it starts sooner. */
import module from "node:module";

module.enableCompileCache();
await import("./build-thread.ts");
