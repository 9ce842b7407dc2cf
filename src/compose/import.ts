import { existsSync, mkdirSync, renameSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TransferOptions } from "../exchange/jsonl.ts";
import { isPostgresUrl } from "../memory/postgres/url.ts";
import { filesOf, memoryExists } from "../memory/sqlite/files.ts";
import { type OpenOptions, openMemory } from "./memory.ts";

/** Where a memory is put together before it takes its place. */
const STAGE = "importing";

/**
 * An exported file into a folder that has no memory yet. The memory appears there in one step, when all of it is in;
 * refused or cut off, there is none.
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
  // What an import that was killed left there.
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
