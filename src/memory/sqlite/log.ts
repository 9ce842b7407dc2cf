import { RECORD_KINDS } from "../../schema/core.ts";
import type { MemoryLog } from "../log.ts";
import type { Row } from "../rows/codec.ts";
import {
  HEAD_VERSIONS,
  headOf,
  type LoggedVersion,
  type LogTables,
  loggedBatches,
} from "../rows/logged-batches.ts";
import { firstRowAfter } from "./changes.ts";
import type { Connection } from "./connection.ts";
import { heardFrom, memoryId } from "./heard.ts";
import type { SqliteReader } from "./reader.ts";

const TAILS = ["record", "sighting", "frame_edge"] as const;

/** The log over a reader of its own that sees everything. */
export function sqliteLog(reader: SqliteReader): MemoryLog {
  const { connection } = reader;
  const memory = memoryId(connection);
  const reading = <T>(work: () => T): T =>
    connection.reading(() => {
      connection.refreshNames();
      return work();
    });
  const tables = tablesOf(connection, memory, reading);
  return {
    memory,
    heard: async () => reading(() => heardBy(connection, memory)),
    firstUnheard: async (heard) => reading(() => firstUnheard(connection, memory, heard)),
    batches: (fromUs, signal) => loggedBatches(reader, tables, fromUs, signal),
    heads: async (ids) => reading(() => ids.map((id) => headIn(connection, memory, id))),
    frameAuthors: async (frames) =>
      reading(() => {
        const author = (frame: string) =>
          connection.row(
            "SELECT coalesce(h.memory, ?) FROM frame_edge e JOIN name n ON n.id = e.child LEFT JOIN heard h ON h.commit_us = e.recorded_at WHERE n.text = ? ORDER BY e.row LIMIT 1",
            memory,
            frame,
          );
        return new Map(
          frames.flatMap((frame) => {
            const [found] = author(frame) ?? [];
            return found === undefined ? [] : [[frame, String(found)] as const];
          }),
        );
      }),
    blob: (ref) => reader.blob(ref),
    forgotten: async () =>
      reading(() =>
        connection
          .rows("SELECT DISTINCT id, reason FROM forgotten ORDER BY id, reason")
          .map(([id, reason]) => ({ id: String(id), reason: String(reason) })),
      ),
    close: () => reader.close(),
  };
}

function heardBy(connection: Connection, memory: string): Map<string, number> {
  const heard = new Map(
    connection
      .rows("SELECT memory, max(at) FROM heard GROUP BY memory")
      .map(([name, at]) => [String(name), Number(at)]),
  );
  const ownUs = Math.max(heard.get(memory) ?? 0, Number(connection.meta("lastCommitUs") ?? 0));
  return heard.set(memory, ownUs);
}

function firstUnheard(
  connection: Connection,
  memory: string,
  heard: ReadonlyMap<string, number>,
): number | null {
  const found: number[] = [];
  const add = (row: Row | undefined) => row?.[0] != null && found.push(Number(row[0]));
  for (const [name] of connection.rows("SELECT DISTINCT memory FROM heard"))
    add(
      connection.row(
        "SELECT min(commit_us) FROM heard WHERE memory = ? AND at > ?",
        name!,
        heard.get(String(name)) ?? -1,
      ),
    );
  const ownUs = heard.get(memory) ?? -1;
  for (const table of TAILS)
    add(
      connection.row(
        `SELECT recorded_at FROM ${table} t WHERE row >= ? AND NOT EXISTS (SELECT 1 FROM heard WHERE commit_us = t.recorded_at) ORDER BY row LIMIT 1`,
        firstRowAfter(connection, table, ownUs),
      ),
    );
  return found.length === 0 ? null : Math.min(...found);
}

function headIn(connection: Connection, memory: string, id: string) {
  const select =
    "SELECT r.kind, r.version, r.recorded_at, h.memory, h.at, h.derived FROM record r LEFT JOIN heard h ON h.commit_us = r.recorded_at WHERE r.id = ? ORDER BY r.version";
  const versions = connection.rows(`${select} DESC LIMIT ${HEAD_VERSIONS}`, id);
  const last = versions.at(-1);
  if (last === undefined) return undefined;
  const oldest = versions.length < HEAD_VERSIONS ? last : connection.row(`${select} LIMIT 1`, id)!;
  return headOf(memory, RECORD_KINDS[Number(last[0])]!, versions.map(versionOf), versionOf(oldest));
}

function versionOf([, version, recordedAt, from, at, derived]: Row): LoggedVersion {
  return {
    version: Number(version),
    recordedAtUs: Number(recordedAt),
    ...(from !== null && { heard: { memory: String(from), atUs: Number(at), derived: derived === 1 } }),
  };
}

function tablesOf(connection: Connection, memory: string, reading: <T>(work: () => T) => T): LogTables {
  return {
    memory,
    heardFrom: async (commitUs, limit) => heardFrom(connection, commitUs, limit),
    edgesOf: async (commitUs) =>
      reading(() =>
        connection
          .rows(
            "SELECT parent, child, stamp, kind, revision, px, py, pz, qw, qx, qy, qz FROM frame_edge WHERE row >= ? AND recorded_at = ? ORDER BY row",
            firstRowAfter(connection, "frame_edge", commitUs - 1),
            commitUs,
          )
          .map((row) => connection.edgeOf(row)),
      ),
    firstUses: async (refs) =>
      new Map(
        refs.flatMap((ref) => {
          const [row] = connection.row(
            "SELECT min(rb.row) FROM record_blob rb JOIN blob b ON b.id = rb.blob WHERE b.hash = ?",
            Buffer.from(ref, "hex"),
          )!;
          if (row === null) return [];
          const first = connection.row("SELECT recorded_at FROM record WHERE row = ?", row!);
          return first === undefined ? [] : [[ref, Number(first[0])] as const];
        }),
      ),
    imageVectors: async (refs) =>
      refs.flatMap((blob) => {
        const meaning = connection.meaningOfImage(blob);
        const vector = meaning === undefined ? undefined : connection.vectorOf(meaning);
        return vector ? [{ blob, vector }] : [];
      }),
    begunAfter: async (ids, commitUs) =>
      ids.filter((id) => {
        const [first] = connection.row("SELECT min(recorded_at) FROM record WHERE id = ?", id)!;
        return first !== null && Number(first) > commitUs;
      }),
  };
}
