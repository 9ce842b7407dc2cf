import { blobRefOf, LociError } from "../../schema/core.ts";
import type { DumpRow } from "../port.ts";
import {
  COLUMN,
  decodeSighting,
  RECORD_COLUMNS,
  type Row,
  SIGHTING_COLUMNS,
  unpackIds,
} from "../rows/codec.ts";
import { asSeen, WholeRecords } from "../rows/whole-records.ts";
import type { Connection } from "./connection.ts";
import { heardRows } from "./heard.ts";
import type { ReadView } from "./read-view.ts";

const ROWS_PER_READ = 500;

/**
 * Everything that the reader can see, every version, in the order in which `restore` can take it: what a row needs
 * comes before it. Read in pieces by row number, so that a writer may go on meanwhile; rows written after the dump
 * began are left out. A restricted reader gets the memory as if the rest were forgotten: no record without its current
 * version, and no mention of an absent one.
 */
export function* dumpRows(connection: Connection, view: ReadView): Generator<DumpRow> {
  const until = view.options.asOfMemoryUs ?? Number.MAX_SAFE_INTEGER;
  yield {
    type: "memory",
    format: 1,
    embedder: connection.embedder("text"),
    imageEmbedder: connection.embedder("image"),
    calibrations: (["text", "image"] as const).flatMap((space) => {
      const calibration = connection.calibration(space);
      return calibration === null ? [] : [{ ...calibration, space }];
    }),
  };
  const last = lastRows(connection);
  const { edges } = connection.reading(() => view.visibleFrames());
  for (const { recordedAtUs, edge } of edges) yield { type: "frame", recordedAtUs, edge };
  const there = wholeRecords(connection, view, last.record, until);
  const meanings = new Set<number>();
  const blobs = new Set<number>();
  for (const row of inPieces(connection, "record", RECORD_COLUMNS, last.record)) {
    if (Number(row[COLUMN.recordedAt]) > until || !view.mayRead(Number(row[COLUMN.labels]))) continue;
    if (there && !there.has(String(row[COLUMN.id]))) continue;
    for (const [blob] of connection.rows(
      "SELECT blob FROM record_blob WHERE row = ? ORDER BY blob",
      row[COLUMN.row]!,
    )) {
      if (blobs.has(Number(blob))) continue;
      blobs.add(Number(blob));
      const bytes = connection.row("SELECT data FROM blob WHERE id = ?", blob!)?.[0];
      if (!(bytes instanceof Uint8Array))
        throw new LociError("memory-corrupt", `blob ${blob} is missing or not what was written; run verify`);
      yield { type: "blob", bytes };
      const image = connection.meaningOfImage(blobRefOf(bytes));
      const vector = image === undefined ? undefined : connection.vectorOf(image);
      if (vector) yield { type: "image-vector", blob: blobRefOf(bytes), vector };
    }
    for (const id of unpackIds(row[COLUMN.lines])) {
      if (meanings.has(id)) continue;
      meanings.add(id);
      yield { type: "text", text: connection.textOf(id), vector: connection.vectorOf(id) ?? null };
    }
    yield { type: "record", record: asSeen(connection.decode(row), there, until) };
  }
  for (const row of inPieces(connection, "sighting", SIGHTING_COLUMNS, last.sighting)) {
    const { sighting, recordedAtUs } = decodeSighting(row, connection);
    const visible = view.seesSighting(row[1], row[5]) && (there?.has(sighting.stateId) ?? true);
    if (recordedAtUs <= until && visible) yield { type: "sighting", recordedAtUs, sighting };
  }
  if (!view.unrestricted) return;
  for (const [id, at, reason] of inPieces(connection, "forgotten", "id, at, reason", last.forgotten)) {
    if (Number(at) <= until)
      yield { type: "forgotten", id: String(id), atUs: Number(at), reason: String(reason) };
  }
  for (const row of heardRows(connection)) if (row.commitUs <= until) yield { type: "heard", ...row };
}

/** The records of which this reader sees the current version, and all that they need; undefined for all. */
function wholeRecords(
  connection: Connection,
  view: ReadView,
  lastRow: number,
  until: number,
): ReadonlySet<string> | undefined {
  if (view.unrestricted && view.options.asOfMemoryUs === undefined) return undefined;
  const whole = new WholeRecords(until);
  for (const row of inPieces(connection, "record", RECORD_COLUMNS, lastRow))
    if (Number(row[COLUMN.recordedAt]) <= until && view.mayRead(Number(row[COLUMN.labels])))
      whole.add(connection.decode(row));
  return whole.ids();
}

const TABLES = ["record", "sighting", "forgotten"] as const;

function lastRows(connection: Connection): Record<(typeof TABLES)[number], number> {
  return connection.reading(() => {
    const last = (table: string) => Number(connection.row(`SELECT coalesce(max(row), 0) FROM ${table}`)?.[0]);
    return {
      record: last("record"),
      sighting: last("sighting"),
      forgotten: last("forgotten"),
    };
  });
}

function* inPieces(
  connection: Connection,
  table: (typeof TABLES)[number],
  columns: string,
  lastRow: number,
): Generator<Row> {
  let after = 0;
  while (after < lastRow) {
    const rows = connection.rows(
      `SELECT ${columns}, row FROM ${table} WHERE row > ? AND row <= ? ORDER BY row LIMIT ${ROWS_PER_READ}`,
      after,
      lastRow,
    );
    if (rows.length === 0) return;
    yield* rows;
    after = Number(rows.at(-1)!.at(-1));
  }
}
