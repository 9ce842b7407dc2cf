import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { type AuditEntry, LociError } from "../schema/core.ts";

const FILE = "audit.jsonl";

/**
 * The log of forgettings and corrections: author, time and reason, one line each in the append-only `audit.jsonl`
 * beside the memory, with ids and no content. The line is written before the act, so that no act goes unrecorded; a
 * failed act keeps its line.
 */
export function appendAudit(folder: string, entry: AuditEntry): void {
  const file = opened(join(folder, FILE));
  try {
    writeSync(file, `${JSON.stringify(entry)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** A memory that cannot be written may be found out here first: its folder is opened for writing before its database is. */
function opened(path: string): number {
  try {
    return openSync(path, "a", 0o600);
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    if (!["EACCES", "EPERM", "EROFS"].includes(code)) throw cause;
    throw new LociError("memory-read-only", `${path} cannot be written; check its permissions`, { cause });
  }
}

/** The latest entries, newest first. A line that a crash cut off is left out. */
export function readAudit(folder: string, limit: number): AuditEntry[] {
  const path = join(folder, FILE);
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .slice(-limit)
    .reverse()
    .map((line) => JSON.parse(line) as AuditEntry);
}
