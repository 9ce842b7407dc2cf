import {
  blobRefOf,
  blobsOf,
  type LociRecord,
  RECORD_KINDS,
  type RecordKind,
  type RecordOf,
  type Stored,
} from "../../schema/core.ts";
import type { ForgetReport, ForgetSelection } from "../port.ts";
import { type Cell, COLUMN, encodeRecord, RECORD_COLUMNS, type Row, unpackIds } from "../rows/codec.ts";
import {
  changedFields,
  REWRITTEN,
  type Redacted,
  redactedLook,
  withoutForgotten,
} from "../rows/without-forgotten.ts";
import { Contents, endVersion, insertForgotten } from "./commit.ts";
import type { Connection } from "./connection.ts";
import { closureOf, looksAt, picturesOf, type Shown, tracesOf } from "./forget-closure.ts";
import { recordSum } from "./sums.ts";

/** The removed content, before the files are wiped. */
export type Forgotten = Omit<ForgetReport, "wiped">;

/** The pictures that must be redacted before these ids can be forgotten. */
export function picturesToRedact(connection: Connection, selection: ForgetSelection): Shown[] {
  if (selection.onlyRecords) return [];
  return picturesOf(connection, closureOf(connection, thereOf(connection, selection), true));
}

/** The ids to forget; of optional ones only those that exist. */
function thereOf(connection: Connection, { ids, ahead }: ForgetSelection): readonly string[] {
  if (!ahead) return ids;
  return ids.filter((id) => connection.row("SELECT 1 FROM record WHERE id = ? LIMIT 1", id) !== undefined);
}

/**
 * Removes records with all their versions and all that was derived from them, their sightings, and any texts, vectors,
 * blobs and names without other uses; records that merely referred to them, mentioned or showed them are rewritten
 * without that. One transaction; SQLite overwrites the freed space (secure_delete). The act itself stays on record:
 * ids, time and reason.
 */
export function forgetRecords(
  connection: Connection,
  selection: ForgetSelection,
  atUs: number,
  redacted: Redacted = new Map(),
): Forgotten {
  const things = selection.onlyRecords !== true;
  const there = thereOf(connection, selection);
  const wanted = withLostViews(connection, closureOf(connection, there, things), things, redacted);
  const kinds = new Map<string, { kind: RecordKind; versions: number; head: number | null }>();
  for (const id of wanted) {
    const rows = connection.rows("SELECT row, kind, superseded_at FROM record WHERE id = ?", id);
    const head = rows.find((row) => row[2] === null);
    kinds.set(id, {
      kind: RECORD_KINDS[Number(rows[0]![1])]!,
      versions: rows.length,
      head: head ? Number(head[0]) : null,
    });
  }
  if (selection.strikeLog) strikeLog(connection, selection.reason);
  forgetPast(connection, selection.past ?? []);
  const rewritten = wanted.size === 0 ? [] : rewriteOthers(connection, wanted, things, redacted);
  let sightings = forgetSightings(connection, selection.sightings ?? []);
  sightings += wanted.size === 0 ? 0 : forgetLooks(connection, wanted);
  for (const [id, { head }] of kinds) {
    connection.run("DELETE FROM record_blob WHERE row IN (SELECT row FROM record WHERE id = ?)", id);
    connection.run("DELETE FROM record WHERE id = ?", id);
    insertForgotten(connection, { atUs, id, reason: selection.reason, head });
  }
  for (const id of selection.ids)
    if (!wanted.has(id)) insertForgotten(connection, { atUs, id, reason: selection.reason, head: null });
  const dropped = dropOrphans(connection);
  if (things && wanted.size > 0) {
    dropNames(connection);
    // Words and vectors of what went are still in the rows of indexes: they are built anew.
    connection.raiseVectorEpoch();
  }
  connection.head.recount();
  return {
    forgotten: [...kinds].map(([id, { kind, versions }]) => ({ id, kind, versions })),
    rewritten,
    sightings,
    ...dropped,
  };
}

/** A view whose picture is given up has no content left. */
function withLostViews(
  connection: Connection,
  gone: ReadonlySet<string>,
  things: boolean,
  redacted: Redacted,
): Set<string> {
  if (!things || gone.size === 0) return new Set(gone);
  const lost = picturesOf(connection, gone).filter(({ ref }) => !redacted.get(ref));
  const views = lost.flatMap(({ ref }) =>
    connection
      .rows(
        `SELECT DISTINCT id FROM record WHERE kind = ${RECORD_KINDS.indexOf("view")} AND body ->> '$.thumb' = ?`,
        ref,
      )
      .map(([id]) => String(id)),
  );
  return closureOf(connection, [...gone, ...views], things);
}

