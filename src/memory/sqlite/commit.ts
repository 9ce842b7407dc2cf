import { isDeepStrictEqual } from "node:util";
import {
  assert,
  blobsOf,
  LociError,
  type LociRecord,
  RECORD_KINDS,
  type Sighting,
  type Stored,
} from "../../schema/core.ts";
import type { Commit } from "../port.ts";
import {
  bytesOf,
  type Cell,
  COLUMN,
  encodeRecord,
  encodeSighting,
  RECORD_COLUMNS,
  type Row,
  SIGHTING_COLUMNS,
} from "../rows/codec.ts";
import type { PreparedBatch } from "../rows/prepare-batch.ts";
import { textHash } from "../rows/text-hash.ts";
import { type Connection, imageAddress } from "./connection.ts";
import type { Summed } from "./head.ts";
import { insertRows, type Table } from "./insert-rows.ts";
import { endedSum, recordSum, SUM_RANGE, sumOf } from "./sums.ts";

const RECORD: Table = {
  name: "record",
  columns: RECORD_COLUMNS.split(", ").slice(1),
  // Counted without `row`: superseded, category and owner, extent, image.
  sparse: [
    [COLUMN.supersededAt - 1],
    [COLUMN.category - 1, COLUMN.owner - 1],
    [COLUMN.sx - 1, COLUMN.sy - 1, COLUMN.sz - 1],
    [COLUMN.image - 1],
  ],
};
const SIGHTING: Table = { name: "sighting", columns: [...SIGHTING_COLUMNS.split(", "), "sum"] };
const FRAME: Table = {
  name: "frame_edge",
  columns: "recorded_at, parent, child, stamp, kind, revision, px, py, pz, qw, qx, qy, qz, sum".split(", "),
};
const FORGOTTEN: Table = { name: "forgotten", columns: ["at", "id", "reason", "head", "sum"] };
const SELECT_HEAD = `SELECT ${RECORD_COLUMNS} FROM record WHERE id = ? ORDER BY version DESC LIMIT 1`;

/** The rows of one commit, still at hand: an index can follow without reading them back. */
export interface CommitRows {
  readonly commit: Commit;
  /** In RECORD_COLUMNS order. */
  readonly rows: Row[];
  readonly contents: Contents;
}

/** Writes a prepared batch; call inside `connection.writing`. */
export function commitBatch(connection: Connection, batch: PreparedBatch, commitUs: number): CommitRows {
  const store = new Contents(connection);
  store.addTexts([
    ...batch.vectors.map(({ text }) => text),
    ...batch.records.flatMap(({ record }) => record.text),
  ]);
  for (const [ref, bytes] of batch.blobs) store.putBlob(ref, bytes);
  store.putTextVectors(batch.vectors);
  for (const { blob, vector } of batch.imageVectors) store.putImageVector(blob, vector);
  const changed: RecordVersion[] = [];
  const versions: number[] = [];
  let unchanged = 0;
  for (const { record, expectVersion } of batch.records) {
    const head = batch.known.has(record.id) ? connection.row(SELECT_HEAD, record.id) : undefined;
    const headVersion = head === undefined ? 0 : Number(head[COLUMN.version]);
    if (expectVersion !== undefined && expectVersion !== headVersion) {
      throw new LociError(
        "version-conflict",
        `records: "${record.id}" is at version ${headVersion}, expected ${expectVersion}; read it again`,
      );
    }
    if (head !== undefined && sameContent(connection.decode(head), record)) {
      unchanged++;
      versions.push(headVersion);
      continue;
    }
    if (head !== undefined) {
      endVersion(connection, Number(head[COLUMN.row]), Number(head[COLUMN.sum]), commitUs);
    }
    changed.push({ record, version: headVersion + 1, recordedAtUs: commitUs, supersededAtUs: null });
    versions.push(headVersion + 1);
  }
  const rows = insertRecords(connection, store, changed);
  insertSightings(connection, batch.sightings, commitUs);
  for (const edge of batch.frames) insertFrame(connection, edge, commitUs);
  return { commit: { commitUs, written: rows.length, unchanged, versions }, rows, contents: store };
}

