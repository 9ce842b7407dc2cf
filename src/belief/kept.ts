import type { MemoryReader } from "../memory/index.ts";
import type { Stored } from "../schema/core.ts";

/** Whether a record that was written changes what was made. */
export type Concerns<T> = (record: Stored, made: T) => boolean;

interface Made {
  readonly value: Promise<unknown>;
  readonly concerns: Concerns<unknown>;
}

interface Kept {
  revision: string;
  /** The last commit that is known to be in what is kept (memory time); asked for only when there are more. */
  commitUs: number | undefined;
  readonly values: Map<string, Made>;
  /** Another asker brings it up to date just now. */
  renewing: Promise<void> | undefined;
}

const KEPT = new WeakMap<MemoryReader, Kept>();
/** Of one state of a memory so much is kept; a memory has few scenes. */
const MOST_VALUES = 256;
/** After so many records all is made anew. */
const MOST_CHANGED = 512;

/**
 * What `read` gives, kept until a commit changes it: for what every question needs and no question changes, as rooms and
 * names. `concerns` says which records change it; by default all do. What a commit leaves as it was is not read again, so
 * that a change of one thing costs what that thing costs. Where the engine cannot tell its states apart it is read each time.
 */
export async function keptUntilCommit<T>(
  reader: MemoryReader,
  key: string,
  read: () => Promise<T>,
  concerns: Concerns<T> = () => true,
): Promise<T> {
  if (reader.revision === undefined) return read();
  const { values } = await keptOf(reader);
  const known = values.get(key);
  // Who reads for all may be stopped by whoever asked; the others then read for themselves.
  if (known !== undefined) return (known.value as Promise<T>).catch(read);
  if (values.size >= MOST_VALUES) values.clear();
  const value = read();
  values.set(key, { value, concerns: concerns as Concerns<unknown> });
  value.catch(() => values.delete(key));
  return value;
}

/** What is kept of a memory as it is now. */
async function keptOf(reader: MemoryReader): Promise<Kept> {
  const kept = KEPT.get(reader) ?? {
    revision: reader.revision!(),
    commitUs: undefined,
    values: new Map(),
    renewing: undefined,
  };
  KEPT.set(reader, kept);
  while (kept.revision !== reader.revision!()) {
    kept.renewing ??= renewed(reader, kept).finally(() => {
      kept.renewing = undefined;
    });
    await kept.renewing;
  }
  return kept;
}

/** Drops what commits since then have changed. A map that moved and records that were forgotten change everything. */
async function renewed(reader: MemoryReader, kept: Kept): Promise<void> {
  const revision = reader.revision!();
  const put = kept.commitUs === undefined ? undefined : await putSince(reader, kept, kept.commitUs);
  if (put === undefined) {
    kept.values.clear();
    kept.commitUs = (await reader.stats()).lastCommitUs ?? 0;
  } else
    for (const [key, { value, concerns }] of kept.values) {
      const made = await value.catch(() => undefined);
      if (made === undefined || put.some((record) => concerns(record, made))) kept.values.delete(key);
    }
  kept.revision = revision;
}

/** The records that commits after a time wrote; undefined where they are many, or not all that changed. */
async function putSince(reader: MemoryReader, kept: Kept, afterUs: number): Promise<Stored[] | undefined> {
  const put: Stored[] = [];
  for await (const change of reader.changes({ afterUs, live: false })) {
    kept.commitUs = change.commitUs;
    put.push(...change.put);
    if (change.frames > 0 || change.forgotten.length > 0 || put.length > MOST_CHANGED) return undefined;
  }
  return put;
}
