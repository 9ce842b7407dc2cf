import { RECORD_KINDS, type RecordKind } from "../../schema/core.ts";
import type { MemoryStats } from "../port.ts";
import { type Cell, unpackIds } from "../rows/codec.ts";
import type { Connection } from "./connection.ts";
import { imageMeanings } from "./forget.ts";
import type { ReadView } from "./read-view.ts";

/**
 * Counts of what this reader can see. The owner's come straight from the tables; for other readers they cover readable
 * rows only, because a total would reveal hidden ones. Only the owner gets the bytes.
 */
export function statsOf(connection: Connection, view: ReadView, bytes: number): MemoryStats {
  const whole = isWhole(view);
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

/** When the last commit was that this reader can see. */
export function lastCommitOf(connection: Connection, view: ReadView): number | null {
  return isWhole(view) ? lastCommit(connection) : visibleCounts(connection, view).lastCommitUs;
}

function isWhole({ unrestricted, options }: ReadView): boolean {
  return unrestricted && options.asOfMemoryUs === undefined && options.asOfWorldUs === undefined;
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

/** Row numbers grow with memory time, so the last row of each table gives it. */
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

/**
 * What a reader of some labels or of another time can see, in a few statements: counted row by row a large memory would
 * stand still for seconds.
 */
function visibleCounts(connection: Connection, view: ReadView): Counts {
  const { asOfMemoryUs, asOfWorldUs } = view.options;
  const until = asOfMemoryUs ?? Number.MAX_SAFE_INTEGER;
  const sets = view.unrestricted ? [] : [JSON.stringify(view.readableLabelSets())];
  const readable = view.unrestricted ? "" : " AND labels IN (SELECT value FROM json_each(?))";
  const written = `recorded_at <= ?${readable}`;
  const there = `${view.believed}${readable}`;
  const atTime = asOfWorldUs === undefined ? [] : [asOfWorldUs, asOfWorldUs];
  const inTime =
    asOfWorldUs === undefined ? "" : " AND valid_from <= ? AND (valid_to IS NULL OR valid_to > ?)";
  const [versions, recordUs] = connection.row(
    `SELECT count(*), max(recorded_at) FROM record WHERE ${written}`,
    until,
    ...sets,
  )!;
  const records = emptyCounts();
  let [firstUs, lastUs] = [null as number | null, null as number | null];
  for (const [kind, count, from, to] of connection.rows(
    `SELECT kind, count(*), min(valid_from), max(coalesce(valid_to, valid_from)) FROM record
       WHERE ${there}${inTime} GROUP BY kind`,
    ...view.memoryTime,
    ...sets,
    ...atTime,
  )) {
    records[RECORD_KINDS[Number(kind)]!] = Number(count);
    firstUs = Math.min(firstUs ?? Number(from), Number(from));
    lastUs = Math.max(lastUs ?? Number(to), Number(to));
  }
  // A sighting shows itself where its state does.
  const ofStates = view.unrestricted
    ? ""
    : ` AND state IN (SELECT name.id FROM record JOIN name ON name.text = record.id WHERE ${there})`;
  const [sightings, sightingUs] = connection.row(
    `SELECT count(*), max(recorded_at) FROM sighting WHERE ${written}${ofStates}`,
    until,
    ...sets,
    ...(view.unrestricted ? [] : [...view.memoryTime, ...sets]),
  )!;
  const [forgottenUs] = connection.row("SELECT max(at) FROM forgotten WHERE at <= ?", until) ?? [null];
  const edges = view.visibleFrames().edges.map(({ recordedAtUs }) => recordedAtUs);
  const commits = [recordUs, sightingUs, view.unrestricted ? forgottenUs : null, ...edges];
  return {
    records,
    versions: Number(versions),
    sightings: Number(sightings),
    ...(view.unrestricted
      ? wholeContents(connection)
      : visibleContents(connection, written, [until, ...sets])),
    firstUs,
    lastUs,
    lastCommitUs: commits.reduce<number | null>(
      (latest, at) => (at === null || at === undefined ? latest : Math.max(latest ?? Number(at), Number(at))),
      null,
    ),
  };
}

/** Texts, vectors and blobs of the records that a condition leaves, past versions too. */
function visibleContents(
  connection: Connection,
  written: string,
  values: readonly Cell[],
): Pick<Counts, "texts" | "vectors" | "blobs"> {
  const meanings = new Set<number>();
  for (const [lines] of connection.each(
    `SELECT DISTINCT lines FROM record WHERE ${written} AND lines IS NOT NULL`,
    ...values,
  ))
    for (const id of unpackIds(lines)) meanings.add(id);
  const blobs = connection
    .rows(
      `SELECT DISTINCT blob FROM record_blob WHERE row IN (SELECT row FROM record WHERE ${written})`,
      ...values,
    )
    .map(([blob]) => Number(blob));
  for (const image of imageMeanings(
    connection,
    "SELECT hash FROM blob WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(blobs),
  ))
    meanings.add(image);
  const ids = JSON.stringify([...meanings]);
  const count = (sql: string) => Number(connection.row(sql, ids)?.[0] ?? 0);
  return {
    texts: count(
      "SELECT count(*) FROM meaning WHERE text IS NOT NULL AND id IN (SELECT value FROM json_each(?))",
    ),
    vectors: count("SELECT count(*) FROM vector WHERE meaning IN (SELECT value FROM json_each(?))"),
    blobs: blobs.length,
  };
}

function emptyCounts(): Record<RecordKind, number> {
  return Object.fromEntries(RECORD_KINDS.map((kind) => [kind, 0])) as Record<RecordKind, number>;
}

function numberOrNull(cell: unknown): number | null {
  return cell === null || cell === undefined ? null : Number(cell);
}
