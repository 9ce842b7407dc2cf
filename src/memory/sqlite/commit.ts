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
  COLUMN,
  encodeRecord,
  encodeSighting,
  RECORD_COLUMNS,
  type Row,
  SIGHTING_COLUMNS,
} from "./codec.ts";
import { type Connection, type MeaningName, meaningHash } from "./connection.ts";
import type { PreparedBatch } from "./prepare-batch.ts";

const columns = RECORD_COLUMNS.split(", ");
const INSERT_RECORD = `INSERT INTO record (${columns.slice(1).join(", ")}) VALUES (${columns
  .slice(1)
  .map(() => "?")
  .join(", ")})`;
const INSERT_SIGHTING = `INSERT INTO sighting (${SIGHTING_COLUMNS}) VALUES (${SIGHTING_COLUMNS.split(", ")
  .map(() => "?")
  .join(", ")})`;
const SELECT_HEAD = `SELECT ${RECORD_COLUMNS} FROM record WHERE id = ? ORDER BY version DESC LIMIT 1`;

/** What one commit wrote, still at hand: an index can follow without reading it back. */
export interface CommitRows {
  readonly commit: Commit;
  /** In RECORD_COLUMNS order. */
  readonly rows: Row[];
  readonly contents: Contents;
}

/** Writes a prepared batch; call inside `connection.writing`. */
export function commitBatch(connection: Connection, batch: PreparedBatch, commitUs: number): CommitRows {
  const store = new Contents(connection);
  store.lookUp([
    ...batch.vectors,
    ...batch.records.flatMap(({ record }) => record.text.map((text) => ({ text }))),
  ]);
  for (const [ref, bytes] of batch.blobs) store.putBlob(ref, bytes);
  for (const { text, vector } of batch.vectors) store.putVector({ text }, vector);
  for (const { blob, vector } of batch.imageVectors) store.putVector({ image: blob }, vector);
  const rows: Row[] = [];
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
      connection.run("UPDATE record SET superseded_at = ? WHERE row = ?", commitUs, head[COLUMN.row]!);
    }
    rows.push(insertRecord(connection, store, record, headVersion + 1, commitUs, null));
    versions.push(headVersion + 1);
  }
  for (const sighting of batch.sightings) {
    insertSighting(connection, sighting, commitUs);
  }
  for (const edge of batch.frames) insertFrame(connection, edge, commitUs);
  return { commit: { commitUs, written: rows.length, unchanged, versions }, rows, contents: store };
}

/** Writes one version of a record with the memory times given; returns the row as it is stored. */
export function insertRecord(
  connection: Connection,
  store: Contents,
  record: LociRecord,
  version: number,
  recordedAtUs: number,
  supersededAtUs: number | null,
): Row {
  const { names, labelSets } = connection;
  const context = { names, labelSets, meaningOf: store.meaningOfText, imageOf: store.meaningOfImage };
  const cells = encodeRecord(record, version, recordedAtUs, supersededAtUs, context);
  const row = Number(connection.sql(INSERT_RECORD).run(...cells).lastInsertRowid);
  for (const ref of blobsOf(record)) {
    connection.run("INSERT OR IGNORE INTO record_blob (blob, row) VALUES (?, ?)", store.blobId(ref), row);
  }
  return [row, ...cells];
}

export function insertSighting(connection: Connection, sighting: Sighting, recordedAtUs: number): void {
  connection.sql(INSERT_SIGHTING).run(...encodeSighting(sighting, recordedAtUs, connection));
}

export function insertFrame(
  connection: Connection,
  edge: PreparedBatch["frames"][number],
  recordedAtUs: number,
): void {
  const { p, q } = edge.transform;
  connection.run(
    "INSERT INTO frame_edge (recorded_at, parent, child, stamp, kind, revision, px, py, pz, qw, qx, qy, qz) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
    recordedAtUs,
    connection.names.intern(edge.parent),
    connection.names.intern(edge.child),
    edge.stampUs,
    edge.kind,
    edge.revision,
    p.x,
    p.y,
    p.z,
    q.w,
    q.x,
    q.y,
    q.z,
  );
}

