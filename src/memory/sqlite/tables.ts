import type { DatabaseSync } from "node:sqlite";
import { LociError } from "../../schema/core.ts";
import type { Cell } from "../rows/codec.ts";
import { textHash } from "../rows/text-hash.ts";
import { recordSum, sumOf } from "./sums.ts";

/** "LOCI": distinguishes a memory file from any other SQLite file. */
export const APPLICATION_ID = 0x4c_4f_43_49;

/** Raised with every change of the tables, together with a step in MIGRATIONS. */
export const SCHEMA_VERSION = 5;

/**
 * A meaning is a text, with the hash by which it is found (see text-addresses.ts), or an image, by its address.
 * `text_address` holds the older texts only.
 */
const MEANING = `
CREATE TABLE meaning (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT, hash INTEGER, image BLOB);
CREATE UNIQUE INDEX meaning_image ON meaning (image) WHERE image IS NOT NULL;
CREATE TABLE text_address (hash INTEGER NOT NULL, meaning INTEGER NOT NULL, PRIMARY KEY (hash, meaning)) WITHOUT ROWID;
`;

const DICTIONARIES = `
CREATE TABLE name (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL UNIQUE);
CREATE TABLE label_set (id INTEGER PRIMARY KEY AUTOINCREMENT, labels TEXT NOT NULL UNIQUE);
`;

/** The origin of a commit taken from another memory or derived; commits without a row are this memory's own. */
const HEARD = `
CREATE TABLE heard (commit_us INTEGER PRIMARY KEY, memory TEXT NOT NULL, at INTEGER NOT NULL, derived INTEGER NOT NULL, sum INTEGER);
CREATE INDEX heard_memory ON heard (memory, at);
`;

/**
 * The truth. `record` holds every version of every record; a row without `superseded_at` is what the memory believes
 * now. Row numbers grow with memory time and are never used again. Texts live once in `meaning`, their vectors apart in
 * `vector` so that another embedder's vectors can take the table's place in one step; a record's `lines` are the
 * little-endian uint32 ids of its meanings in order. `sum` is a checksum over the other cells of its row; cells outside
 * it are held twice (in an index), or under an address made of their content. Numbers of names are never reused: a
 * cached number of a forgotten name must not stand for another name.
 */
