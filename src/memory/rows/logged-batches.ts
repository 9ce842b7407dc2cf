import type { FrameEdge } from "../../geometry/index.ts";
import { blobsOf, type RecordKind, referencesOf, type Stored, throwIfAborted } from "../../schema/core.ts";
import { countedUs, type LoggedBatch, type LogHead, type Origin } from "../log.ts";
import type { Change, MemoryReader } from "../port.ts";

/** What is read of the tables besides the tail of changes. */
export interface LogTables {
  readonly memory: string;
  /** Rows of `heard` from a commit on, in order. */
  heardFrom(commitUs: number, limit: number): Promise<HeardRow[]>;
  edgesOf(commitUs: number): Promise<FrameEdge[]>;
  /** The memory time at which each of these blobs was first named; absent if it never was. */
  firstUses(refs: readonly string[]): Promise<ReadonlyMap<string, number>>;
  imageVectors(refs: readonly string[]): Promise<LoggedBatch["imageVectors"]>;
  /** Those of these ids that have no version left as old as a commit. */
  begunAfter(ids: readonly string[], commitUs: number): Promise<string[]>;
}

export interface HeardRow extends Origin {
  readonly commitUs: number;
  readonly derived: boolean;
}

const ROWS_PER_READ = 4_096;
/** Ids of which is known that they came before; forgotten all at once, so that a long log takes no room. */
const KNOWN_IDS = 200_000;

/**
 * The commits from a memory time on as batches that can be written elsewhere. Retention may have given up the first
 * versions of a record that others name: its oldest remaining version then comes with the first batch that names it.
 */
export async function* loggedBatches(
  reader: MemoryReader,
  tables: LogTables,
  fromUs: number,
  signal?: AbortSignal,
): AsyncGenerator<LoggedBatch> {
  const originOf = origins(tables, fromUs);
  const known = new Set<string>();
  for await (const change of reader.changes({
    afterUs: fromUs - 1,
    live: false,
    ...(signal && { signal }),
  })) {
    throwIfAborted(signal);
    if (change.put.length + change.sightings.length + change.frames === 0) continue;
    const { derived, ...from } = await originOf(change.commitUs);
    const records = await withFirsts(reader, tables, change, known);
    const refs = [...new Set(records.flatMap(blobsOf))];
    const uses = refs.length === 0 ? new Map<string, number>() : await tables.firstUses(refs);
    yield {
      from,
      derived,
      commitUs: change.commitUs,
      records,
      sightings: change.sightings,
      frames: change.frames === 0 ? [] : await tables.edgesOf(change.commitUs),
      blobs: refs.map((ref) => ({ ref, isFirst: (uses.get(ref) ?? 0) >= change.commitUs })),
      imageVectors: refs.length === 0 ? [] : await tables.imageVectors(refs),
    };
  }
  throwIfAborted(signal);
}

/** The origin of each commit; called in the order of commits. */
function origins(
  tables: LogTables,
  fromUs: number,
): (commitUs: number) => Promise<Origin & { readonly derived: boolean }> {
  let page: HeardRow[] = [];
  let at = 0;
  let nextUs: number | undefined = fromUs;
  return async (commitUs) => {
    for (;;) {
      while (at < page.length && page[at]!.commitUs < commitUs) at++;
      if (at < page.length || nextUs === undefined) break;
      page = await tables.heardFrom(Math.max(nextUs, commitUs), ROWS_PER_READ);
      at = 0;
      nextUs = page.length === ROWS_PER_READ ? page.at(-1)!.commitUs + 1 : undefined;
    }
    const row = page[at];
    if (row?.commitUs !== commitUs) return { memory: tables.memory, atUs: commitUs, derived: false };
    return { memory: row.memory, atUs: row.atUs, derived: row.derived };
  };
}

async function withFirsts(
  reader: MemoryReader,
  tables: LogTables,
  { put, sightings, commitUs }: Change,
  known: Set<string>,
): Promise<Stored[]> {
  if (known.size > KNOWN_IDS) known.clear();
  const records = [...put];
  for (const { id } of put) known.add(id);
  let named = new Set([
    ...put.flatMap((record) => referencesOf(record).map(({ id }) => id)),
    ...sightings.map(({ stateId }) => stateId),
  ]);
  while (named.size > 0) {
    const fresh = [...named].filter((id) => !known.has(id));
    if (fresh.length === 0) break;
    for (const id of fresh) known.add(id);
    named = new Set();
    for (const id of await tables.begunAfter(fresh, commitUs)) {
      const [oldest] = await reader.history(id);
      if (oldest === undefined) continue;
      records.push(oldest);
      for (const reference of referencesOf(oldest)) named.add(reference.id);
    }
  }
  return records;
}

/** Whether a version only restates, for this memory, another version. */
function isRewriting(version: number, derived: boolean): boolean {
  return derived && version > 1;
}

/** A version of a record and the origin of its commit; `heard` is left out for a commit of this memory's own. */
export interface LoggedVersion {
  readonly version: number;
  readonly recordedAtUs: number;
  readonly heard?: Origin & { readonly derived: boolean };
}

/** The believed version of a record, from its latest versions, newest first, and its oldest one. */
export function headOf(
  memory: string,
  kind: RecordKind,
  versions: readonly LoggedVersion[],
  oldest: LoggedVersion,
): LogHead {
  const rewrites = ({ version, heard }: LoggedVersion) => isRewriting(version, heard?.derived ?? false);
  const [head] = versions;
  const news = versions.find((version) => !rewrites(version)) ?? versions.at(-1)!;
  const { memory: from = memory, atUs = news.recordedAtUs } = news.heard ?? {};
  return {
    version: head!.version,
    kind,
    author: oldest.heard?.memory ?? memory,
    // Own commits are never ahead of their clock by more than what this memory heard.
    origin: { memory: from, atUs: from === memory ? atUs : countedUs(atUs, news.recordedAtUs) },
    derived: rewrites(head!),
  };
}

/** How many of a record's latest versions are searched for one that is not a rewriting. */
export const HEAD_VERSIONS = 16;
