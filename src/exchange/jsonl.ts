import { createReadStream, statSync } from "node:fs";
import {
  type DumpRow,
  dumpRowFromJson,
  dumpRowToJson,
  type MemoryReader,
  type MemoryWriter,
} from "../memory/index.ts";
import { isLociError, LociError, throwIfAborted } from "../schema/index.ts";
import { fileFailure, writeWhole } from "./whole-file.ts";

export interface TransferOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (rows: number) => void;
}

const PROGRESS_ROWS = 1_000;
/** The largest blob in base64, with its row. */
const LINE_BYTES = 96 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

/**
 * Everything a reader can see as one JSON object per line: versions, sightings, frames, texts with their vectors,
 * blobs. The file appears under its name only when complete.
 */
export async function exportJsonl(
  reader: MemoryReader,
  path: string,
  options: TransferOptions = {},
): Promise<{ rows: number }> {
  let rows = 0;
  async function* lines() {
    for await (const row of reader.dump()) {
      if (++rows % PROGRESS_ROWS === 0) options.onProgress?.(rows);
      yield `${row.type === "memory" ? withEnd(dumpRowToJson(row)) : dumpRowToJson(row)}\n`;
    }
    yield `${JSON.stringify({ type: "end", rows })}\n`;
  }
  await writeWhole(path, lines(), options.signal);
  return { rows };
}

/** Imports an exported file into an empty memory; ids, versions and times are kept. */
export async function importJsonl(
  writer: MemoryWriter,
  path: string,
  options: TransferOptions = {},
): Promise<{ rows: number }> {
  checkIsFile(path);
  async function* rows(): AsyncGenerator<DumpRow> {
    let isPromised = false;
    let count = 0;
    let endedAt: number | null = null;
    for await (const { text, line } of linesOf(path)) {
      throwIfAborted(options.signal);
      if (text.trim() === "") continue;
      if (line % PROGRESS_ROWS === 0) options.onProgress?.(line);
      if (endedAt !== null)
        throw new LociError("invalid-input", `line ${line}: the dump ended at line ${endedAt}`);
      const end = END.exec(text);
      if (end !== null) {
        if (Number(end[1]) !== count)
          throw new LociError("invalid-input", `line ${line}: the end counts ${end[1]} rows, got ${count}`);
        endedAt = line;
        continue;
      }
      if (line === 1) isPromised = ENDS.test(text);
      yield { ...dumpRowFromJson(text, `line ${line}`), line };
      count++;
    }
    if (isPromised && endedAt === null)
      throw new LociError("invalid-input", `line ${count + 1}: the end is missing; the file is cut short`);
  }
  try {
    return await writer.restore(rows());
  } catch (error) {
    const known = isLociError(error) && /^line \d+/.test(error.message);
    throw known
      ? new LociError(error.code, `${path}: ${error.message}`, { cause: error })
      : fileFailure(error, path);
  }
}

/** The lines of a file with bounded length: a file without line breaks must not become one string. */
async function* linesOf(path: string): AsyncGenerator<{ text: string; line: number }> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (bytes: Uint8Array, line: number): string => {
    try {
      return decoder.decode(bytes);
    } catch (cause) {
      throw new LociError("invalid-input", `line ${line}: not UTF-8`, { cause });
    }
  };
  let line = 1;
  let kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      yield { text: decoded(Buffer.concat([...kept, chunk.subarray(from, end)]), line), line };
      line++;
      kept = [];
      size = 0;
      from = end + 1;
    }
    kept.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > LINE_BYTES)
      throw new LociError("limit-exceeded", `line ${line}: longer than ${LINE_BYTES} bytes`);
  }
  if (size > 0) yield { text: decoded(Buffer.concat(kept), line), line };
}

/** Files without this flag, written by older versions, simply end. */
const ENDS = /^\{"ends":true,/;
const END = /^\{"type":"end","rows":(\d+)\}\s*$/;

/** The first row announces a last row with the count. */
function withEnd(json: string): string {
  return `{"ends":true,${json.slice(1)}`;
}

/** A pipe without a writer would block forever, and a folder cannot be read. */
function checkIsFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw new LociError("invalid-input", `${path}: no such file`);
  if (!found.isFile()) throw new LociError("invalid-input", `${path} is not a file`);
}
