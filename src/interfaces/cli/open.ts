import { type Memory, openMemory } from "../../compose.ts";
import type { ReaderOptions } from "../../index.ts";
import { harmless } from "./harmless.ts";

/** Options that every command on a memory takes. */
export interface MemoryOptions {
  readonly memory: string;
  readonly embedder?: string;
  readonly json?: boolean;
}

export interface ReadAs {
  readonly asOf?: number;
  readonly asOfWorld?: number;
  readonly labels?: string[];
}

/** Opens the memory of a command, does its work, and closes it whatever happens. */
export async function withMemory<T>(
  options: MemoryOptions & ReadAs,
  how: { create: boolean },
  work: (memory: Memory) => Promise<T>,
): Promise<T> {
  const memory = await openMemory(options.memory, {
    create: how.create,
    environment: process.env,
    ...(options.embedder === undefined ? {} : { embedder: options.embedder }),
  });
  try {
    if (!how.create)
      for (const what of await memory.unfinished()) process.stderr.write(`note: ${harmless(what)}\n`);
    return await work(memory);
  } finally {
    await memory.close();
  }
}

/** The reader that --as-of, --as-of-world and --labels ask for. */
export function readerOptions(options: ReadAs): ReaderOptions {
  return {
    ...(options.asOf === undefined ? {} : { asOfMemoryUs: options.asOf }),
    ...(options.asOfWorld === undefined ? {} : { asOfWorldUs: options.asOfWorld }),
    ...(options.labels === undefined ? {} : { principal: { id: "cli", labels: options.labels } }),
  };
}
