import { LociError } from "../../schema/core.ts";
import { type Database, type Session, transaction } from "./database.ts";

/** Raised with every change of the tables, together with a step in MIGRATIONS. */
export const SCHEMA_VERSION = 4;

/** Hash partitions of each large table: scenes share them, however many there are. */
export const PARTITIONS = 32;

/** The oldest pgvector with all the exact functions. */
const LEAST_PGVECTOR = [0, 8];

/**
 * The same truth as SQLite's, for many scenes at once. A scene is one memory, opened by one URL: its number leads every
 * key, so that one partition, or one node of a distributed PostgreSQL, holds all of it. Writers lock the row of `scene`
 * in turn: it counts rows and memory time, so that numbers grow in the order of commits, which no sequence, transaction
 * id or clock promises.
 *
 * `record` holds every version of every record; a row without `superseded_at` is what the memory believes now.
 * Positions are relative to their submap, and so is `cell`: a correction of the map touches no row; `reach` is how far
 * a box goes from its centre. Columns of a fixed width come first, since rows are filtered by them. `span` is the class
 * of an interval's length: an overlap is then a short range of `valid_from` in each class. The indexes of place and
 * time cover all filter columns and the references to vectors: candidates are found in them alone. `posting` holds the
 * words and line numbers of believed rows only, `word_total` their number by kind and labels, for BM25.
 */
const TABLES: Readonly<
  Record<string, { columns: string; key: string; partitioned?: true; indexes?: readonly string[] }>
