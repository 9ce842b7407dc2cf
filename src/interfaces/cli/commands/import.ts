import { existsSync } from "node:fs";
import { LociError } from "../../../schema/core.ts";
import { type MemoryOptions, withMemory } from "../open.ts";
import { countOf, type Terminal } from "../terminal.ts";

export async function run(options: MemoryOptions, terminal: Terminal, file: string): Promise<void> {
  if (!existsSync(file)) throw new LociError("invalid-input", `${file}: no such file`);
  const { rows } = await withMemory(options, { create: true }, (memory) =>
    memory.importJsonl(file, {
      signal: terminal.signal,
      onProgress: (done) => terminal.progress(`${done} rows`),
    }),
  );
  terminal.result({ file, rows }, () => `took in ${countOf(rows, "row")} from ${file}`);
}