const TABLES = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL, sum INTEGER) WITHOUT ROWID;
${DICTIONARIES}
CREATE TABLE record (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  kind INTEGER NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  recorded_at INTEGER NOT NULL, superseded_at INTEGER,
  valid_from INTEGER NOT NULL, valid_to INTEGER,
  labels INTEGER NOT NULL, scene INTEGER NOT NULL, author INTEGER NOT NULL,
  category INTEGER, owner TEXT,
  submap INTEGER, x REAL, y REAL, z REAL, sx REAL, sy REAL, sz REAL,
  lines BLOB, image INTEGER,
  body TEXT NOT NULL, sum INTEGER
);
CREATE UNIQUE INDEX record_id ON record (id, version);
CREATE INDEX record_owner ON record (owner) WHERE owner IS NOT NULL;
${MEANING}
CREATE TABLE vector (meaning INTEGER PRIMARY KEY, data BLOB NOT NULL, sum INTEGER);
CREATE TABLE blob (id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, data BLOB NOT NULL);
CREATE TABLE record_blob (blob INTEGER NOT NULL, row INTEGER NOT NULL, PRIMARY KEY (blob, row)) WITHOUT ROWID;
CREATE TABLE sighting (
  row INTEGER PRIMARY KEY AUTOINCREMENT, recorded_at INTEGER NOT NULL,
  state INTEGER NOT NULL, time INTEGER NOT NULL, outcome INTEGER NOT NULL, agent INTEGER NOT NULL,
  labels INTEGER NOT NULL, observation TEXT, detection TEXT,
  submap INTEGER, x REAL, y REAL, z REAL, sum INTEGER
);
CREATE INDEX sighting_state ON sighting (state, time);
CREATE TABLE frame_edge (
  row INTEGER PRIMARY KEY AUTOINCREMENT, recorded_at INTEGER NOT NULL,
  parent INTEGER NOT NULL, child INTEGER NOT NULL, stamp INTEGER, kind TEXT NOT NULL, revision INTEGER NOT NULL,
  px REAL NOT NULL, py REAL NOT NULL, pz REAL NOT NULL,
  qw REAL NOT NULL, qx REAL NOT NULL, qy REAL NOT NULL, qz REAL NOT NULL, sum INTEGER
);
CREATE TABLE forgotten (row INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, id TEXT NOT NULL, reason TEXT NOT NULL, head INTEGER, sum INTEGER);
${HEARD}`;

/** Tells this memory's snapshots from another's. */
const IDENTITY = `INSERT INTO meta (key, value) VALUES ('databaseId', '"' || lower(hex(randomblob(16))) || '"');`;

/** From version n to n + 1; each runs inside the one transaction of the upgrade. */
const MIGRATIONS: Record<number, string> = {
  // Version 1 had no resident index: no name for its snapshots, and no way to tell it which rows are forgotten.
  1: `ALTER TABLE forgotten ADD COLUMN head INTEGER; ${IDENTITY}`,
  // Version 2 had every text in a unique index over SHA-256 hashes. Numbers stay, and stay used up.
  2: `ALTER TABLE meaning RENAME TO meaning_before; ${MEANING}
    INSERT INTO meaning (id, text, hash, image)
      SELECT id, text, iif(text IS NULL, NULL, text_hash(text)), iif(text IS NULL, hash, NULL) FROM meaning_before ORDER BY id;
    DELETE FROM sqlite_sequence WHERE name = 'meaning';
    INSERT INTO sqlite_sequence (name, seq) SELECT 'meaning', seq FROM sqlite_sequence WHERE name = 'meaning_before';
    DROP TABLE meaning_before;`,
  // Version 3 had no checksums, and took the numbers of names to stay for ever.
  3: `ALTER TABLE meta ADD COLUMN sum INTEGER; ALTER TABLE record ADD COLUMN sum INTEGER;
    ALTER TABLE vector ADD COLUMN sum INTEGER; ALTER TABLE sighting ADD COLUMN sum INTEGER;
    ALTER TABLE frame_edge ADD COLUMN sum INTEGER; ALTER TABLE forgotten ADD COLUMN sum INTEGER;
    ALTER TABLE name RENAME TO name_before; ALTER TABLE label_set RENAME TO label_set_before; ${DICTIONARIES}
    INSERT INTO name SELECT id, text FROM name_before ORDER BY id;
    INSERT INTO label_set SELECT id, labels FROM label_set_before ORDER BY id;
    DROP TABLE name_before; DROP TABLE label_set_before;
    UPDATE record SET sum = record_sum(kind, id, version, recorded_at, superseded_at, valid_from, valid_to, labels, scene,
      author, category, owner, submap, x, y, z, sx, sy, sz, lines, image, body);
    UPDATE vector SET sum = row_sum(meaning, data);
    UPDATE sighting SET sum = row_sum(recorded_at, state, time, outcome, agent, labels, observation, detection, submap, x, y, z);
    UPDATE frame_edge SET sum = row_sum(recorded_at, parent, child, stamp, kind, revision, px, py, pz, qw, qx, qy, qz);
    UPDATE forgotten SET sum = row_sum(at, id, reason, head);
    UPDATE meta SET sum = row_sum(key, value);`,
  // Version 4 knew no other memories.
  4: `${HEARD}
    UPDATE meta SET value = json_set(value, '$.totals.heard', json('[0,0]')) WHERE key = 'head';
    UPDATE meta SET sum = row_sum(key, value) WHERE key = 'head';`,
};

/** Makes the tables of a new memory. */
export function createTables(db: DatabaseSync): void {
  db.function("row_sum", { deterministic: true, varargs: true }, (...cells) => sumOf(cells as Cell[]));
  db.exec(
    `BEGIN IMMEDIATE; ${TABLES} ${IDENTITY} UPDATE meta SET sum = row_sum(key, value); PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT;`,
  );
}

/** The tables' version, or an error that says why this file is not one of our memories. */
export function versionOf(db: DatabaseSync, path: string): number {
  const application = pragma(db, "application_id");
  if (application !== APPLICATION_ID) {
    throw new LociError(
      "memory-corrupt",
      `${path} is a SQLite file but not a Loci memory; give another folder`,
    );
  }
  const version = pragma(db, "user_version");
  if (version > SCHEMA_VERSION) {
    throw new LociError(
      "memory-newer",
      `${path} was written by a newer Loci (schema ${version}, this one knows ${SCHEMA_VERSION}); upgrade Loci`,
    );
  }
  return version;
}

/** Brings an older memory up to date, all or nothing. */
export function migrate(db: DatabaseSync, from: number): void {
  if (from === SCHEMA_VERSION) return;
  db.function("text_hash", { deterministic: true }, (text) => textHash(String(text)));
  db.function("row_sum", { deterministic: true, varargs: true }, (...cells) => sumOf(cells as Cell[]));
  db.function("record_sum", { deterministic: true, varargs: true }, (...cells) =>
    recordSum([...(cells as Cell[])]),
  );
  db.exec("BEGIN IMMEDIATE");
  try {
    for (let version = from; version < SCHEMA_VERSION; version++) {
      const step = MIGRATIONS[version];
      if (step === undefined)
        throw new LociError("memory-corrupt", `no way leads from schema ${version} to ${SCHEMA_VERSION}`);
      db.exec(step);
    }
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0] ?? 0);
}