/** The chain of memory times stays without a gap: the version before extends to the next one left. */
function forgetPast(connection: Connection, past: NonNullable<ForgetSelection["past"]>): void {
  for (const [id, gone] of Map.groupBy(past, (one) => one.id)) {
    const versions = new Set(gone.map(({ version }) => version));
    let before: Row | undefined;
    for (const row of connection.rows(
      `SELECT ${RECORD_COLUMNS} FROM record WHERE id = ? ORDER BY version`,
      id,
    )) {
      const superseded = row[COLUMN.supersededAt]!;
      if (superseded === null || !versions.has(Number(row[COLUMN.version]))) {
        before = row;
        continue;
      }
      connection.run("DELETE FROM record_blob WHERE row = ?", row[COLUMN.row]!);
      connection.run("DELETE FROM record WHERE row = ?", row[COLUMN.row]!);
      if (before === undefined) continue;
      const cells = before.slice(1, -1) as Cell[];
      cells[COLUMN.supersededAt - 1] = null;
      endVersion(connection, Number(before[COLUMN.row]), recordSum(cells), Number(superseded));
    }
  }
}

function forgetSightings(
  connection: Connection,
  sightings: NonNullable<ForgetSelection["sightings"]>,
): number {
  let count = 0;
  for (const { stateId, timeUs } of sightings) {
    const state = connection.names.find(stateId);
    if (state === undefined) continue;
    count += changesBy(connection, "DELETE FROM sighting WHERE state = ? AND time = ?", state, timeUs);
  }
  return count;
}

/** Deletes sightings of forgotten states, and mentions of forgotten records in other sightings. */
function forgetLooks(connection: Connection, gone: ReadonlySet<string>): number {
  const list = JSON.stringify([...gone]);
  const count = changesBy(
    connection,
    "DELETE FROM sighting WHERE state IN (SELECT id FROM name WHERE text IN (SELECT value FROM json_each(?)))",
    list,
  );
  for (const column of ["observation", "detection"]) {
    connection.run(
      `UPDATE sighting SET ${column} = NULL, sum = NULL WHERE ${column} IN (SELECT value FROM json_each(?))`,
      list,
    );
  }
  connection.mendSums("sighting");
  return count;
}

/**
 * Drops the ids that were forgotten for a reason and keeps their number. Indexes that have not followed them yet cannot
 * do so any more, so they are marked to be rebuilt.
 */
function strikeLog(connection: Connection, reason: string): void {
  const struck = changesBy(connection, "DELETE FROM forgotten WHERE reason = ?", reason);
  if (struck === 0) return;
  const key = `struck:${reason}`;
  connection.setMeta(key, Number(connection.meta(key) ?? 0) + struck);
  connection.raiseVectorEpoch();
}

function rewriteOthers(
  connection: Connection,
  gone: ReadonlySet<string>,
  things: boolean,
  redacted: Redacted,
): ForgetReport["rewritten"] {
  const traces = things ? tracesOf(connection, gone) : undefined;
  const rewritten = new Map<string, { id: string; kind: RecordKind; fields: Set<string> }>();
  const store = new Contents(connection);
  const kinds = REWRITTEN.map((kind) => RECORD_KINDS.indexOf(kind)).join(", ");
  const rewrite = (row: Row, before: Stored, after: LociRecord) => {
    const fields = changedFields(before, after);
    if (fields.length === 0) return;
    rewriteRow(connection, store, row, after);
    const entry = rewritten.get(before.id) ?? { id: before.id, kind: before.kind, fields: new Set() };
    for (const field of fields) entry.fields.add(field);
    rewritten.set(before.id, entry);
  };
  for (const [, bytes] of redacted) if (bytes) store.putBlob(blobRefOf(bytes), bytes);
  for (const row of connection.rows(`SELECT row FROM record WHERE kind IN (${kinds})`)) {
    const cells = connection.row(`SELECT ${RECORD_COLUMNS} FROM record WHERE row = ?`, row[0]!)!;
    if (gone.has(String(cells[COLUMN.id]))) continue;
    const before = connection.decode(cells);
    const after = withoutForgotten(before, gone, redacted, traces);
    if (after !== before) rewrite(cells, before, after);
  }
  if (things) {
    for (const [observation] of new Set(looksAt(connection, JSON.stringify([...gone])))) {
      if (gone.has(observation)) continue;
      for (const row of connection.rows(`SELECT ${RECORD_COLUMNS} FROM record WHERE id = ?`, observation)) {
        const before = connection.decode(row);
        rewrite(row, before, redactedLook(before as Stored<RecordOf<"observation">>, redacted));
      }
    }
  }
  return [...rewritten.values()].map(({ fields, ...rest }) => ({ ...rest, fields: [...fields].sort() }));
}

