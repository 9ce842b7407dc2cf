import { readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { LociError } from "../../schema/core.ts";
import type { ForgetOptions } from "../port.ts";
import type { Connection } from "./connection.ts";
import { guarded } from "./failure.ts";
import { freeBytes } from "./files.ts";
import { giveBackPages } from "./give-back.ts";

/** Set from a forget until no file can contain any of the forgotten content. */
export const TRACES = "traces";

const WAIT_MS = 60_000;
const POLL_MS = 50;
/** SQLite's locks of readers, in bytes of the file beside the log (WAL_READ_LOCK). */
const READ_LOCKS = [123, 127] as const;

/**
 * What was forgotten must not live on in the log, nor in pages that hold less than they did: SQLite overwrites what
 * it deletes, but not what it moved before. So the log is folded in and cut, and the file copied where there is room.
 */
export async function wipe(
  connection: Connection,
  folder: string,
  thorough: boolean,
  options: ForgetOptions,
): Promise<void> {
  const traces = connection.meta(TRACES) === true;
  await truncateLog(connection, options);
  const which = traces ? "all" : thorough ? "small" : "worth it";
  const copied = giveBackPages(connection.db, freeBytes(folder), which);
  if (copied) await truncateLog(connection, options);
  if (traces && copied) connection.writing(() => connection.run("DELETE FROM meta WHERE key = ?", TRACES));
}

/**
 * Folds the log into the file and truncates it. A reader of an older state needs the log, so this waits for it and
 * names it.
 */
async function truncateLog(
  { db, path }: Pick<Connection, "db" | "path">,
  { onWaiting, waitMs = WAIT_MS }: ForgetOptions,
): Promise<void> {
  const until = performance.now() + waitMs;
  let named = "";
  db.exec("PRAGMA busy_timeout = 0");
  try {
    while (!isTruncated(db, path)) {
      const readers = readersOf(path);
      if (performance.now() > until)
        throw new LociError(
          "memory-busy",
          `it is forgotten, but ${readers.join(", ")} still reads the memory as it was before: its bytes stay in the log until then; end that and run verify --repair`,
        );
      if (readers.join() !== named) onWaiting?.(readers);
      named = readers.join();
      await sleep(POLL_MS);
    }
  } finally {
    db.exec("PRAGMA busy_timeout = 5000");
  }
}

function isTruncated(db: Connection["db"], path: string): boolean {
  try {
    const [busy] = Object.values(
      guarded(path, () => db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()) ?? {},
    );
    return Number(busy) === 0;
  } catch (error) {
    if (error instanceof LociError && error.code === "memory-busy") return false;
    throw error;
  }
}

/** The processes that hold a state of the memory, where the system reports them. */
function readersOf(path: string): string[] {
  try {
    const { ino } = statSync(`${path}-shm`);
    const pids = readFileSync("/proc/locks", "latin1")
      .split("\n")
      .flatMap((line) => {
        // "1: POSIX  ADVISORY  READ 4711 08:01:1234567 124 124"
        const [, , , , pid, file = "", from, to] = line.trim().split(/\s+/);
        const isReader = Number(to) >= READ_LOCKS[0] && Number(from) <= READ_LOCKS[1];
        return file.endsWith(`:${ino}`) && isReader ? [Number(pid)] : [];
      });
    const named = [...new Set(pids)].filter((pid) => pid > 0).map(nameOf);
    if (named.length > 0) return named;
  } catch {
    // Not Linux, or not permitted.
  }
  return ["another process"];
}

function nameOf(pid: number): string {
  if (pid === process.pid) return `this process (${pid})`;
  try {
    return `process ${pid} (${readFileSync(`/proc/${pid}/comm`, "utf8").trim()})`;
  } catch {
    return `process ${pid}`;
  }
}
