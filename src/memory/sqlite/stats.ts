import { inSlices, RECORD_KINDS, type RecordKind } from "../../schema/core.ts";
import type { MemoryStats } from "../port.ts";
import { type Cell, unpackIds } from "../rows/codec.ts";
import type { Connection } from "./connection.ts";
import { imageMeanings } from "./forget.ts";
import type { ReadView } from "./read-view.ts";

/** Rows that are counted in one go, some milliseconds; between two such pieces other work runs. */
const ROWS_PER_PIECE = 4_000;

/** Runs a piece of work in a transaction of its own. */
type Reading = <T>(work: () => T) => T;

/** What is counted, fixed at the beginning: commits that come between two pieces are left out. */
interface Extent {
  /** Memory time up to which commits count. */
  readonly untilUs: number;
  /** SQL that leaves the rows whose labels are held, and the value for it. */
  readonly readable: string;
  readonly sets: readonly Cell[];
}

/**
 * Counts of what this reader can see. The owner's cover everything stored; for other readers they cover readable rows
 * only, because a total would reveal hidden ones. Only the owner gets the bytes. Counted in pieces, in turns with other
 * work: in one go a large memory would stand still for seconds.
 */
export async function statsOf(
  connection: Connection,
  view: ReadView,
  bytes: () => number,
  reading: Reading,
): Promise<MemoryStats> {
  const counts = await countsOf(connection, view, reading);
  return reading(() => ({
    ...counts,
    bytes: isWhole(view) ? bytes() : 0,
    frames: view.visibleFrames().edges.length,
    embedder: connection.embedder("text"),
    imageEmbedder: connection.embedder("image"),
    mapRevision: view.options.mapRevision ?? view.knownFrames().revision,
  }));
}

function isWhole({ unrestricted, options }: ReadView): boolean {
  return unrestricted && options.asOfMemoryUs === undefined && options.asOfWorldUs === undefined;
}

type Counts = Omit<MemoryStats, "bytes" | "frames" | "embedder" | "imageEmbedder" | "mapRevision">;

async function countsOf(connection: Connection, view: ReadView, reading: Reading): Promise<Counts> {
  const { principal, asOfMemoryUs } = view.options;
  const othersFirst = inSlices(principal?.id);
  const logEndUs = reading(() => logEndOf(connection));
  const extent = reading(() => ({
    untilUs: Math.min(asOfMemoryUs ?? Number.MAX_SAFE_INTEGER, logEndUs ?? 0),
    readable: view.unrestricted ? "" : " AND labels IN (SELECT value FROM json_each(?1))",
    sets: [view.unrestricted ? "" : JSON.stringify(view.readableLabelSets())],
  }));
  /** Calls with each range of the rows that are there now, of a table whose key is `key`. */
  const inRanges = async (table: string, key: string, count: (from: number, to: number) => void) => {
    const last = reading(() => Number(connection.row(`SELECT max(${key}) FROM ${table}`)?.[0] ?? 0));
    for (let from = 0; from < last; from += ROWS_PER_PIECE) {
      reading(() => count(from, Math.min(last, from + ROWS_PER_PIECE)));
      await othersFirst();
    }
  };
  const { recordUs, ...records } = await countRecords(connection, view, extent, inRanges);
  const { sightings, sightingUs } = await countSightings(connection, view, extent, inRanges);
  const contents = view.unrestricted
    ? await wholeContents(connection, inRanges)
    : await visibleContents(connection, extent, inRanges, reading, othersFirst);
  const commits = reading(() => [
    recordUs,
    sightingUs,
    view.unrestricted
      ? numberOrNull(connection.row("SELECT max(at) FROM forgotten WHERE at <= ?", extent.untilUs)?.[0])
      : null,
    ...view.visibleFrames().edges.map(({ recordedAtUs }) => recordedAtUs),
  ]);
  return {
    ...records,
    sightings,
    ...contents,
    lastCommitUs: isWhole(view) ? logEndUs : latest(commits),
  };
}

type InRanges = (table: string, key: string, count: (from: number, to: number) => void) => Promise<void>;

async function countRecords(
  connection: Connection,
  view: ReadView,
  { untilUs, readable, sets }: Extent,
  inRanges: InRanges,
) {
  const { asOfWorldUs } = view.options;
  const inTime =
    asOfWorldUs === undefined ? "" : " AND valid_from <= ?5 AND (valid_to IS NULL OR valid_to > ?5)";
  const there = `((superseded_at IS NULL OR superseded_at > ?2)${inTime})`;
  const sql = `SELECT kind, count(*), max(recorded_at), sum(${there}), min(CASE WHEN ${there} THEN valid_from END),
      max(CASE WHEN ${there} THEN coalesce(valid_to, valid_from) END)
    FROM record WHERE row > ?3 AND row <= ?4 AND recorded_at <= ?2${readable} GROUP BY kind`;
  const records = emptyCounts();
  let versions = 0;
  let [recordUs, firstUs, lastUs] = [null as number | null, null as number | null, null as number | null];
  await inRanges("record", "row", (from, to) => {
    const atTime = asOfWorldUs === undefined ? [] : [asOfWorldUs];
    const values = [...sets, untilUs, from, to, ...atTime];
    for (const [kind, written, at, believed, first, last] of connection.rows(sql, ...values)) {
      records[RECORD_KINDS[Number(kind)]!] += Number(believed);
      versions += Number(written);
      recordUs = latest([recordUs, numberOrNull(at)]);
      lastUs = latest([lastUs, numberOrNull(last)]);
      if (first !== null) firstUs = Math.min(firstUs ?? Number(first), Number(first));
    }
  });
  return { records, versions, firstUs, lastUs, recordUs };
}

