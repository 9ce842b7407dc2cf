import { RECORD_KINDS, type RecordKind } from "../../schema/core.ts";
import type { MemoryStats } from "../port.ts";
import { COLUMN, RECORD_COLUMNS, unpackIds } from "./codec.ts";
import type { Connection } from "./connection.ts";
import { imageMeanings } from "./forget.ts";
import type { ReadView } from "./read-view.ts";

/**
 * Counts of what this reader can see. The owner's come straight from the tables; anybody else's are counted row
 * by row, because a total would tell of what is hidden. Bytes are the owner's business only.
 */
export function statsOf(connection: Connection, view: ReadView, bytes: number): MemoryStats {
  const whole =
    view.unrestricted && view.options.asOfMemoryUs === undefined && view.options.asOfWorldUs === undefined;
  const counts = whole ? wholeCounts(connection) : visibleCounts(connection, view);
  return {
    ...counts,
    bytes: whole ? bytes : 0,
    frames: view.visibleFrames().edges.length,
    embedder: connection.embedder("text"),
    imageEmbedder: connection.embedder("image"),
    mapRevision: view.options.mapRevision ?? view.knownFrames().revision,
  };
}

type Counts = Omit<MemoryStats, "bytes" | "frames" | "embedder" | "imageEmbedder" | "mapRevision">;

function wholeCounts(connection: Connection): Counts {
  const records = emptyCounts();
  for (const [kind, count] of connection.rows(
    "SELECT kind, count(*) FROM record WHERE superseded_at IS NULL GROUP BY kind",
  )) {
    records[RECORD_KINDS[Number(kind)]!] = Number(count);
  }
  const one = (sql: string) => Number(connection.row(sql)?.[0] ?? 0);
  const span = connection.row(
    "SELECT min(valid_from), max(coalesce(valid_to, valid_from)) FROM record WHERE superseded_at IS NULL",
  );
  return {
    records,
    versions: one("SELECT count(*) FROM record"),
    sightings: one("SELECT count(*) FROM sighting"),
    ...wholeContents(connection),
    firstUs: numberOrNull(span?.[0]),
    lastUs: numberOrNull(span?.[1]),
    lastCommitUs: lastCommit(connection),
  };
}

function wholeContents(connection: Connection): Pick<Counts, "texts" | "vectors" | "blobs"> {
  const one = (sql: string) => Number(connection.row(sql)?.[0] ?? 0);
  return {
    texts: one("SELECT count(*) FROM meaning WHERE text IS NOT NULL"),
    vectors: one("SELECT count(*) FROM vector"),
    blobs: one("SELECT count(*) FROM blob"),
  };
}

/** Row numbers grow with memory time, so the last row of each table tells. */
function lastCommit(connection: Connection): number | null {
  const last = (table: string, time: string) =>
    connection.row(`SELECT ${time} FROM ${table} ORDER BY row DESC LIMIT 1`)?.[0];
  const times = [
    last("record", "recorded_at"),
    last("sighting", "recorded_at"),
    last("frame_edge", "recorded_at"),
    last("forgotten", "at"),
  ];
  return times.reduce<number | null>(
    (latest, time) => (time === undefined ? latest : Math.max(latest ?? Number(time), Number(time))),
    null,
  );
}

function untilOf(view: ReadView): number {
  return view.options.asOfMemoryUs ?? Number.MAX_SAFE_INTEGER;
}

function visibleCounts(connection: Connection, view: ReadView): Counts {
  const records = emptyCounts();
  const until = untilOf(view);
  const meanings = new Set<number>();
  const blobs = new Set<number>();
  let versions = 0;
  let firstUs: number | null = null;
  let lastUs: number | null = null;
  const commits: number[] = [];
  for (const row of connection.each(`SELECT ${RECORD_COLUMNS} FROM record WHERE recorded_at <= ?`, until)) {
    if (!view.mayRead(Number(row[COLUMN.labels]))) continue;
    versions++;
    commits[0] = Math.max(commits[0] ?? 0, Number(row[COLUMN.recordedAt]));
    for (const id of unpackIds(row[COLUMN.lines])) meanings.add(id);
    for (const [blob] of connection.rows("SELECT blob FROM record_blob WHERE row = ?", row[COLUMN.row]!))
      blobs.add(Number(blob));
    const superseded = row[COLUMN.supersededAt];
    const believed =
      superseded === null || (view.options.asOfMemoryUs !== undefined && Number(superseded) > until);
    if (!believed || !view.sees(row)) continue;
    records[RECORD_KINDS[Number(row[COLUMN.kind])]!]++;
    const from = Number(row[COLUMN.validFrom]);
    firstUs = Math.min(firstUs ?? from, from);
    const to = Number(row[COLUMN.validTo] ?? from);
    lastUs = Math.max(lastUs ?? to, to);
  }
  for (const image of imageMeanings(
    connection,
    `SELECT hash FROM blob WHERE id IN (${[...blobs].join(", ")})`,
  ))
    meanings.add(image);
  let texts = 0;
  let vectors = 0;
  for (const id of meanings) {
    if (connection.row("SELECT 1 FROM meaning WHERE id = ? AND text IS NOT NULL", id)) texts++;
    if (connection.row("SELECT 1 FROM vector WHERE meaning = ?", id)) vectors++;
  }
  let sightings = 0;
  for (const [state, labels, at] of connection.each(
    "SELECT state, labels, recorded_at FROM sighting WHERE recorded_at <= ?",
    until,
  )) {
    if (!view.seesSighting(state, labels)) continue;
    sightings++;
    commits.push(Number(at));
  }
  for (const { recordedAtUs } of view.visibleFrames().edges) commits.push(recordedAtUs);
  const [at] = connection.row("SELECT max(at) FROM forgotten WHERE at <= ?", until) ?? [null];
  if (view.unrestricted && at !== null) commits.push(Number(at));
  const contents = view.unrestricted ? wholeContents(connection) : { texts, vectors, blobs: blobs.size };
  const lastCommitUs = commits.reduce<number | null>((latest, at) => Math.max(latest ?? at, at), null);
  return { records, versions, sightings, ...contents, firstUs, lastUs, lastCommitUs };
}

function emptyCounts(): Record<RecordKind, number> {
  return Object.fromEntries(RECORD_KINDS.map((kind) => [kind, 0])) as Record<RecordKind, number>;
}

function numberOrNull(cell: unknown): number | null {
  return cell === null || cell === undefined ? null : Number(cell);
}
