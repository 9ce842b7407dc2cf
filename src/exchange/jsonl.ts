import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  type DumpRow,
  dumpRowFromJson,
  dumpRowToJson,
  type MemoryReader,
  type MemoryWriter,
} from "../memory/index.ts";
import { LociError, throwIfAborted } from "../schema/index.ts";

export interface TransferOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (rows: number) => void;
}

const PROGRESS_ROWS = 1_000;
const LINE_BYTES = 256 * 1024 * 1024;

/**
 * Everything a reader can see as one JSON object a line: versions, sightings, frames, texts with their vectors,
 * blobs. The file appears under its name only when it is whole.
 */
export async function exportJsonl(
  reader: MemoryReader,
  path: string,
  options: TransferOptions = {},
): Promise<{ rows: number }> {
  const partial = `${path}.partial`;
  let rows = 0;
  async function* lines() {
    for await (const row of reader.dump()) {
      throwIfAborted(options.signal);
      if (++rows % PROGRESS_ROWS === 0) options.onProgress?.(rows);
      yield `${dumpRowToJson(row)}\n`;
    }
  }
  try {
    await pipeline(Readable.from(lines()), createWriteStream(partial, { flush: true }));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw fileFailure(error, path);
  }
  return { rows };
}

/** Takes an exported file into an empty memory: ids, versions and times stay what they were. */
export async function importJsonl(
  writer: MemoryWriter,
  path: string,
  options: TransferOptions = {},
): Promise<{ rows: number }> {
  async function* rows(): AsyncGenerator<DumpRow> {
    let line = 0;
    const input = createReadStream(path, { encoding: "utf8" });
    try {
      for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
        throwIfAborted(options.signal);
        line++;
        if (text.length > LINE_BYTES)
          throw new LociError("limit-exceeded", `${path}:${line}: longer than ${LINE_BYTES} characters`);
        if (text.trim() === "") continue;
        if (line % PROGRESS_ROWS === 0) options.onProgress?.(line);
        yield dumpRowFromJson(text, `${path}:${line}`);
      }
    } catch (error) {
      throw fileFailure(error, path);
    } finally {
      input.destroy();
    }
  }
  return writer.restore(rows());
}

function fileFailure(error: unknown, path: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ENOTDIR")
    return new LociError("invalid-input", `${path}: no such file or folder`, { cause: error });
  if (code === "EACCES" || code === "EISDIR" || code === "EROFS")
    return new LociError("invalid-input", `${path} cannot be opened (${code})`, { cause: error });
  if (code === "ENOSPC")
    return new LociError("memory-full", `no space left to write ${path}; nothing was kept`, { cause: error });
  return error;
}
