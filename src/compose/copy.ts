import { contentDigest } from "../memory/dump-json.ts";
import { logEndOf } from "../memory/log-end.ts";
import type { DumpRow, MemoryReader } from "../memory/port.ts";
import { isPostgresUrl } from "../memory/postgres/url.ts";
import { LociError, throwIfAborted } from "../schema/core.ts";
import { type Memory, openMemory } from "./memory.ts";
import { placeName } from "./memory-folder.ts";

export interface CopyOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (rows: number) => void;
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface CopyReport {
  readonly rows: number;
  /** How many of them an earlier run had copied. */
  readonly resumedFrom: number;
  /** Digest of the content, equal for both memories. */
  readonly digest: string;
}

const WORK = "copy";
const PROGRESS_ROWS = 1_000;

/**
 * Copies a memory into an empty one of any engine, with every version and time. Into a server the copy proceeds in
 * batches, and running it again resumes it; into a folder it appears whole or not at all. Writes to the source during
 * the copy are not included. At the end both are read and compared.
 */
export async function copyMemory(from: string, to: string, options: CopyOptions = {}): Promise<CopyReport> {
  if (from === to) throw new LociError("invalid-input", "copy: the two memories are the same");
  const environment = options.environment ?? {};
  const source = await openMemory(from, { create: false, environment });
  try {
    const target = await openMemory(to, { create: true, environment });
    try {
      return await copyBetween(source, target, { from, to }, options);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function copyBetween(
  source: Memory,
  target: Memory,
  names: { readonly from: string; readonly to: string },
  { signal, onProgress }: CopyOptions,
): Promise<CopyReport> {
  const begun = (await (await target.reader()).unfinished()).find(({ id }) => id === WORK);
  const nowUs = (await logEndOf(await source.reader())) ?? 0;
  const { asOfUs } = (begun?.settings as { asOfUs: number } | undefined) ?? { asOfUs: nowUs };
  // Excludes what was written after the copy began; otherwise a resumed copy would not continue the existing rows.
  const view = asOfUs === nowUs ? source : source.as({ asOfMemoryUs: asOfUs });
  const reader = await view.reader();
  const what = `copy of ${placeName(names.from)}`;
  const work = { id: WORK, what, settings: { asOfUs } };
  const writer = await target.writer();
  const done = await writer.restore(
    counted(reader, signal, onProgress),
    isPostgresUrl(names.to) ? { work } : {},
  );
  const [given, taken] = [await contentDigest(reader), await contentDigest(await target.reader())];
  if (view !== source) await view.close();
  if (given.sha256 !== taken.sha256)
    throw new LociError(
      "memory-corrupt",
      `the copy is not what was copied (${taken.rows} of ${given.rows} rows); was something forgotten meanwhile? copy into an empty memory again`,
    );
  return { rows: done.rows, resumedFrom: done.resumedFrom ?? 0, digest: given.sha256 };
}

async function* counted(
  reader: MemoryReader,
  signal: AbortSignal | undefined,
  onProgress: CopyOptions["onProgress"],
): AsyncGenerator<DumpRow> {
  let rows = 0;
  for await (const row of reader.dump()) {
    throwIfAborted(signal);
    yield row;
    if (++rows % PROGRESS_ROWS === 0) onProgress?.(rows);
  }
}
