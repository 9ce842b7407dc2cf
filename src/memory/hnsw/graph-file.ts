import { createHash } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { z } from "zod";
import type { VectorSpace } from "../port.ts";
import type { Connection } from "../sqlite/connection.ts";

const FORMAT = 1;
const CHUNK_BYTES = 1024 * 1024;

/**
 * What a graph on disk was made from. It covers every vector of its space up to `lastKey`, and with them every record
 * up to the row `record`: later rows are the tail. The identity is this database, this very row, these vectors, this
 * many acts of forgetting; with any difference the file is not trusted.
 */
const graphFacts = z.strictObject({
  format: z.literal(FORMAT),
  identity: z.string(),
  dim: z.int().min(1),
  epoch: z.int().min(0),
  forgotten: z.int().min(0),
  record: z.int().min(1),
  lastKey: z.int().min(0),
  vectors: z.int().min(0),
  file: z.string().regex(/^hnsw-(text|image)-[0-9a-f]{16}\.bin$/),
  sha256: z.string(),
});

export type GraphFacts = z.infer<typeof graphFacts>;

/** The vectors of each space, as the end of a SELECT. */
export const VECTORS_OF: Readonly<Record<VectorSpace, string>> = {
  text: "FROM vector v JOIN meaning m ON m.id = v.meaning WHERE m.text IS NOT NULL",
  image: "FROM vector v JOIN meaning m ON m.id = v.meaning WHERE m.text IS NULL",
};

/** How far a graph follows the truth. */
export type GraphPosition = Pick<GraphFacts, "epoch" | "forgotten" | "record">;

/** The truth's position now; undefined while there is nothing to cover. */
export function positionOf(connection: Connection): GraphPosition | undefined {
  return connection.reading(() => {
    const record = Number(connection.row("SELECT max(row) FROM record")?.[0] ?? 0);
    if (record === 0) return undefined;
    const forgotten = Number(connection.row("SELECT coalesce(max(row), 0) FROM forgotten")?.[0]);
    return { epoch: connection.vectorEpoch(), forgotten, record };
  });
}

/**
 * Whether every vector of a graph is still the truth. Texts may also go without an act of forgetting, with past
 * versions of their records: then the vectors up to the last key are fewer than the graph has.
 */
export function isTrue(
  connection: Connection,
  space: VectorSpace,
  made: Omit<GraphPosition, "record"> & Pick<GraphFacts, "lastKey" | "vectors">,
): boolean {
  return connection.reading(() => {
    const now = positionOf(connection);
    if (now?.epoch !== made.epoch || now.forgotten !== made.forgotten) return false;
    const left = connection.row(`SELECT count(*) ${VECTORS_OF[space]} AND v.meaning <= ?`, made.lastKey)?.[0];
    return Number(left) === made.vectors;
  });
}

/** The graph that is kept in a folder, if it is whole and of this very memory as it is now or was a while ago. */
export function keptGraph(
  connection: Connection,
  folder: string,
  space: VectorSpace,
): GraphFacts | undefined {
  let facts: GraphFacts;
  try {
    facts = graphFacts.parse(JSON.parse(readFileSync(factsPath(folder, space), "utf8")));
  } catch {
    return undefined;
  }
  if (!isTrue(connection, space, facts)) return undefined;
  if (identityOf(connection, space, facts) !== facts.identity) return undefined;
  try {
    // The native code trusts what it maps: a file is read whole and compared before it is handed over.
    return digestOf(join(folder, facts.file)) === facts.sha256 ? facts : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Writes a graph beside the database. Its name comes from its content, so a mapped file is never written again; the
 * facts appear last, under their name only when whole.
 */
export function keepGraph(
  connection: Connection,
  folder: string,
  space: VectorSpace,
  made: GraphPosition & Pick<GraphFacts, "dim" | "lastKey" | "vectors">,
  save: (path: string) => void,
): GraphFacts | undefined {
  const identity = identityOf(connection, space, made);
  if (identity === undefined) return undefined;
  const partial = join(folder, `hnsw-${space}-${process.pid}-${threadId}.partial`);
  try {
    save(partial);
    flush(partial);
    const sha256 = digestOf(partial);
    const file = `hnsw-${space}-${sha256.slice(0, 16)}.bin`;
    const facts: GraphFacts = { format: FORMAT, identity, ...made, file, sha256 };
    renameSync(partial, join(folder, file));
    writeFileSync(partial, JSON.stringify(facts), { flush: true });
    renameSync(partial, factsPath(folder, space));
    return facts;
  } catch (error) {
    // A concurrent forget deleted the half-written file.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  } finally {
    rmSync(partial, { force: true });
  }
}

function factsPath(folder: string, space: VectorSpace): string {
  return join(folder, `hnsw-${space}.json`);
}

/** Differs for another database, another history, another embedder or facts that were tampered with. */
function identityOf(
  connection: Connection,
  space: VectorSpace,
  { epoch, forgotten, record }: GraphPosition,
): string | undefined {
  const last = connection.row("SELECT id, version, recorded_at FROM record WHERE row = ?", record);
  if (last === undefined) return undefined;
  const parts = [
    connection.meta("databaseId"),
    connection.embedder(space),
    epoch,
    forgotten,
    record,
    last,
    space,
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function digestOf(path: string): string {
  const hash = createHash("sha256");
  const file = openSync(path, "r");
  try {
    const chunk = new Uint8Array(CHUNK_BYTES);
    for (let got = readSync(file, chunk); got > 0; got = readSync(file, chunk))
      hash.update(chunk.subarray(0, got));
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}

function flush(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