/** Puts other content into a row; its number, version and memory times stay. */
function rewriteRow(connection: Connection, store: Contents, row: Row, stored: LociRecord): void {
  const { version, recordedAtUs, supersededAtUs, ...record } = stored as Stored;
  const { names: dictionary, labelSets } = connection;
  const context = {
    names: dictionary,
    labelSets,
    meaningOf: store.meaningOfText,
    imageOf: store.meaningOfImage,
  };
  const cells = encodeRecord(record as LociRecord, version, recordedAtUs, supersededAtUs, context);
  cells.push(recordSum(cells));
  const columns = RECORD_COLUMNS.split(", ").slice(1);
  const number = row[COLUMN.row]!;
  connection.run(
    `UPDATE record SET ${columns.map((column) => `${column} = ?`).join(", ")} WHERE row = ?`,
    ...cells,
    number,
  );
  connection.run("DELETE FROM record_blob WHERE row = ?", number);
  for (const ref of blobsOf(record as LociRecord))
    connection.run("INSERT OR IGNORE INTO record_blob (blob, row) VALUES (?, ?)", store.blobId(ref), number);
}

/** Texts, vectors and blobs that no version of any record uses. */
export function dropOrphans(connection: Connection): { texts: number; vectors: number; blobs: number } {
  const used = new Set<number>();
  for (const [lines, image] of connection.each("SELECT lines, image FROM record")) {
    for (const id of unpackIds(lines)) used.add(id);
    if (image !== null) used.add(Number(image));
  }
  const blobs = changesBy(connection, "DELETE FROM blob WHERE id NOT IN (SELECT blob FROM record_blob)");
  for (const image of imageMeanings(connection, "SELECT hash FROM blob")) used.add(image);
  let texts = 0;
  let vectors = 0;
  for (const [id, isText] of connection.rows("SELECT id, text IS NOT NULL FROM meaning")) {
    if (used.has(Number(id))) continue;
    vectors += changesBy(connection, "DELETE FROM vector WHERE meaning = ?", Number(id));
    if (isText) connection.texts.remove(Number(id));
    changesBy(connection, "DELETE FROM meaning WHERE id = ?", Number(id));
    texts += Number(isText);
  }
  connection.head.recount();
  return { texts, vectors, blobs };
}

/** Every column that holds the number of a name or a set of labels; a test holds them against the tables. */
export const NAMED = {
  name: {
    record: ["scene", "author", "category", "submap"],
    sighting: ["state", "agent", "submap"],
    frame_edge: ["parent", "child"],
  },
  label_set: { record: ["labels"], sighting: ["labels"] },
} as const;

/** Unused names and label sets. */
function dropNames(connection: Connection): void {
  for (const [dictionary, tables] of Object.entries(NAMED)) {
    const used = Object.entries(tables).flatMap(([table, columns]) =>
      columns.map((column: string) => `SELECT ${column} FROM ${table} WHERE ${column} IS NOT NULL`),
    );
    connection.run(`DELETE FROM ${dictionary} WHERE id NOT IN (${used.join(" UNION ")})`);
  }
  connection.names.forgetCached();
  connection.labelSets.forgetCached();
}

/** The meanings of the images among these blobs, where they have one. */
export function imageMeanings(connection: Connection, hashes: string, ...values: Cell[]): number[] {
  return connection
    .rows(hashes, ...values)
    .map(([hash]) => connection.meaningOfImage(Buffer.from(hash as Uint8Array).toString("hex")))
    .filter((meaning) => meaning !== undefined);
}

function changesBy(connection: Connection, sql: string, ...values: (number | string)[]): number {
  return Number(connection.sql(sql).run(...values).changes);
}