/** One version of a record with its memory times. */
export interface RecordVersion {
  readonly record: LociRecord;
  readonly version: number;
  readonly recordedAtUs: number;
  readonly supersededAtUs: number | null;
}

/** Writes versions of records in order; returns the rows as they are stored. */
export function insertRecords(
  connection: Connection,
  store: Contents,
  versions: readonly RecordVersion[],
): Row[] {
  const { names, labelSets } = connection;
  const context = { names, labelSets, meaningOf: store.meaningOfText, imageOf: store.meaningOfImage };
  const cells = versions.map(({ record, version, recordedAtUs, supersededAtUs }) => {
    const row = encodeRecord(record, version, recordedAtUs, supersededAtUs, context);
    row.push(recordSum(row));
    return row;
  });
  const first = insertSummed(connection, RECORD, cells);
  versions.forEach(({ record }, i) => {
    for (const ref of blobsOf(record)) {
      connection.run(
        "INSERT OR IGNORE INTO record_blob (blob, row) VALUES (?, ?)",
        store.blobId(ref),
        first + i,
      );
    }
  });
  return cells.map((rest, i) => [first + i, ...rest]);
}

export function insertSightings(
  connection: Connection,
  sightings: readonly Sighting[],
  recordedAtUs: number,
): void {
  insertSummed(
    connection,
    SIGHTING,
    sightings.map((sighting) => withSum(encodeSighting(sighting, recordedAtUs, connection))),
  );
}

export function insertFrame(
  connection: Connection,
  edge: PreparedBatch["frames"][number],
  recordedAtUs: number,
): void {
  const { p, q } = edge.transform;
  const { names } = connection;
  const { parent, child, stampUs, kind, revision } = edge;
  const cells = [names.intern(parent), names.intern(child), stampUs, kind, revision];
  insertSummed(connection, FRAME, [withSum([recordedAtUs, ...cells, p.x, p.y, p.z, q.w, q.x, q.y, q.z])]);
}

/** Notes that a record was forgotten; `head` is the row that was believed, for indexes that follow. */
export function insertForgotten(
  connection: Connection,
  { atUs, id, reason, head }: { atUs: number; id: string; reason: string; head: number | null },
): void {
  insertSummed(connection, FORGOTTEN, [withSum([atUs, id, reason, head])]);
}

/** From a time on, this version of a record is no longer believed. */
export function endVersion(connection: Connection, row: number, sum: number, atUs: number): void {
  const ended = endedSum(sum, atUs);
  connection.run("UPDATE record SET superseded_at = ?, sum = ? WHERE row = ?", atUs, ended, row);
  connection.head.added("record", [(ended - sum + SUM_RANGE) % SUM_RANGE], 0);
}

function withSum(cells: Cell[]): Cell[] {
  cells.push(sumOf(cells));
  return cells;
}

/** Inserts rows with their sum as last cell. */
function insertSummed(connection: Connection, table: Table, rows: readonly (readonly Cell[])[]): number {
  connection.head.added(
    table.name as Summed,
    rows.map((row) => Number(row.at(-1))),
  );
  return insertRows(connection, table, rows);
}

const TEXT: Table = { name: "meaning", columns: ["text", "hash"] };
const VECTOR: Table = { name: "vector", columns: ["meaning", "data", "sum"] };
const PUT_VECTOR = "INSERT OR IGNORE INTO vector (meaning, data, sum) VALUES (?, ?, ?)";

/** Texts, vectors and blobs by content: existing ones are reused, and recently seen ones are cached. */
export class Contents {
  readonly #connection: Connection;
  readonly #ids = new Map<string, number>();
  /** Meanings that this commit made. */
  readonly #fresh = new Set<number>();
  readonly #texts = new Map<number, string>();
  readonly #vectors = new Map<number, Float32Array>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  meaningOfText = (text: string): number => {
    if (!this.#ids.has(text)) this.addTexts([text]);
    return this.#ids.get(text)!;
  };

