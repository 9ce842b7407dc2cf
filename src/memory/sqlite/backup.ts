import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { backup } from "node:sqlite";
import { LociError } from "../../schema/core.ts";
import { failureOf } from "./failure.ts";
import { filesOf, folderFailure, OWNER_ONLY, openForReading } from "./files.ts";

const PAGES_PER_STEP = 1_000;

/**
 * A consistent copy while the writer continues. It reads through a read-only connection of its own: on the writing
 * connection SQLite's backup fails. The copy appears under its name only when it is whole; a copy that fails removes
 * the folders that it made.
 */
export async function backupMemory(
  folder: string,
  target: string,
  onProgress?: (donePages: number, totalPages: number) => void,
): Promise<void> {
  const { database } = filesOf(target);
  if (existsSync(database))
    throw new LociError("memory-exists", `${target} holds a memory already; give a new folder`);
  const made = madeFolder(target);
  const partial = `${database}.partial`;
  let source: ReturnType<typeof openForReading> | null = null;
  try {
    source = openForReading(folder);
    rmSync(partial, { force: true });
    closeSync(openSync(partial, "wx", OWNER_ONLY));
    await backup(source, partial, {
      rate: PAGES_PER_STEP,
      ...(onProgress && {
        progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
      }),
    });
    renameSync(partial, database);
  } catch (error) {
    rmSync(partial, { force: true });
    if (made !== null) removeEmpty(target, made);
    throw failureOf(error, database);
  } finally {
    source?.close();
  }
}

/** The outermost folder that had to be made for `target`; null if it was there. */
function madeFolder(target: string): string | null {
  try {
    return mkdirSync(target, { recursive: true, mode: 0o700 }) ?? null;
  } catch (error) {
    throw folderFailure(target, error);
  }
}

/** Removes the folders from `inner` out to `outer`; stops at one that another process has put something into. */
function removeEmpty(inner: string, outer: string): void {
  try {
    for (let at = resolve(inner); at.length >= resolve(outer).length; at = dirname(at)) rmdirSync(at);
  } catch {
    // Not empty, or gone already: the failure of the copy is what the caller has to hear.
  }
}
