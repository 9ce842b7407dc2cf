import { type Change, logEndOf, type MemoryReader } from "../memory/index.ts";
import type { Stored } from "../schema/core.ts";
import { SEARCH } from "./settings/search.ts";

/** Whether a newly written record invalidates a cached value. */
export type Concerns<T> = (record: Stored, made: T) => boolean;

/** What a commit wrote. */
export type Written = Pick<Change, "put" | "sightings">;

/**
 * Takes a commit into a cached value; false where the value must be read again. A commit may come twice: a read may have
 * included it already.
 */
export type Follows<T> = (made: T, written: Written) => boolean;

interface Entry {
  readonly value: Promise<unknown>;
  readonly follows: Follows<unknown>;
  /** The value, once it is read. */
  settled?: { readonly made: unknown };
  /** Commits during the read: whether they concern the value can be told only afterwards. */
  readonly writtenMeanwhile: Written[];
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

/**
 * Caches the result of `read` until a commit changes it: for data that every question needs and no question changes,
 * such as rooms and names. `concerns` says which records invalidate it; by default all do. Other entries survive a
 * commit, so a change of one thing costs only what that thing costs. Without revisions from the engine nothing is
 * cached.
 */
export function keptUntilCommit<T>(
  reader: MemoryReader,
  key: string,
  read: () => Promise<T>,
  concerns: Concerns<T> = () => true,
): Promise<T> {
  const isUnchanged: Follows<T> = (made, { put }) =>
    put.length === 0 || (made !== undefined && !put.some((record) => concerns(record, made)));
  return keptFollowing(reader, key, read, isUnchanged);
}

/** The same for a value that is brought up to date with each commit instead of being read again. */
export async function keptFollowing<T>(
  reader: MemoryReader,
  key: string,
  read: () => Promise<T>,
  follows: Follows<T>,
): Promise<T> {
  if (reader.revision === undefined) return read();
  for (let n = 0; n < SEARCH.mostShared; n++) {
    const { values } = await keptOf(reader);
    const known = values.get(key);
    if (known === undefined) return begin(values, key, read, follows as Follows<unknown>);
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
  follows: Follows<unknown>,
): Promise<T> {
  if (values.size >= SEARCH.mostValues) values.clear();
  const drop = () => {
    if (values.get(key) === entry) values.delete(key);
  };
  const value = read();
  const settled = value.then((made) => {
    entry.settled = { made };
    entry.isOutdated ||= !entry.writtenMeanwhile.every((written) => follows(made, written));
    if (entry.isOutdated) drop();
    entry.writtenMeanwhile.length = 0;
    return made;
  });
  const entry: Entry = { value: settled, follows, writtenMeanwhile: [], isOutdated: false };
  values.set(key, entry);
  settled.catch(drop);
  return settled;
}

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
  for (let n = 0; n < SEARCH.mostRenewals && kept.revision !== (await reader.revision!()); n++) {
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
  const written = kept.commitUs === undefined ? undefined : await writtenSince(reader, kept, kept.commitUs);
  if (written === undefined) {
    // Reads in progress no longer share their results.
    for (const entry of kept.values.values()) entry.isOutdated ||= entry.settled === undefined;
    kept.values.clear();
    kept.commitUs = (await logEndOf(reader)) ?? 0;
  }
  // A read in progress is not awaited: it may itself be waiting for this update.
  else
    for (const [key, entry] of kept.values) {
      if (entry.settled === undefined) entry.writtenMeanwhile.push(written);
      else if (!entry.follows(entry.settled.made, written)) kept.values.delete(key);
    }
  kept.revision = revision;
}

/** What commits after a time wrote; undefined where it is too much, or where other changes occurred. */
async function writtenSince(reader: MemoryReader, kept: Kept, afterUs: number): Promise<Written | undefined> {
  const written: Written = { put: [], sightings: [] };
  for await (const { commitUs, put, sightings, frames, forgotten } of reader.changes({
    afterUs,
    live: false,
  })) {
    kept.commitUs = commitUs;
    written.put.push(...put);
    written.sightings.push(...sightings);
    const isMuch = written.put.length > SEARCH.mostChanged || written.sightings.length > SEARCH.mostSeen;
    if (frames > 0 || forgotten.length > 0 || isMuch) return undefined;
  }
  return written;
}
