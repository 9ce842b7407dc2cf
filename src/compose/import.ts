import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TransferOptions } from "../exchange/jsonl.ts";
import { isPostgresUrl } from "../memory/postgres/url.ts";
import { filesOf, memoryExists } from "../memory/sqlite/files.ts";
import { type OpenOptions, openMemory } from "./memory.ts";

/** Where a memory is assembled before it is moved into place. */
const STAGE = "importing";

/**
 * Imports an exported file into a folder without a memory. The memory appears in one step once complete; if the
 * import is refused or interrupted, none appears.
 */
export async function importMemory(
  folder: string,
  file: string,
  options: OpenOptions & TransferOptions = {},
): Promise<{ rows: number }> {
  const { signal, onProgress, ...open } = options;
  const transfer = { ...(signal && { signal }), ...(onProgress && { onProgress }) };
  if (isPostgresUrl(folder) || memoryExists(folder)) return into(folder, file, open, transfer);
  const isNew = !existsSync(folder);
  const stage = join(folder, STAGE);
  // Left by an import that was killed.
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true, mode: 0o700 });
  try {
    const report = await into(stage, file, open, transfer);
    renameSync(filesOf(stage).database, filesOf(folder).database);
    return report;
  } finally {
    rmSync(stage, { recursive: true, force: true });
    if (isNew && !memoryExists(folder)) rmdirSync(folder);
  }
}

async function into(folder: string, file: string, options: OpenOptions, transfer: TransferOptions) {
  const memory = await openMemory(folder, options);
  try {
    return await memory.importJsonl(file, transfer);
  } finally {
    await memory.close();
  }
}
