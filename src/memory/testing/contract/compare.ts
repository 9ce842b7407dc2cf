import { createHash } from "node:crypto";
import type { Stored } from "../../../schema/index.ts";
import { isLociError } from "../../../schema/index.ts";
import { canonical } from "../../array/state.ts";
import type { Change, DumpRow, MemoryReader, SearchResult } from "../../port.ts";
import type { SearchRequest } from "../../request.ts";
import { collect } from "./fixtures.ts";

/**
 * Two memories never agree on the clock, only on the order of commits: here every memory time becomes the
 * number of its commit, so that answers of two engines can be compared whole.
 */
export type CommitNames = ReadonlyMap<number, number>;

/** The number of a commit; a time that is no commit's is kept, and so fails the comparison. */
const nameOf = (names: CommitNames, timeUs: number | null): string | null =>
  timeUs === null ? null : names.has(timeUs) ? `commit ${names.get(timeUs)}` : `unknown time ${timeUs}`;

/** A version; whether a reader as-of `asOfUs` sees its later end is left to the engine. */
function storedBy(names: CommitNames, row: Stored, asOfUs?: number): unknown {
  const open = row.supersededAtUs === null || (asOfUs !== undefined && row.supersededAtUs > asOfUs);
  return plain({
    ...row,
    recordedAtUs: nameOf(names, row.recordedAtUs),
    supersededAtUs: open ? null : nameOf(names, row.supersededAtUs),
  });
}

/** No undefined, no −0, bytes as hashes: comparable with toEqual and short to print. */
function plain(value: unknown): unknown {
  const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
  return JSON.parse(JSON.stringify(mapBytes(value, hash)) ?? "null");
}

function mapBytes(value: unknown, name: (bytes: Uint8Array) => string): unknown {
  if (ArrayBuffer.isView(value))
    return name(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  if (Array.isArray(value)) return value.map((inner) => mapBytes(inner, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapBytes(inner, name)]));
}

/** The answer of a call, or the code (and, where it matters, the message) with which it refused. */
export async function outcome(act: () => Promise<unknown>, withMessage = false): Promise<unknown> {
  try {
    return await act();
  } catch (error) {
    if (!isLociError(error)) throw error;
    return withMessage ? { refused: error.code, message: error.message } : { refused: error.code };
  }
}

/** Hits with order, every score to the last bit, and places; and the rank that was taken. */
export function searchBy(names: CommitNames, result: SearchResult, asOfUs?: number): unknown {
  return {
    rank: result.plan.rank,
    hits: result.hits.map((hit) => ({
      id: hit.record.id,
      score: hit.score,
      scores: plain(hit.scores),
      position: plain(hit.position ?? null),
      box: plain(hit.box ?? null),
      record: storedBy(names, hit.record, asOfUs),
    })),
  };
}

export interface Probe {
  readonly names: CommitNames;
  readonly asOfUs?: number | undefined;
  /** Errors word for word: for two memories of one engine. */
  readonly messages?: boolean;
}

export const probeSearch = (reader: MemoryReader, request: SearchRequest, probe: Probe) =>
  outcome(async () => searchBy(probe.names, await reader.search(request), probe.asOfUs), probe.messages);

export const probeCount = (reader: MemoryReader, request: SearchRequest, probe: Probe) =>
  outcome(() => reader.count(request), probe.messages);

export async function probeRecords(
  reader: MemoryReader,
  ids: readonly string[],
  probe: Probe,
): Promise<unknown> {
  const found = await reader.get(ids);
  return found.map((row) => (row === undefined ? null : storedBy(probe.names, row, probe.asOfUs)));
}

export async function probeHistory(
  reader: MemoryReader,
  ids: readonly string[],
  probe: Probe,
): Promise<unknown> {
  const all = await Promise.all(ids.map((id) => reader.history(id)));
  return all.map((rows) => rows.map((row) => storedBy(probe.names, row, probe.asOfUs)));
}

/**
 * Compares everything between two memories of one engine. Between engines it leaves out what each may measure
 * differently: the bytes, the last known time, and whether a write that changed nothing was a commit.
 */
export async function probeStats(reader: MemoryReader, probe: Probe, sameEngine = false): Promise<unknown> {
  const { bytes, lastUs, lastCommitUs, ...rest } = await reader.stats();
  return plain(sameEngine ? { ...rest, bytes, lastUs, lastCommit: nameOf(probe.names, lastCommitUs) } : rest);
}

/** Catch-up only. Within one commit the order of records does not matter. */
export async function probeChanges(reader: MemoryReader, probe: Probe, afterUs?: number): Promise<unknown> {
  const options = afterUs === undefined ? { live: false } : { live: false, afterUs };
  const changes = await collect(reader.changes(options));
  return changes.map((change: Change) => ({
    commit: nameOf(probe.names, change.commitUs),
    // A forgetting may repeat what it rewrote, or not.
    put: change.forgotten.length > 0 ? [] : sorted(change.put.map((row) => storedBy(probe.names, row))),
    sightings: sorted(change.sightings.map(plain)),
    frames: change.frames,
    forgotten: [...change.forgotten].sort(),
  }));
}

/** The rows of a dump as a sorted list: which order of them `restore` accepts is the engine's affair. */
export function dumpBy(names: CommitNames, rows: readonly DumpRow[]): unknown {
  return sorted(
    rows.map((row) => {
      if (row.type === "record") return { type: row.type, record: storedBy(names, row.record) };
      if (row.type === "forgotten") return { ...row, atUs: nameOf(names, row.atUs) };
      if (row.type === "memory") return plain({ ...row, calibrations: sorted([...row.calibrations]) });
      return plain("recordedAtUs" in row ? { ...row, recordedAtUs: nameOf(names, row.recordedAtUs) } : row);
    }),
  );
}

export const probeDump = async (reader: MemoryReader, probe: Probe): Promise<unknown> =>
  dumpBy(probe.names, await collect(reader.dump()));

function sorted<T>(rows: readonly T[]): T[] {
  const named = rows.map((row) => ({ row, name: canonical(row) }));
  return named.sort((a, b) => (a.name < b.name ? -1 : 1)).map(({ row }) => row);
}
