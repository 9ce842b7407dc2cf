import { createWriteStream, rmSync, type WriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { LociError, parseOrThrow, type RunLine, runLineSchema } from "../schema/index.ts";

/** A run of a thousand steps takes a few megabytes; a larger file is not a run. */
const MAX_BYTES = 268_435_456;

/** A recorded run, line by line: replayed by the viewer, MCP and people. */
export type RecordedRun = readonly RunLine[];

/** Parses a recorded run. A truncated last line is dropped; any other mistake is an error. */
export function parseRun(text: string): RecordedRun {
  const lines = text.split("\n");
  const parsed = lines.flatMap((line, n): RunLine[] => {
    if (line.trim() === "") return [];
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch (cause) {
      if (n === lines.length - 1) return [];
      throw new LociError("invalid-input", `line ${n + 1} of the run is not JSON`, { cause });
    }
    return [parseOrThrow(runLineSchema, json, `line ${n + 1} of the run`)];
  });
  if (parsed[0]?.kind !== "run")
    throw new LociError(
      "invalid-input",
      "a recorded run begins with a line of kind run; this is something else",
    );
  return parsed;
}

/** Reads a recorded run from its file. */
export async function readRun(path: string): Promise<RecordedRun> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new LociError("source-unavailable", `cannot read the run at ${path}`, { cause });
  });
  if (bytes.length > MAX_BYTES)
    throw new LociError(
      "limit-exceeded",
      `a run has at most ${MAX_BYTES} bytes, ${path} has ${bytes.length}`,
    );
  return parseRun(bytes.toString("utf8"));
}

/** Writes a run as it happens, one line of JSON each, so that an interrupted run can be replayed up to there. */
export class RunWriter {
  readonly #stream: WriteStream;
  readonly #opened: Promise<void>;

  constructor(path: string) {
    rmSync(path, { force: true });
    // Opened for append, so that forgotten content can be removed from the file meanwhile.
    this.#stream = createWriteStream(path, { flags: "a" });
    this.#opened = new Promise((resolve, reject) => {
      this.#stream.once("open", () => resolve());
      this.#stream.once("error", (cause) =>
        reject(new LociError("invalid-input", `cannot write the run to ${path}`, { cause })),
      );
    });
    this.#opened.catch(() => undefined);
  }

  /** Rejects if the file cannot be written. */
  async ready(): Promise<void> {
    await this.#opened;
  }

  write(line: RunLine): void {
    this.#stream.write(`${JSON.stringify(line)}\n`);
  }

  async close(): Promise<void> {
    await this.#opened;
    this.#stream.end();
    await finished(this.#stream);
  }
}
