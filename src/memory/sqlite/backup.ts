import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { backup } from "node:sqlite";
import { LociError } from "../../schema/core.ts";
import { failureOf } from "./failure.ts";
import { filesOf, folderFailure, OWNER_ONLY, openForReading } from "./files.ts";

const PAGES_PER_STEP = 1_000;

/**
 * A consistent copy while the writer continues. It reads through a read-only connection of its own: on the writing
 * connection SQLite's backup fails. The copy appears under its name only when it is whole.
 */
export async function backupMemory(
  folder: string,
  target: string,
  onProgress?: (donePages: number, totalPages: number) => void,
): Promise<void> {
  const { database } = filesOf(target);
  if (existsSync(database))
    throw new LociError("memory-exists", `${target} holds a memory already; give a new folder`);
  try {
    mkdirSync(target, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw folderFailure(target, error);
  }
  const partial = `${database}.partial`;
  rmSync(partial, { force: true });
  closeSync(openSync(partial, "wx", OWNER_ONLY));
  const source = openForReading(folder);
  try {
    await backup(source, partial, {
      rate: PAGES_PER_STEP,
      ...(onProgress && {
        progress: ({ totalPages, remainingPages }) => onProgress(totalPages - remainingPages, totalPages),
      }),
    });
    renameSync(partial, database);
  } catch (error) {
    rmSync(partial, { force: true });
    throw failureOf(error, database);
  } finally {
    source.close();
  }
}
