import { isDeepStrictEqual } from "node:util";
import {
  assert,
  blobsOf,
  LociError,
  type LociRecord,
  RECORD_KINDS,
  type Stored,
} from "../../schema/index.ts";
import type { Commit } from "../port.ts";
import { bytesOf, COLUMN, encodeRecord, encodeSighting, RECORD_COLUMNS, SIGHTING_COLUMNS } from "./codec.ts";
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

/** Rows that one commit made and ended: what the resident index needs to follow it. */
export interface CommitRows {
  readonly commit: Commit;
  readonly added: { readonly row: number; readonly record: LociRecord }[];
  readonly superseded: number[];
}

/** Writes a prepared batch; call inside `connection.writing`. */
export function commitBatch(connection: Connection, batch: PreparedBatch, commitUs: number): CommitRows {
  const store = new Contents(connection);
  for (const [ref, bytes] of batch.blobs) store.putBlob(ref, bytes);
  for (const { text, vector } of batch.vectors) store.putVector({ text }, vector);
  for (const { blob, vector } of batch.imageVectors) store.putVector({ image: blob }, vector);
  const added: CommitRows["added"] = [];
  const superseded: number[] = [];
  const versions: number[] = [];
  let unchanged = 0;
  for (const { record, expectVersion } of batch.records) {
    const head = connection.row(SELECT_HEAD, record.id);
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
      superseded.push(Number(head[COLUMN.row]));
      connection.run("UPDATE record SET superseded_at = ? WHERE row = ?", commitUs, head[COLUMN.row]!);
    }
    const row = insertRecord(connection, store, record, headVersion + 1, commitUs, null);
    added.push({ row, record });
    versions.push(headVersion + 1);
  }
  for (const sighting of batch.sightings) {
    connection.sql(INSERT_SIGHTING).run(...encodeSighting(sighting, commitUs, connection));
  }
  for (const edge of batch.frames) insertFrame(connection, edge, commitUs);
  const commit = { commitUs, written: added.length, unchanged, versions };
  return { commit, added, superseded };
}

/** Writes one version of a record with the memory times given; returns its row number. */
export function insertRecord(
  connection: Connection,
  store: Contents,
  record: LociRecord,
  version: number,
  recordedAtUs: number,
  supersededAtUs: number | null,
): number {
  const { names, labelSets } = connection;
  const context = { names, labelSets, meaningOf: store.meaningOfText, imageOf: store.meaningOfImage };
  const cells = encodeRecord(record, version, recordedAtUs, supersededAtUs, context);
  const row = Number(connection.sql(INSERT_RECORD).run(...cells).lastInsertRowid);
  for (const ref of blobsOf(record)) {
    connection.run("INSERT OR IGNORE INTO record_blob (blob, row) VALUES (?, ?)", store.blobId(ref), row);
  }
  return row;
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

/** Texts, vectors and blobs by content: what is there already is used again. */
export class Contents {
  readonly #connection: Connection;
  readonly #meanings = new Map<string, number>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  meaningOfText = (text: string): number => this.#meaning(`t${text}`, { text }, text);
  meaningOfImage = (blob: string): number => this.#meaning(`i${blob}`, { image: blob }, null);

  putVector(name: MeaningName, vector: Float32Array): void {
    const wasThere = this.#connection.meaningOf(name) !== undefined;
    const meaning = "text" in name ? this.meaningOfText(name.text) : this.meaningOfImage(name.image);
    const insert = this.#connection.sql("INSERT OR IGNORE INTO vector (meaning, data) VALUES (?, ?)");
    const added = Number(insert.run(meaning, bytesOf(vector)).changes) > 0;
    if (wasThere && added) this.#connection.raiseVectorEpoch();
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

  #meaning(key: string, name: MeaningName, text: string | null): number {
    const known = this.#meanings.get(key) ?? this.#connection.meaningOf(name);
    if (known !== undefined) {
      this.#meanings.set(key, known);
      return known;
    }
    const id = this.#connection.run(
      "INSERT INTO meaning (hash, text) VALUES (?, ?)",
      meaningHash(name),
      text,
    );
    this.#meanings.set(key, id);
    return id;
  }
}

function sameContent(stored: Stored, record: LociRecord): boolean {
  const { version: _v, recordedAtUs: _r, supersededAtUs: _s, ...before } = stored;
  return isDeepStrictEqual(before, JSON.parse(JSON.stringify(record)));
}

/** The kind of the latest version of an id, as prepareBatch asks for it. */
export function kindOf(connection: Connection, id: string): string | undefined {
  const row = connection.row("SELECT kind FROM record WHERE id = ? LIMIT 1", id);
  return row === undefined ? undefined : RECORD_KINDS[Number(row[0])];
}
