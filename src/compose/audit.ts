import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { AuditEntry } from "../schema/core.ts";

const FILE = "audit.jsonl";

/**
 * Who forgot or corrected what, when and why: a line each in `audit.jsonl` beside the memory, only ever appended to, ids
 * and no content. It is written before the act, so that nothing happens unseen; an act that fails leaves its line.
 */
export function appendAudit(folder: string, entry: AuditEntry): void {
  const file = openSync(join(folder, FILE), "a", 0o600);
  try {
    writeSync(file, `${JSON.stringify(entry)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
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
