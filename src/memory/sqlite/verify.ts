import { blobRefOf, blobsOf, recordSchema, referencesOf } from "../../schema/index.ts";
import { COLUMN, RECORD_COLUMNS, unpackIds } from "./codec.ts";
import type { Connection } from "./connection.ts";
import { dropOrphans } from "./forget.ts";
import { reembeddingTo } from "./reembed.ts";
import { isHalfRestored } from "./restore.ts";
import { textHash } from "./text-addresses.ts";

/** What was looked at and what was found; `problems` are about the truth and cannot be mended by us. */
export interface VerifyReport {
  readonly checked: {
    readonly records: number;
    readonly sightings: number;
    readonly vectors: number;
    readonly blobs: number;
  };
  readonly problems: string[];
  readonly repaired: string[];
}

const MOST_PROBLEMS = 100;

/** Reads everything and holds it against the rules. With `repair`, what can be made again is made again. */
export function verifyMemory(connection: Connection, repair: boolean): VerifyReport {
  const problems: string[] = [];
  const repaired: string[] = [];
  const problem = (text: string) => problems.length < MOST_PROBLEMS && problems.push(text);
  for (const [line] of connection.rows("PRAGMA integrity_check(20)"))
    if (line !== "ok") problem(`file: ${line}`);
  if (isHalfRestored(connection)) problem("an import was cut off");
  const moving = reembeddingTo(connection);
  if (moving) problem(`a move to embedder ${moving.id} is unfinished; run reembed again`);
  const records = checkRecords(connection, problem);
  const sightings = checkSightings(connection, problem);
  const vectors = checkMeanings(connection, problem);
  const blobs = checkBlobs(connection, problem);
  try {
    connection.frameGraph(undefined);
  } catch (error) {
    problem(`frames: ${(error as Error).message}`);
  }
  const lost = connection.texts.problem();
  const last = Number(connection.row("SELECT coalesce(max(recorded_at), 0) FROM record")?.[0]);
  const clockBehind = Number(connection.meta("lastCommitUs") ?? 0) < last;
  if (repair) {
    connection.writing(() => {
      const { texts, vectors: spare, blobs: unused } = dropOrphans(connection);
      if (texts + spare + unused > 0)
        repaired.push(`${texts} texts, ${spare} vectors and ${unused} blobs that nothing used`);
      if (clockBehind) {
        connection.setMeta("lastCommitUs", last);
        repaired.push("the memory clock");
      }
      if (connection.texts.problem() !== undefined) {
        connection.texts.mend();
        repaired.push("the addresses of texts");
      }
    });
  } else {
    if (clockBehind) problem("the memory clock is behind its records; run verify with repair");
    if (lost !== undefined) problem(`${lost}; run verify with repair`);
  }
  return { checked: { records, sightings, vectors, blobs }, problems, repaired };
}

type Problem = (text: string) => void;

function checkRecords(connection: Connection, problem: Problem): number {
  let count = 0;
  let previous: { id: string; version: number; supersededAt: unknown } | undefined;
  const exists = (id: string) =>
    connection.row("SELECT 1 FROM record WHERE id = ? LIMIT 1", id) !== undefined;
  for (const row of connection.each(`SELECT ${RECORD_COLUMNS} FROM record ORDER BY id, version`)) {
    count++;
    const id = String(row[COLUMN.id]);
    const version = Number(row[COLUMN.version]);
    const where = `record ${id} version ${version}`;
    try {
      const { version: _v, recordedAtUs: _r, supersededAtUs: _s, ...record } = connection.decode(row);
      const parsed = recordSchema.safeParse(record);
      if (!parsed.success) problem(`${where}: ${parsed.error.issues[0]?.message}`);
      else {
        for (const { field, id: other } of referencesOf(parsed.data)) {
          if (!exists(other)) problem(`${where}: ${field} names "${other}", which is not there`);
        }
        for (const ref of blobsOf(parsed.data)) {
          if (!connection.row("SELECT 1 FROM blob WHERE hash = ?", Buffer.from(ref, "hex")))
            problem(`${where}: blob ${ref.slice(0, 12)}… is missing`);
        }
      }
    } catch (error) {
      problem(`${where}: ${(error as Error).message}`);
    }
    const follows = previous?.id === id;
    // Numbers may leave some out, where the past was given up; the chain of times may not.
    if (follows && previous!.supersededAt !== row[COLUMN.recordedAt])
      problem(`${where}: does not begin where version ${previous!.version} ends`);
    if (!follows && previous && previous.supersededAt !== null)
      problem(`record ${previous.id}: has no current version`);
    previous = { id, version, supersededAt: row[COLUMN.supersededAt] };
  }
  if (previous && previous.supersededAt !== null) problem(`record ${previous.id}: has no current version`);
  return count;
}

function checkSightings(connection: Connection, problem: Problem): number {
  for (const [state] of connection.rows("SELECT DISTINCT state FROM sighting")) {
    const id = connection.names.textOf(Number(state));
    if (!connection.row("SELECT 1 FROM record WHERE id = ? LIMIT 1", id))
      problem(`sightings of "${id}", which is not there`);
  }
  return Number(connection.row("SELECT count(*) FROM sighting")?.[0]);
}

function checkMeanings(connection: Connection, problem: Problem): number {
  const dims = { text: connection.embedder("text")?.dim, image: connection.embedder("image")?.dim };
  const known = new Set<number>();
  let vectors = 0;
  for (const [id, hash, text, data] of connection.each(
    "SELECT m.id, m.hash, m.text, v.data FROM meaning m LEFT JOIN vector v ON v.meaning = m.id",
  )) {
    known.add(Number(id));
    if (text !== null && Number(hash) !== textHash(String(text))) {
      problem(`text ${id}: its content does not match its address`);
    }
    if (data === null) continue;
    vectors++;
    const dim = text === null ? dims.image : dims.text;
    if ((data as Uint8Array).byteLength !== (dim ?? -1) * 4)
      problem(`vector ${id}: not of the embedder's length`);
  }
  for (const [text, ids] of connection.rows(
    "SELECT min(text), group_concat(id, ', ') FROM meaning WHERE text IS NOT NULL GROUP BY hash, text HAVING count(*) > 1",
  )) {
    problem(`texts ${ids}: "${String(text).slice(0, 40)}" is stored more than once`);
  }
  for (const [row, lines, image] of connection.each("SELECT row, lines, image FROM record")) {
    for (const id of [...unpackIds(lines), ...(image === null ? [] : [Number(image)])]) {
      if (!known.has(id)) problem(`record row ${row}: text ${id} is missing`);
    }
  }
  return vectors;
}

function checkBlobs(connection: Connection, problem: Problem): number {
  let count = 0;
  for (const [hash, data] of connection.each("SELECT hash, data FROM blob")) {
    count++;
    const ref = Buffer.from(hash as Uint8Array).toString("hex");
    if (blobRefOf(data as Uint8Array) !== ref)
      problem(`blob ${ref.slice(0, 12)}…: its content does not match its address`);
  }
  return count;
}
