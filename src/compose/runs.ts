import { existsSync, mkdirSync } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { parseRun, type RecordedRun, RunWriter, readRun } from "../exploration/run-record.ts";
import {
  isLociError,
  LociError,
  type RunEnd,
  type RunHead,
  type RunLine,
  runLineSchema,
} from "../schema/index.ts";

/** A recorded run in a list. */
export interface RunSummary extends Pick<RunHead, "id" | "question" | "task" | "policy" | "startedUs"> {
  /** Null if it was cut off or is still running. */
  readonly end: RunEnd | null;
  readonly why: string | null;
  readonly steps: number | null;
}

const MOST_RUNS = 1_000;
/** The first and last line of a run each fit into this many bytes; an answer with its evidence is the longest line. */
const END_BYTES = 1_048_576;
const ID = /^[A-Za-z0-9._-]{1,128}$/;

function folderOf(memoryFolder: string): string {
  return join(memoryFolder, "runs");
}

/** Under its id, for `listRuns` and `openRun`. */
function recordRun(memoryFolder: string, id: string): RunWriter {
  const folder = folderOf(memoryFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return new RunWriter(pathOf(memoryFolder, id));
}

/** Records the run that it is given beside a memory; `id` is known once the run began. */
export class RunRecorder {
  readonly #folder: string;
  #writer: RunWriter | undefined;
  id: string | null = null;

  constructor(memoryFolder: string) {
    this.#folder = memoryFolder;
  }

  readonly tell = (line: RunLine): void => {
    if (line.kind === "run") {
      this.id = line.id;
      this.#writer = recordRun(this.#folder, line.id);
    }
    this.#writer?.write(line);
  };

  async close(): Promise<void> {
    await this.#writer?.close();
  }
}

/** The runs recorded beside a memory, latest first; other files are skipped. */
export async function listRuns(memoryFolder: string): Promise<RunSummary[]> {
  const folder = folderOf(memoryFolder);
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).slice(0, MOST_RUNS);
  const found: RunSummary[] = [];
  for (const name of names) {
    const summary = await summaryOf(folder, name).catch((error: unknown) => {
      if (isLociError(error)) return undefined;
      throw error;
    });
    if (summary) found.push(summary);
  }
  return found.sort((a, b) => b.startedUs - a.startedUs);
}

/** Reads one run whole; throws unknown-id if there is none. */
export async function openRun(memoryFolder: string, id: string): Promise<RecordedRun> {
  const path = pathOf(memoryFolder, id);
  if (!existsSync(path)) throw new LociError("unknown-id", `no run "${id}" was recorded`);
  return readRun(path);
}

function pathOf(memoryFolder: string, id: string): string {
  // The id becomes a file name, so it must not lead to another folder.
  if (!ID.test(id)) throw new LociError("unknown-id", "no run by this name was recorded");
  return join(folderOf(memoryFolder), `${id}.jsonl`);
}

async function summaryOf(folder: string, name: string): Promise<RunSummary | undefined> {
  const path = join(folder, name);
  const { size } = await stat(path);
  const file = await open(path);
  try {
    const read = async (from: number) => {
      const length = Math.min(END_BYTES, size - from);
      return (await file.read(Buffer.alloc(length), 0, length, from)).buffer.toString("utf8");
    };
    const [first = ""] = (await read(0)).split("\n", 1);
    const [head] = parseRun(`${first}\n`);
    if (head?.kind !== "run") return undefined;
    const last = (await read(Math.max(0, size - END_BYTES))).trimEnd().split("\n").at(-1) ?? "";
    const end = last.startsWith('{"kind":"end"') ? runLineSchema.safeParse(JSON.parse(last)).data : undefined;
    const { question, task, policy, startedUs } = head;
    // The file name is the id by which the run is opened, whatever its content says.
    const id = name.slice(0, -".jsonl".length);
    const ended = end?.kind === "end" ? end : null;
    return {
      ...{ id, question, task, policy, startedUs },
      ...{ end: ended?.end ?? null, why: ended?.why ?? null, steps: ended?.steps ?? null },
    };
  } finally {
    await file.close();
  }
}
