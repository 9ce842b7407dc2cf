import { logEndOf, type MemoryReader } from "../memory/index.ts";
import type { Stored } from "../schema/core.ts";

/** Whether a newly written record invalidates a cached value. */
export type Concerns<T> = (record: Stored, made: T) => boolean;

interface Entry {
  readonly value: Promise<unknown>;
  readonly concerns: Concerns<unknown>;
  /** The value, once it is read. */
  settled?: { readonly made: unknown };
  /** Records written while it is being read: whether they concern it can be told only afterwards. */
  readonly writtenMeanwhile: Stored[];
  /** Set if a commit during the read concerns the value: callers that shared the read then read again. */
  isOutdated: boolean;
}

interface Kept {
  revision: string;
  /** The last commit that the cached values include (memory time); read only when there are later ones. */
  commitUs: number | undefined;
  readonly values: Map<string, Entry>;
  /** Set while another caller is updating the cache. */
  renewing: Promise<void> | undefined;
}

const KEPT = new WeakMap<MemoryReader, Kept>();
/** The most values cached for one state of a memory; a memory has few scenes. */
const MOST_VALUES = 256;
/** After this many changed records everything is read again. */
const MOST_CHANGED = 512;

/**
 * Caches the result of `read` until a commit changes it: for data that every question needs and no question changes,
 * such as rooms and names. `concerns` says which records invalidate it; by default all do. Other entries survive a
 * commit, so a change of one thing costs only what that thing costs. Without revisions from the engine nothing is
 * cached.
 */
export async function keptUntilCommit<T>(
  reader: MemoryReader,
  key: string,
  read: () => Promise<T>,
  concerns: Concerns<T> = () => true,
): Promise<T> {
  if (reader.revision === undefined) return read();
  for (let n = 0; n < MOST_SHARED; n++) {
    const { values } = await keptOf(reader);
    const known = values.get(key);
    if (known === undefined) return begin(values, key, read, concerns as Concerns<unknown>);
    try {
      const value = (await known.value) as T;
      if (!known.isOutdated) return value;
    } catch {
      // The caller that started the shared read may abort it; the other callers then read for themselves.
      break;
    }
  }
  return read();
}

/** Starts a read that later callers share. */
function begin<T>(
  values: Map<string, Entry>,
  key: string,
  read: () => Promise<T>,
  concerns: Concerns<unknown>,
): Promise<T> {
  if (values.size >= MOST_VALUES) values.clear();
  const drop = () => {
    if (values.get(key) === entry) values.delete(key);
  };
  const value = read();
  const settled = value.then((made) => {
    entry.settled = { made };
    entry.isOutdated ||= isConcerned(entry, made, entry.writtenMeanwhile);
    if (entry.isOutdated) drop();
    entry.writtenMeanwhile.length = 0;
    return made;
  });
  const entry: Entry = { value: settled, concerns, writtenMeanwhile: [], isOutdated: false };
  values.set(key, entry);
  settled.catch(drop);
  return settled;
}

function isConcerned({ concerns }: Pick<Entry, "concerns">, made: unknown, put: readonly Stored[]): boolean {
  return put.length > 0 && (made === undefined || put.some((record) => concerns(record, made)));
}

/** A read shared with other callers is tried this often; if commits outdate it each time, the caller reads for itself. */
const MOST_SHARED = 3;
/** An update under way may have begun before the caller's latest commit; the second one includes it. */
const MOST_RENEWALS = 2;

/** The cache of a memory, at least as new as the call: commits may come faster than they are read. */
async function keptOf(reader: MemoryReader): Promise<Kept> {
  const now = KEPT.has(reader) ? "" : await reader.revision!();
  const kept = KEPT.get(reader) ?? {
    revision: now,
    commitUs: undefined,
    values: new Map(),
    renewing: undefined,
  };
  KEPT.set(reader, kept);
  for (let n = 0; n < MOST_RENEWALS && kept.revision !== (await reader.revision!()); n++) {
    kept.renewing ??= renewed(reader, kept).finally(() => {
      kept.renewing = undefined;
    });
    await kept.renewing;
  }
  return kept;
}

/** Drops what later commits changed. A moved map or forgotten records invalidate everything. */
async function renewed(reader: MemoryReader, kept: Kept): Promise<void> {
  const revision = await reader.revision!();
  const put = kept.commitUs === undefined ? undefined : await putSince(reader, kept, kept.commitUs);
  if (put === undefined) {
    // Reads in progress no longer share their results.
    for (const entry of kept.values.values()) entry.isOutdated ||= entry.settled === undefined;
    kept.values.clear();
    kept.commitUs = (await logEndOf(reader)) ?? 0;
  }
  // A read in progress is not awaited: it may itself be waiting for this update.
  else
    for (const [key, entry] of kept.values) {
      if (entry.settled === undefined) entry.writtenMeanwhile.push(...put);
      else if (isConcerned(entry, entry.settled.made, put)) kept.values.delete(key);
    }
  kept.revision = revision;
}

/** The records that commits after a time wrote; undefined where there are too many, or where other changes occurred. */
async function putSince(reader: MemoryReader, kept: Kept, afterUs: number): Promise<Stored[] | undefined> {
  const put: Stored[] = [];
  for await (const change of reader.changes({ afterUs, live: false })) {
    kept.commitUs = change.commitUs;
    put.push(...change.put);
    if (change.frames > 0 || change.forgotten.length > 0 || put.length > MOST_CHANGED) return undefined;
  }
  return put;
}
