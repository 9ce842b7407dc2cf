import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type IngestRequest, ingestRecording } from "../../compose/ingest.ts";
import { type Memory, openMemory } from "../../compose/memory.ts";

/** A memory in the form that suites use, with a write function. */
export async function sceneMemory(memory: Memory) {
  return {
    reader: await memory.reader(),
    embedder: await memory.embedder(),
    write: (batch: Parameters<Memory["write"]>[0]) => memory.write(batch),
    close: () => memory.close(),
  };
}

/** The memory of a recording in a folder: made once, then reopened; an unfinished one is made again. */
export async function ingestOnce(
  recording: string,
  folder: string,
  signal?: AbortSignal,
  request: IngestRequest = {},
): ReturnType<typeof sceneMemory> {
  const done = join(folder, "ingested");
  const isKnown = await stat(done).then(
    () => true,
    () => false,
  );
  if (!isKnown) await rm(folder, { recursive: true, force: true });
  const memory = await openMemory(folder);
  try {
    if (!isKnown) {
      await ingestRecording(memory, recording, request, signal ? { signal } : {});
      await writeFile(done, "");
    }
    return await sceneMemory(memory);
  } catch (error) {
    await memory.close();
    throw error;
  }
}
