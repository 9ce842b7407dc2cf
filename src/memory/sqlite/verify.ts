import { blobRefOf, blobsOf, recordSchema, referencesOf } from "../../schema/index.ts";
import type { VerifyReport } from "../port.ts";
import { COLUMN, RECORD_COLUMNS, unpackIds } from "../rows/codec.ts";
import { textHash } from "../rows/text-hash.ts";
import { type Connection, imageAddress } from "./connection.ts";
import { dropOrphans } from "./forget.ts";
import { notedHead } from "./head.ts";
import { reembeddingTo } from "./reembed.ts";
import { chainProblems, checkSums, LOST } from "./verify-sums.ts";
import { TRACES } from "./wipe.ts";

const MAX_PROBLEMS = 100;

/** Reads everything and holds it against the rules. With `repair`, what can be made again is made again. */
export function verifyMemory(connection: Connection, repair: boolean): VerifyReport {
  const problems: string[] = [];
  const repaired: string[] = [];
  const problem = (text: string) => problems.length < MAX_PROBLEMS && problems.push(text);
  const checked = { records: 0, sightings: 0, vectors: 0, blobs: 0 };
  // The note is read first: a concurrent writer is then ahead of it, never behind.
  const note = notedHead(connection.path);
  try {
    connection.reading(() => {
      for (const [line] of connection.rows("PRAGMA integrity_check(20)"))
        if (line !== "ok") problem(`file: ${line}`);
      const moving = reembeddingTo(connection);
      if (moving) problem(`a move to embedder ${moving.id} is unfinished; run reembed again`);
      checked.records = checkRecords(connection, problem);
      checked.sightings = checkSightings(connection, problem);
      checked.vectors = checkMeanings(connection, problem);
      checked.blobs = checkBlobs(connection, problem);
      checkSums(connection, problem);
      try {
        connection.frameGraph(undefined);
      } catch (error) {
        problem(`frames: ${(error as Error).message}`);
      }
    });
  } catch (error) {
    // Some damage makes everything after it unreadable.
    problem(`file: ${(error as Error).message}`);
    return { checked, problems, repaired };
  }
  const mendable = [
    ...chainProblems(connection, note),
    ...connection.reading(() => clockProblem(connection)),
    ...(connection.meta(TRACES) === true ? ["what was forgotten may still be in the file or its log"] : []),
  ];
  const lost = connection.texts.problem();
  if (lost !== undefined) mendable.push(lost);
  if (repair) repaired.push(...mend(connection));
  else for (const one of mendable) problem(`${one}; run verify with repair`);
  return { checked, problems, repaired };
}

/** Makes again what can be made again, and takes the rest for what it is from now on. */
function mend(connection: Connection): string[] {
  const repaired: string[] = [];
  const note = notedHead(connection.path);
  connection.writing(() => {
    const { texts, vectors, blobs } = dropOrphans(connection);
    if (texts + vectors + blobs > 0)
      repaired.push(`${texts} texts, ${vectors} vectors and ${blobs} blobs that nothing used`);
    if (clockProblem(connection).length > 0) {
      connection.setMeta("lastCommitUs", lastRecordedUs(connection));
      repaired.push("the memory clock");
    }
    if (connection.texts.problem() !== undefined) {
      connection.texts.mend();
      repaired.push("the addresses of texts");
    }
    for (const what of chainProblems(connection, note)) repaired.push(`taken as it is: ${what}`);
    connection.run("DELETE FROM meta WHERE key = ?", LOST);
  });
  return repaired;
}

function clockProblem(connection: Connection): string[] {
  const behind = Number(connection.meta("lastCommitUs") ?? 0) < lastRecordedUs(connection);
  return behind ? ["the memory clock is behind its records"] : [];
}

function lastRecordedUs(connection: Connection): number {
  return Number(connection.row("SELECT coalesce(max(recorded_at), 0) FROM record")?.[0]);
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
        const named = blobsOf(parsed.data);
        for (const ref of named) {
          if (!connection.row("SELECT 1 FROM blob WHERE hash = ?", Buffer.from(ref, "hex")))
            problem(`${where}: blob ${ref.slice(0, 12)}… is missing`);
        }
        const [linked] = connection.row(
          "SELECT group_concat(lower(hex(b.hash)) ORDER BY b.hash) FROM record_blob rb JOIN blob b ON b.id = rb.blob WHERE rb.row = ?",
          row[COLUMN.row]!,
        )!;
        if ((linked ?? "") !== named.sort().join())
          problem(`${where}: is linked to other blobs than it names`);
      }
    } catch (error) {
      const { message } = error as Error;
      problem(message.startsWith(where) ? message : `${where}: ${message}`);
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
  const images = new Set(
    connection.rows("SELECT hash FROM blob").map(([hash]) => hexOf(imageAddress(hexOf(hash as Uint8Array)))),
  );
  for (const [id, image] of connection.rows("SELECT id, image FROM meaning WHERE text IS NULL")) {
    if (!(image instanceof Uint8Array) || !images.has(hexOf(image)))
      problem(`image ${id}: its address is that of no blob`);
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

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
