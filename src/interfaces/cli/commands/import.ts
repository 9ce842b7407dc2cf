import { importMemory } from "../../../compose.ts";
import type { MemoryOptions } from "../open.ts";
import { countOf, type Terminal } from "../terminal.ts";

export async function run(options: MemoryOptions, terminal: Terminal, file: string): Promise<void> {
  const { rows } = await importMemory(options.memory, file, {
    environment: process.env,
    ...(options.embedder === undefined ? {} : { embedder: options.embedder }),
    signal: terminal.signal,
    onProgress: (done) => terminal.progress(`${done} rows`),
  });
  terminal.result({ file, rows }, () => `took in ${countOf(rows, "row")} from ${file}`);
}
