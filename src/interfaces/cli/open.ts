import { type Memory, type MemoryFace, memoryFolder, openMemory } from "../../compose.ts";
import type { ReaderOptions } from "../../index.ts";
import { isLociError } from "../../schema/core.ts";
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

/**
 * A write to a command's memory: here, or, where another process holds the writer and serves it, through that one. A
 * write refused as busy was not begun.
 */
export async function orThroughServer<T>(
  { memory }: MemoryOptions,
  here: () => Promise<T>,
  there: (face: MemoryFace) => Promise<T>,
): Promise<T> {
  try {
    return await here();
  } catch (error) {
    if (!isLociError(error, "memory-busy")) throw error;
    const { isAlive, readServerFile } = await import("../handover/server-file.ts");
    const server = readServerFile(memoryFolder(memory));
    if (server === undefined || !isAlive(server)) throw error;
    const { connect } = await import("../../remote/index.ts");
    const face = connect(server.url, { token: server.token });
    try {
      return await there(face);
    } finally {
      await face.close();
    }
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