> = {
  scene: {
    columns: `scene_id bigint NOT NULL, name text COLLATE "C" NOT NULL, commit_us bigint NOT NULL DEFAULT 0,
      record_row bigint NOT NULL DEFAULT 0, sighting_row bigint NOT NULL DEFAULT 0, frame_row bigint NOT NULL DEFAULT 0,
      forgotten_row bigint NOT NULL DEFAULT 0, meaning_id integer NOT NULL DEFAULT 0, epoch integer NOT NULL DEFAULT 0,
      settings text NOT NULL DEFAULT '{}'`,
    key: "scene_id",
  },
  work: {
    columns: `scene_id bigint NOT NULL, id text COLLATE "C" NOT NULL, value text NOT NULL`,
    key: "scene_id, id",
  },
  commit_token: {
    columns: "scene_id bigint NOT NULL, token uuid NOT NULL, commit_us bigint NOT NULL, result text NOT NULL",
    key: "scene_id, token",
  },
  record: {
    columns: `scene_id bigint NOT NULL, row bigint NOT NULL, recorded_at bigint NOT NULL, valid_from bigint NOT NULL,
      reach float8 NOT NULL, version integer NOT NULL, words integer NOT NULL, kind smallint NOT NULL,
      span smallint NOT NULL, superseded_at bigint, valid_to bigint, cell bigint, x float8, y float8, z float8,
      sx float8, sy float8, sz float8, image integer, id text COLLATE "C" NOT NULL, submap text COLLATE "C",
      labels text[] COLLATE "C" NOT NULL, scene_name text COLLATE "C" NOT NULL, author text COLLATE "C" NOT NULL,
      category text COLLATE "C", owner text COLLATE "C", lines integer[], body text COLLATE "C" NOT NULL`,
    key: "scene_id, row",
    partitioned: true,
    indexes: [
      "UNIQUE (scene_id, id, version)",
      "(scene_id, owner) WHERE owner IS NOT NULL",
      "(scene_id, submap, cell) INCLUDE (valid_from, valid_to, x, y, z, reach, kind, row, lines) WHERE superseded_at IS NULL AND cell IS NOT NULL",
      "(scene_id, span, valid_from) INCLUDE (valid_to, submap, x, y, z, reach, kind, row, lines) WHERE superseded_at IS NULL",
      "(scene_id, valid_from, id) WHERE superseded_at IS NULL",
    ],
  },
  meaning: {
    columns: `scene_id bigint NOT NULL, id integer NOT NULL, text text COLLATE "C", hash bigint, image bytea`,
    key: "scene_id, id",
    partitioned: true,
    indexes: ["(scene_id, hash) WHERE hash IS NOT NULL", "UNIQUE (scene_id, image) WHERE image IS NOT NULL"],
  },
  meaning_vector: {
    columns: "scene_id bigint NOT NULL, meaning integer NOT NULL, embedding vector NOT NULL",
    key: "scene_id, meaning",
    partitioned: true,
  },
  meaning_vector_next: {
    columns: "scene_id bigint NOT NULL, meaning integer NOT NULL, embedding vector NOT NULL",
    key: "scene_id, meaning",
  },
  posting: {
    columns: `scene_id bigint NOT NULL, term text COLLATE "C" NOT NULL, row bigint NOT NULL, tf integer NOT NULL`,
    key: "scene_id, term, row",
    partitioned: true,
    indexes: ["(scene_id, row)"],
  },
  word_total: {
    columns: `scene_id bigint NOT NULL, kind smallint NOT NULL, labels text[] COLLATE "C" NOT NULL,
      records bigint NOT NULL, words bigint NOT NULL`,
    key: "scene_id, kind, labels",
  },
  blob: {
    columns: "scene_id bigint NOT NULL, hash bytea NOT NULL, size integer NOT NULL, data bytea",
    key: "scene_id, hash",
    partitioned: true,
  },
  blob_leaving: {
    columns: "scene_id bigint NOT NULL, hash bytea NOT NULL",
    key: "scene_id, hash",
  },
  record_blob: {
    columns: "scene_id bigint NOT NULL, hash bytea NOT NULL, row bigint NOT NULL",
    key: "scene_id, hash, row",
    partitioned: true,
    indexes: ["(scene_id, row)"],
  },
  sighting: {
    columns: `scene_id bigint NOT NULL, row bigint NOT NULL, recorded_at bigint NOT NULL, state text COLLATE "C" NOT NULL,
      time bigint NOT NULL, outcome smallint NOT NULL, agent text COLLATE "C" NOT NULL,
      labels text[] COLLATE "C" NOT NULL, observation text COLLATE "C", detection text COLLATE "C",
      submap text COLLATE "C", x float8, y float8, z float8`,
    key: "scene_id, row",
    partitioned: true,
    indexes: ["(scene_id, state, time)", "(scene_id, time)"],
  },
  frame_edge: {
    columns: `scene_id bigint NOT NULL, row bigint NOT NULL, recorded_at bigint NOT NULL, parent text NOT NULL,
      child text NOT NULL, stamp bigint, kind text NOT NULL, revision bigint NOT NULL,
      px float8 NOT NULL, py float8 NOT NULL, pz float8 NOT NULL,
      qw float8 NOT NULL, qx float8 NOT NULL, qy float8 NOT NULL, qz float8 NOT NULL`,
    key: "scene_id, row",
  },
  forgotten: {
    columns: `scene_id bigint NOT NULL, row bigint NOT NULL, at bigint NOT NULL, id text COLLATE "C" NOT NULL,
      reason text NOT NULL, head bigint`,
    key: "scene_id, row",
  },
  heard: {
    columns: `scene_id bigint NOT NULL, commit_us bigint NOT NULL, memory text COLLATE "C" NOT NULL, at bigint NOT NULL,
      derived boolean NOT NULL`,
    key: "scene_id, commit_us",
    indexes: ["(scene_id, memory, at)"],
  },
};

/** The database role of restricted readers, and the rows it may see; a second barrier behind our own label filters. */
export const READER_ROLE = "loci_reader";
const WALLED = ["record", "sighting", "word_total"];

/** Where the URL's user may not create roles the second barrier is missing, and our own filters stand alone. */
const SECOND_WALL = `DO $$ BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '${READER_ROLE}') THEN CREATE ROLE ${READER_ROLE} NOLOGIN; END IF;
  EXECUTE format('GRANT USAGE ON SCHEMA %I TO ${READER_ROLE}', current_schema());
  EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO ${READER_ROLE}', current_schema());
EXCEPTION WHEN insufficient_privilege THEN RAISE NOTICE 'no role for restricted readers';
END $$;
${WALLED.map(
  (table) => `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