/** Texts, vectors and blobs by content: what is there already is used again, and what passed by is remembered. */
export class Contents {
  readonly #connection: Connection;
  readonly #meanings = new Map<string, { readonly id: number; readonly isNew: boolean }>();
  readonly #hashes = new Map<string, Uint8Array>();
  readonly #absent = new Set<string>();
  readonly #texts = new Map<number, string>();
  readonly #vectors = new Map<number, Float32Array>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  meaningOfText = (text: string): number => this.#meaning(`t${text}`, { text }, text).id;
  meaningOfImage = (blob: string): number => this.#meaning(`i${blob}`, { image: blob }, null).id;

  textOf = (meaning: number): string => this.#texts.get(meaning) ?? this.#connection.textOf(meaning);
  vectorOf = (meaning: number): Float32Array | undefined =>
    this.#vectors.get(meaning) ?? this.#connection.vectorOf(meaning);

  putVector(name: MeaningName, vector: Float32Array): void {
    const { id, isNew } =
      "text" in name
        ? this.#meaning(`t${name.text}`, name, name.text)
        : this.#meaning(`i${name.image}`, name, null);
    const insert = this.#connection.sql("INSERT OR IGNORE INTO vector (meaning, data) VALUES (?, ?)");
    if (Number(insert.run(id, bytesOf(vector)).changes) === 0) return;
    this.#vectors.set(id, vector);
    if (!isNew) this.#connection.raiseVectorEpoch();
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

  /** Finds which of these texts are there, all at once. */
  lookUp(texts: readonly { readonly text: string }[]): void {
    const byHash = new Map<string, string>();
    for (const { text } of texts) {
      if (this.#meanings.has(`t${text}`) || this.#hashes.has(`t${text}`)) continue;
      const hash = meaningHash({ text });
      this.#hashes.set(`t${text}`, hash);
      byHash.set(Buffer.from(hash).toString("hex"), text);
    }
    const found = this.#connection.rows(
      "SELECT id, lower(hex(hash)) FROM meaning WHERE hash IN (SELECT unhex(value) FROM json_each(?))",
      JSON.stringify([...byHash.keys()]),
    );
    for (const [id, hash] of found)
      this.#met(`t${byHash.get(String(hash))}`, Number(id), false, byHash.get(String(hash))!);
    for (const text of byHash.values()) if (!this.#meanings.has(`t${text}`)) this.#absent.add(`t${text}`);
  }

  #meaning(key: string, name: MeaningName, text: string | null): { id: number; isNew: boolean } {
    const met = this.#meanings.get(key);
    if (met !== undefined) return met;
    const hash = this.#hashes.get(key) ?? meaningHash(name);
    const known = this.#absent.has(key)
      ? undefined
      : this.#connection.row("SELECT id FROM meaning WHERE hash = ?", hash);
    const id =
      known === undefined
        ? this.#connection.run("INSERT INTO meaning (hash, text) VALUES (?, ?)", hash, text)
        : Number(known[0]);
    return this.#met(key, id, known === undefined, text);
  }

  #met(key: string, id: number, isNew: boolean, text: string | null): { id: number; isNew: boolean } {
    const found = { id, isNew };
    this.#meanings.set(key, found);
    if (text !== null) this.#texts.set(id, text);
    return found;
  }
}

function sameContent(stored: Stored, record: LociRecord): boolean {
  const { version: _v, recordedAtUs: _r, supersededAtUs: _s, ...before } = stored;
  return isDeepStrictEqual(before, JSON.parse(JSON.stringify(record)));
}

/** The kinds of those of these records that are there, found all at once. */
export function kindsOf(connection: Connection, ids: readonly string[]): Map<string, string> {
  const rows = connection.rows(
    "SELECT id, kind FROM record WHERE id IN (SELECT value FROM json_each(?)) AND superseded_at IS NULL",
    JSON.stringify(ids),
  );
  return new Map(rows.map(([id, kind]) => [String(id), RECORD_KINDS[Number(kind)]!]));
}
