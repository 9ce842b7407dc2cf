import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KeptEngine } from "../memory/port.ts";
import { LociError } from "../schema/core.ts";
import { type Gone, tells, WatchStore, withoutGone } from "../watches/index.ts";

/** A kind of file in a memory's folder, and how it forgets. */
interface Beside {
  /** Paths relative to the folder. */
  readonly path: RegExp;
  readonly what: string;
  /** Removes what was forgotten; absent where `what` explains why nothing has to be removed. */
  readonly forget?: (folder: string, gone: Gone, options: BesideOptions) => void;
}

export interface BesideOptions {
  /** True when this memory's owner forgets; false when another memory's forgetting is followed. */
  readonly isOwn: boolean;
}

/**
 * Every kind of file in a memory's folder, each with how it forgets. A file that matches none of these fails
 * `test/attack/beside.test.ts`.
 */
export const BESIDE: readonly Beside[] = [
  { path: /^memory\.db(-wal|-shm|\.new|\.partial)?$/, what: "the memory: forgotten by the engine" },
  {
    path: /^(index\.bin(\.partial)?|hnsw-.*)$/,
    what: "made from the memory, and made again when it has changed",
  },
  { path: /^(head|reserve|writer\.lock|server\.json)$/, what: "numbers of commits and processes" },
  { path: /^access\.json(\..*\.new)?$/, what: "tokens: names that their owner chose" },
  { path: /^loci\.json$/, what: "settings that the owner wrote" },
  { path: /^pairs\.tsv$/, what: "forms of question that the owner wrote" },
  { path: /^audit\.jsonl$/, what: "ids, times and reasons, kept so that forgetting can be shown" },
  { path: /^importing(\/.*)?$/, what: "an import that is not in the memory yet" },
  { path: /^runs(\/.*)?$/, what: "recorded explorations", forget: forgetRuns },
  { path: /^watches(\/.*)?$/, what: "standing queries and their events", forget: forgetWatches },
  { path: /^sync$/, what: "the folder of what sync keeps" },
  {
    path: /^sync\/parts(\/.*)?$/,
    what: "segments that are half here: sent again",
    forget: (folder) => rmSync(join(folder, "sync", "parts"), { recursive: true, force: true }),
  },
  { path: /^sync\/aside(\/.*)?$/, what: "what a sync could not take", forget: forgetAside },
  {
    path: /^sync\/before(\/.*)?$/,
    what: "the memory before another one's forgettings were followed: gone after a week, or when its owner forgets",
    forget: (folder, _, { isOwn }) => {
      if (isOwn) rmSync(beforeFolder(folder), { recursive: true, force: true });
    },
  },
];

/** Removes forgotten content from every file beside a memory. */
export function forgetBeside(folder: string, gone: Gone, options: BesideOptions): void {
  if (!existsSync(folder)) return;
  for (const { forget } of BESIDE) forget?.(folder, gone, options);
}

function forgetRuns(folder: string, gone: Gone): void {
  eachFile(join(folder, "runs"), ".jsonl", (path) =>
    rewriteLines(path, gone, (line) => [scrubbed(line, gone)]),
  );
}

function forgetWatches(folder: string, gone: Gone): void {
  const store = new WatchStore(folder);
  for (const kept of store.hasAny ? store.all() : []) {
    const left = withoutGone(kept, gone);
    if (left === undefined) store.remove(kept.watch.id);
    else if (left !== kept) store.put(left);
  }
}

/**
 * Rows that mention it are deleted. Segments are packed, so all of them are deleted; the line that says why is kept.
 */
function forgetAside(folder: string, gone: Gone): void {
  const aside = join(folder, "sync", "aside");
  eachFile(aside, ".segment", (path) => rmSync(path, { force: true }));
  eachFile(aside, ".jsonl", (path) => rewriteLines(path, gone, () => []));
  eachFile(aside, ".txt", (path) => {
    if (tells(readFileSync(path, "utf8"), gone)) writeFileSync(path, "forgotten\n");
  });
}

function eachFile(folder: string, ending: string, work: (path: string) => void): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.endsWith(ending)) work(join(folder, name));
}

/** Rewrites in place the lines that mention it, so that a process with the file open can go on appending. */
function rewriteLines(path: string, gone: Gone, rewrite: (line: unknown) => unknown[]): void {
  const lines = readFileSync(path, "utf8").split("\n");
  if (!lines.some((line) => tells(line, gone))) return;
  const left = lines.flatMap((line) => {
    if (!tells(line, gone)) return [line];
    // A truncated last line is dropped: its content cannot be checked.
    return parsed(line).flatMap((value) => rewrite(value).map((one) => JSON.stringify(one)));
  });
  writeFileSync(path, left.join("\n"));
}

function parsed(line: string): unknown[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

/** The same value with every string that mentions it replaced. */
function scrubbed(value: unknown, gone: Gone): unknown {
  if (typeof value === "string") return tells(value, gone) ? "forgotten" : value;
  if (Array.isArray(value)) return value.map((one) => scrubbed(one, gone));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [tells(key, gone) ? "forgotten" : key, scrubbed(one, gone)]),
  );
}

/** How long a copy is kept of the memory before it followed another one's forgettings. */
const BEFORE_US = 7 * 24 * 3_600_000_000;
/** The oldest copies are deleted first: each is as large as the memory. */
const MAX_BEFORE = 2;

function beforeFolder(folder: string): string {
  return join(folder, "sync", "before");
}

/**
 * Keeps a copy of the memory beside itself, so that forgettings received from another memory can be reverted for a
 * week. Engines that do not make copies leave this to their server.
 */
export async function keepBefore(
  memory: { readonly folder: string; readonly engine: Pick<KeptEngine, "backup"> },
  nowUs: number,
): Promise<void> {
  if (memory.engine.backup === undefined) return;
  const folder = beforeFolder(memory.folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  dropBefore(memory.folder, nowUs, MAX_BEFORE - 1);
  try {
    await memory.engine.backup(join(folder, String(nowUs)));
  } catch (cause) {
    throw new LociError(
      "memory-full",
      "what the other memory has forgotten is not forgotten here: there is no room to keep a copy first",
      { cause },
    );
  }
}

/** Deletes copies that are older than a week, and all but the latest few. */
export function dropBefore(memoryFolder: string, nowUs: number, most = MAX_BEFORE): void {
  const folder = beforeFolder(memoryFolder);
  if (!existsSync(folder)) return;
  const stamps = readdirSync(folder).sort((a, b) => Number(b) - Number(a));
  stamps.forEach((stamp, i) => {
    if (i >= most || !(Number(stamp) > nowUs - BEFORE_US))
      rmSync(join(folder, stamp), { recursive: true, force: true });
  });
}
