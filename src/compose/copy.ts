import { contentDigest } from "../memory/dump-json.ts";
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
  /** How many of them an earlier run had brought over. */
  readonly resumedFrom: number;
  /** Of the content of both, which is the same. */
  readonly digest: string;
}

const WORK = "copy";
const PROGRESS_ROWS = 1_000;

/**
 * One memory into another, empty one, of any engine: every version and time as it was. Into a server it goes in steps,
 * and a run that was cut off is taken up by running it again; into a folder it appears whole or not at all. What the
 * source is told meanwhile is not part of it. In the end both are read and compared.
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
  const nowUs = (await (await source.reader()).stats()).lastCommitUs ?? 0;
  const { asOfUs } = (begun?.settings as { asOfUs: number } | undefined) ?? { asOfUs: nowUs };
  // What came after the copy began is left out, or the rows that are there would not be the first of those to come.
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
