import { type MemoryOptions, type ReadAs, readerOptions, withMemory } from "../open.ts";
import { countOf, type Terminal } from "../terminal.ts";

export async function run(options: MemoryOptions & ReadAs, terminal: Terminal, file: string): Promise<void> {
  const { rows } = await withMemory(options, { create: false }, (memory) =>
    memory.as(readerOptions(options)).exportJsonl(file, {
      signal: terminal.signal,
      onProgress: (done) => terminal.progress(`${done} rows`),
    }),
  );
  terminal.result({ file, rows }, () => `wrote ${countOf(rows, "row")} to ${file}`);
}
