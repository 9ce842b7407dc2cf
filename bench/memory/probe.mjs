// Starts probe.ts. Plain JavaScript, because the first file of a process is never in the compile cache: as TypeScript
// it would load Node's type stripper in every fresh process, which no engine under test has anything to do with.
import module from "node:module";

module.enableCompileCache();
await import("./probe.ts");