/** A sighting shows itself where its state does. */
async function countSightings(
  connection: Connection,
  view: ReadView,
  { untilUs, readable, sets }: Extent,
  inRanges: InRanges,
) {
  const seen = new Map<number, boolean>();
  const isSeen = (state: number): boolean => {
    const known = seen.get(state) ?? (view.unrestricted || view.maySeeState(state));
    seen.set(state, known);
    return known;
  };
  const group = view.unrestricted ? "" : " GROUP BY state";
  const sql = `SELECT count(*), max(recorded_at), state FROM sighting
    WHERE row > ?3 AND row <= ?4 AND recorded_at <= ?2${readable}${group}`;
  let sightings = 0;
  let sightingUs = null as number | null;
  await inRanges("sighting", "row", (from, to) => {
    for (const [count, at, state] of connection.rows(sql, ...sets, untilUs, from, to)) {
      if (!isSeen(Number(state))) continue;
      sightings += Number(count);
      sightingUs = latest([sightingUs, numberOrNull(at)]);
    }
  });
  return { sightings, sightingUs };
}

type Contents = Pick<Counts, "texts" | "vectors" | "blobs">;

async function wholeContents(connection: Connection, inRanges: InRanges): Promise<Contents> {
  const counted = async (table: string, key: string, condition = "") => {
    let count = 0;
    const sql = `SELECT count(*) FROM ${table} WHERE ${key} > ? AND ${key} <= ?${condition}`;
    await inRanges(table, key, (from, to) => {
      count += Number(connection.row(sql, from, to)![0]);
    });
    return count;
  };
  return {
    texts: await counted("meaning", "id", " AND text IS NOT NULL"),
    vectors: await counted("vector", "meaning"),
    blobs: await counted("blob", "id"),
  };
}

/** Texts, vectors and blobs of the records that may be read, past versions too. */
async function visibleContents(
  connection: Connection,
  { untilUs, readable, sets }: Extent,
  inRanges: InRanges,
  reading: Reading,
  othersFirst: () => Promise<void> | undefined,
): Promise<Contents> {
  const written = `recorded_at <= ?2${readable}`;
  const meanings = new Set<number>();
  const lines = `SELECT DISTINCT lines FROM record WHERE row > ?3 AND row <= ?4 AND ${written} AND lines IS NOT NULL`;
  await inRanges("record", "row", (from, to) => {
    for (const [packed] of connection.each(lines, ...sets, untilUs, from, to))
      for (const id of unpackIds(packed)) meanings.add(id);
  });
  const blobs = `SELECT DISTINCT blob FROM record_blob JOIN record USING (row) WHERE blob > ?3 AND blob <= ?4 AND ${written}`;
  let blobCount = 0;
  await inRanges("blob", "id", (from, to) => {
    const ids = connection.rows(blobs, ...sets, untilUs, from, to).map(([blob]) => Number(blob));
    blobCount += ids.length;
    const hashes = "SELECT hash FROM blob WHERE id IN (SELECT value FROM json_each(?))";
    for (const image of imageMeanings(connection, hashes, JSON.stringify(ids))) meanings.add(image);
  });
  const all = [...meanings];
  let [texts, vectors] = [0, 0];
  for (let at = 0; at < all.length; at += ROWS_PER_PIECE) {
    const ids = JSON.stringify(all.slice(at, at + ROWS_PER_PIECE));
    const count = (sql: string) => Number(connection.row(sql, ids)?.[0] ?? 0);
    reading(() => {
      texts += count(
        "SELECT count(*) FROM meaning WHERE text IS NOT NULL AND id IN (SELECT value FROM json_each(?))",
      );
      vectors += count("SELECT count(*) FROM vector WHERE meaning IN (SELECT value FROM json_each(?))");
    });
    await othersFirst();
  }
  return { texts, vectors, blobs: blobCount };
}

/**
 * Memory time of the last commit, whoever may see it, without counting. Row numbers grow with memory time, so the last
 * row of each table gives it.
 */
export function logEndOf(connection: Connection): number | null {
  const last = (table: string, time: string) =>
    numberOrNull(connection.row(`SELECT ${time} FROM ${table} ORDER BY row DESC LIMIT 1`)?.[0]);
  return latest([
    last("record", "recorded_at"),
    last("sighting", "recorded_at"),
    last("frame_edge", "recorded_at"),
    last("forgotten", "at"),
  ]);
}

function latest(times: readonly (number | null)[]): number | null {
  return times.reduce((most, time) => (time === null ? most : Math.max(most ?? time, time)), null);
}

function emptyCounts(): Record<RecordKind, number> {
  return Object.fromEntries(RECORD_KINDS.map((kind) => [kind, 0])) as Record<RecordKind, number>;
}

function numberOrNull(cell: unknown): number | null {
  return cell === null || cell === undefined ? null : Number(cell);
}