CREATE POLICY held ON ${table} FOR SELECT USING (labels <@ (SELECT current_setting('loci.labels')::text[]));`,
).join("\n")}`;

/** From version n to n + 1; each runs inside the one transaction of the upgrade. */
const MIGRATIONS: Record<number, string> = {
  // Version 1 knew no other memories. Cells along a Z-curve instead of column by column, and how far boxes reach.
  1: `CREATE TABLE heard (${TABLES["heard"]!.columns}, PRIMARY KEY (${TABLES["heard"]!.key}));
    CREATE INDEX heard_i0 ON heard ${TABLES["heard"]!.indexes![0]};
    ALTER TABLE record ADD COLUMN reach float8 NOT NULL DEFAULT 0;
    UPDATE record SET reach = sx + sy + sz WHERE sx IS NOT NULL;
    CREATE FUNCTION pg_temp.spread(bigint) RETURNS bigint LANGUAGE plpgsql AS $$ DECLARE b bigint := $1; BEGIN
      b := (b | (b << 16)) & ${0x0000_ffff_0000_ffffn}; b := (b | (b << 8)) & ${0x00ff_00ff_00ff_00ffn};
      b := (b | (b << 4)) & ${0x0f0f_0f0f_0f0f_0f0fn}; b := (b | (b << 2)) & ${0x3333_3333_3333_3333n};
      RETURN (b | (b << 1)) & ${0x5555_5555_5555_5555n}; END $$;
    UPDATE record SET cell = ((cell >> 48) << 48) | (pg_temp.spread((cell >> 24) & 16777215) << 1)
      | pg_temp.spread(cell & 16777215) WHERE cell < ${8n << 48n};`,
  // Blobs may lie in a store.
  2: `ALTER TABLE blob ALTER COLUMN data DROP NOT NULL;
    ALTER TABLE blob ADD COLUMN size integer NOT NULL DEFAULT 0;
    UPDATE blob SET size = length(data);
    CREATE TABLE blob_leaving (scene_id bigint NOT NULL, hash bytea NOT NULL, PRIMARY KEY (scene_id, hash));`,
  // Indexes that cover every column by which candidates are chosen.
  3: [2, 3]
    .map(
      (n) =>
        `DROP INDEX IF EXISTS record_i${n}; CREATE INDEX record_i${n} ON record ${TABLES["record"]!.indexes![n]};`,
    )
    .join("\n"),
};

/**
 * Vectors stay in their rows up to a page, not in separate storage as from 2 kB on; a search reads nothing else of
 * them.
 */
const INLINE: Readonly<Record<string, string>> = { meaning_vector: " WITH (toast_tuple_target = 8160)" };

/** Names of all tables that hold something of a scene. */
export const SCENE_TABLES: readonly string[] = Object.keys(TABLES);

/** The statements that make the tables of a new database. */
export function createStatements(partitions = PARTITIONS): string {
  const statements: string[] = [];
  for (const [name, { columns, key, partitioned, indexes = [] }] of Object.entries(TABLES)) {
    const spread = partitioned && partitions > 1;
    statements.push(
      `CREATE TABLE ${name} (${columns}, PRIMARY KEY (${key}))${spread ? " PARTITION BY HASH (scene_id)" : ""}`,
    );
    for (let n = 0; spread && n < partitions; n++)
      statements.push(
        `CREATE TABLE ${name}_p${n} PARTITION OF ${name} FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${n})${INLINE[name] ?? ""}`,
      );
    indexes.forEach((index, i) => {
      const unique = index.startsWith("UNIQUE ");
      statements.push(
        `CREATE ${unique ? "UNIQUE " : ""}INDEX ${name}_i${i} ON ${name} ${index.slice(unique ? 7 : 0)}`,
      );
    });
  }
  statements.push(
    `CREATE UNIQUE INDEX scene_name ON scene (name)`,
    // Vectors and pictures do not compress; trying to costs time at every read.
    `ALTER TABLE blob ALTER COLUMN data SET STORAGE EXTERNAL`,
    `CREATE TABLE schema_version (version integer NOT NULL)`,
    `INSERT INTO schema_version VALUES (${SCHEMA_VERSION})`,
  );
  return `${statements.join(";\n")};\n${SECOND_WALL}`;
}