  meaningOfImage = (blob: string): number => {
    const known = this.#connection.meaningOfImage(blob);
    if (known !== undefined) return known;
    const id = this.#connection.run("INSERT INTO meaning (image) VALUES (?)", imageAddress(blob));
    this.#fresh.add(id);
    return id;
  };

  textOf = (meaning: number): string => this.#texts.get(meaning) ?? this.#connection.textOf(meaning);
  vectorOf = (meaning: number): Float32Array | undefined =>
    this.#vectors.get(meaning) ?? this.#connection.vectorOf(meaning);

  /** Finds which of these texts are there, all at once, and stores the others. */
  addTexts(texts: Iterable<string>): void {
    const unknown = new Map<string, number>();
    for (const text of texts)
      if (!this.#ids.has(text) && !unknown.has(text)) unknown.set(text, textHash(text));
    if (unknown.size === 0) return;
    for (const [text, id] of this.#connection.texts.find(unknown)) {
      this.#met(text, id);
      unknown.delete(text);
    }
    const rows = [...unknown];
    const first = insertRows(this.#connection, TEXT, rows);
    this.#connection.texts.added(
      rows.map(([, hash]) => hash),
      first,
    );
    rows.forEach(([text], i) => {
      this.#met(text, first + i);
      this.#fresh.add(first + i);
    });
  }

  /** The first vector of a text is kept. */
  putTextVectors(list: readonly { readonly text: string; readonly vector: Float32Array }[]): void {
    this.addTexts(list.map(({ text }) => text));
    const rows: Cell[][] = [];
    for (const { text, vector } of list) {
      const id = this.#ids.get(text)!;
      if (!this.#fresh.has(id)) this.#putVector(id, vector);
      else if (!this.#vectors.has(id)) {
        this.#vectors.set(id, vector);
        rows.push(withSum([id, bytesOf(vector)]));
      }
    }
    insertSummed(this.#connection, VECTOR, rows);
  }

  putImageVector(blob: string, vector: Float32Array): void {
    this.#putVector(this.meaningOfImage(blob), vector);
  }

  #putVector(id: number, vector: Float32Array): void {
    const data = bytesOf(vector);
    const sum = sumOf([id, data]);
    if (Number(this.#connection.sql(PUT_VECTOR).run(id, data, sum).changes) === 0) return;
    this.#connection.head.added("vector", [sum]);
    this.#vectors.set(id, vector);
    if (!this.#fresh.has(id)) this.#connection.raiseVectorEpoch();
  }

  putBlob(ref: string, bytes: Uint8Array): void {
    const hash = Buffer.from(ref, "hex");
    this.#connection.run("INSERT OR IGNORE INTO blob (hash, data) VALUES (?, ?)", hash, bytes);
  }

  blobId(ref: string): number {
    const row = this.#connection.row("SELECT id FROM blob WHERE hash = ?", Buffer.from(ref, "hex"));
    assert(row, "a record's blobs were checked or written before it");
    return Number(row[0]);
  }

  #met(text: string, id: number): void {
    this.#ids.set(text, id);
    this.#texts.set(id, text);
  }
}

function sameContent(stored: Stored, record: LociRecord): boolean {
  const { version: _v, recordedAtUs: _r, supersededAtUs: _s, ...before } = stored;
  return isDeepStrictEqual(before, JSON.parse(JSON.stringify(record)));
}

/** The kinds of the present ones of these records, found in one query. */
export function kindsOf(connection: Connection, ids: readonly string[]): Map<string, string> {
  const rows = connection.rows(
    "SELECT id, kind FROM record WHERE id IN (SELECT value FROM json_each(?)) AND superseded_at IS NULL",
    JSON.stringify(ids),
  );
  return new Map(rows.map(([id, kind]) => [String(id), RECORD_KINDS[Number(kind)]!]));
}
