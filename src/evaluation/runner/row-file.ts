import { type FileHandle, open, truncate } from "node:fs/promises";
import { LociError } from "../../schema/core.ts";
import { type Row, rowSchema, slim } from "./row.ts";
import type { MalformedLine } from "./suite.ts";

/** The content of an earlier run's file. */
export interface FoundRows {
  /** Slim ones. */
  readonly rows: readonly Row[];
  /** 1 if the last line was truncated by a crash; it was removed from the file. */
  readonly torn: number;
  /** Invalid lines: left in place, counted, and the first hundred shown. */
  readonly malformed: readonly MalformedLine[];
  readonly malformedTotal: number;
}

const MALFORMED_SHOWN = 100;
const LARGEST_FILE_BYTES = 4 * 1024 ** 3;

/**
 * The append-only file of a run: one JSON row per line. Lines are written whole and in sequence, so that a killed run
 * leaves at most one truncated line, the last; opening removes that one and nothing else.
 */
export class RowFile {
  readonly found: FoundRows;
  readonly #file: FileHandle;
  #last: Promise<void> = Promise.resolve();

  private constructor(file: FileHandle, found: FoundRows) {
    this.#file = file;
    this.found = found;
  }

  static async open(path: string): Promise<RowFile> {
    let file: FileHandle;
    try {
      file = await open(path, "a+");
    } catch (error) {
      throw new LociError("invalid-input", `cannot write the rows to ${path}: ${(error as Error).message}`, {
        cause: error,
      });
    }
    try {
      const { size } = await file.stat();
      if (size > LARGEST_FILE_BYTES)
        throw new LociError("limit-exceeded", `${path} has ${size} bytes; a run's file has at most 4 GiB`);
      const found = await readRows(file);
      if (found.keptBytes < size) await truncate(path, found.keptBytes);
      return new RowFile(file, found);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** Resolves once the line is with the operating system. */
  append(row: Row): Promise<void> {
    const line = `${JSON.stringify(row)}\n`;
    this.#last = this.#last.then(() => this.#file.appendFile(line));
    return this.#last;
  }

  async close(): Promise<void> {
    try {
      await this.#last;
      await this.#file.sync();
    } finally {
      await this.#file.close();
    }
  }
}

async function readRows(file: FileHandle): Promise<FoundRows & { readonly keptBytes: number }> {
  const rows: Row[] = [];
  const malformed: MalformedLine[] = [];
  let keptBytes = 0;
  let malformedTotal = 0;
  let torn = 0;
  let number = 0;
  for await (const { text, whole, bytes } of linesOf(file)) {
    number++;
    if (!whole) {
      torn = 1;
      break;
    }
    keptBytes += bytes;
    const parsed = parseRow(text);
    if (typeof parsed !== "string") {
      rows.push(slim(parsed));
      continue;
    }
    malformedTotal++;
    if (malformed.length < MALFORMED_SHOWN) malformed.push({ line: number, reason: parsed });
  }
  return { rows, malformed, malformedTotal, torn, keptBytes };
}

function parseRow(text: string): Row | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "not JSON";
  }
  const parsed = rowSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return `${issue?.path.map(String).join(".") || "row"}: ${issue?.message ?? "invalid"}`;
}

/** Lines with their length in bytes; a line is whole if its newline was written. */
async function* linesOf(file: FileHandle) {
  let rest = Buffer.alloc(0);
  const chunk = Buffer.alloc(1 << 20);
  for (let position = 0; ; ) {
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    position += bytesRead;
    rest = Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
    let start = 0;
    for (let end = rest.indexOf(10, start); end >= 0; end = rest.indexOf(10, start)) {
      yield { text: rest.toString("utf8", start, end), whole: true, bytes: end + 1 - start };
      start = end + 1;
    }
    rest = rest.subarray(start);
  }
  if (rest.length > 0) yield { text: rest.toString("utf8"), whole: false, bytes: rest.length };
}