/** Creates or upgrades the tables, all or nothing; a concurrent second call waits and finds them. */
export async function prepareTables(
  database: Database,
  { schema, create, partitions }: { schema: string; create: boolean; partitions?: number | undefined },
): Promise<void> {
  const found = await database.session((session) => versionOf(session, schema));
  if (found === SCHEMA_VERSION) return;
  if (found === undefined && !create)
    throw new LociError(
      "memory-not-found",
      `${database.what} has no Loci memory in schema "${schema}"; remember something first`,
    );
  await database.session(async (session) => {
    if (found === undefined) await requireVectors(session, database.what);
    await transaction(session, `BEGIN; SELECT pg_advisory_xact_lock(${0x4c_4f_43_49})`, async () => {
      const version = await versionOf(session, schema);
      if (version === undefined) {
        await session.exec(`CREATE SCHEMA IF NOT EXISTS ${schema}; ${createStatements(partitions)}`);
        return;
      }
      for (let from = version; from < SCHEMA_VERSION; from++) {
        const step = MIGRATIONS[from];
        if (step === undefined)
          throw new LociError("memory-corrupt", `no way leads from schema ${from} to ${SCHEMA_VERSION}`);
        await session.exec(step);
      }
      await session.run("UPDATE schema_version SET version = $1", [SCHEMA_VERSION]);
    });
  });
}

/** The version of the tables; undefined where there are none. */
async function versionOf(session: Session, schema: string): Promise<number | undefined> {
  const [there] = await session.rows("SELECT to_regclass($1)::text, to_regclass($2)::text", [
    `${schema}.schema_version`,
    `${schema}.record`,
  ]);
  if (there?.[0] === null) {
    if (there[1] === null) return undefined;
    throw new LociError(
      "memory-corrupt",
      `schema "${schema}" has a table "record" that is not Loci's; give another schema`,
    );
  }
  const version = Number((await session.rows("SELECT version FROM schema_version"))[0]?.[0]);
  if (version > SCHEMA_VERSION)
    throw new LociError(
      "memory-newer",
      `this database was written by a newer Loci (schema ${version}, this one knows ${SCHEMA_VERSION}); upgrade Loci`,
    );
  return version;
}

/** Whether restricted readers can be made to read as that role. */
export async function hasSecondWall(database: Database): Promise<boolean> {
  return database.session(async (session) => {
    const [row] = await session.rows(
      "SELECT coalesce((SELECT pg_has_role(current_user, oid, 'MEMBER') FROM pg_roles WHERE rolname = $1), false)",
      [READER_ROLE],
    );
    return row![0] === true;
  });
}

async function requireVectors(session: Session, what: string): Promise<void> {
  const version = async () =>
    (await session.rows("SELECT extversion FROM pg_extension WHERE extname = 'vector'"))[0]?.[0];
  let found = await version();
  if (found === undefined) {
    const [available] = await session.rows(
      "SELECT default_version FROM pg_available_extensions WHERE name = 'vector'",
    );
    if (available === undefined)
      throw new LociError(
        "not-supported",
        `${what} has no pgvector; install it on the server (package postgresql-NN-pgvector)`,
      );
    await session.exec("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public");
    found = await version();
  }
  const [major = 0, minor = 0] = String(found).split(".").map(Number);
  if (major < LEAST_PGVECTOR[0]! || (major === LEAST_PGVECTOR[0] && minor < LEAST_PGVECTOR[1]!))
    throw new LociError(
      "not-supported",
      `${what} has pgvector ${found}; Loci needs ${LEAST_PGVECTOR.join(".")} or newer`,
    );
}
