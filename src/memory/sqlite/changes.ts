import { setTimeout as sleep } from "node:timers/promises";
import type { Sighting, Stored } from "../../schema/core.ts";
import type { Change } from "../port.ts";
import { type Cell, COLUMN, decodeSighting, RECORD_COLUMNS, SIGHTING_COLUMNS } from "../rows/codec.ts";
import type { Connection } from "./connection.ts";
import type { ReadView } from "./read-view.ts";

const POLL_MS = 20;
const ROWS_PER_READ = 2_000;

type Table = "record" | "sighting" | "frame_edge" | "forgotten";
const TIME_COLUMN: Record<Table, string> = {
  record: "recorded_at",
  sighting: "recorded_at",
  frame_edge: "recorded_at",
  forgotten: "at",
};

interface MutableChange {
  commitUs: number;
  put: Stored[];
  sightings: Sighting[];
  frames: number;
  forgotten: string[];
}

/**
 * The commits after a memory time, one by one, and then, unless `live` is false, those to come. Row numbers grow with memory
 * time, so the tail is found by row; a commit of which nothing is visible to the reader does not appear. What was read
 * is handed out once `indexed` is done.
 */
export async function* changesOf(
  connection: Connection,
  view: ReadView,
  options: { afterUs?: number; signal?: AbortSignal; live?: boolean },
  closed: () => boolean,
  indexed?: () => Promise<void>,
): AsyncGenerator<Change> {
  const until = view.options.asOfMemoryUs ?? Number.MAX_SAFE_INTEGER;
  let after = options.afterUs ?? Number.MIN_SAFE_INTEGER;
  let seen: number | undefined;
  while (!closed() && !options.signal?.aborted) {
    // Looking for news is one cheap question as long as nobody has written.
    const version = Number(connection.row("PRAGMA data_version")?.[0]);
    if (version === seen) {
      await pause(options.signal);
      continue;
    }
    const batch = connection.reading(() => readAfter(connection, view, after, until));
    if (batch.changes.length > 0) await indexed?.();
    for (const change of batch.changes) yield change;
    after = Math.max(after, batch.reachedUs);
    if (batch.more) continue;
    if (options.live === false) return;
    seen = version;
    await pause(options.signal);
  }
}

async function pause(signal: AbortSignal | undefined): Promise<void> {
  await sleep(POLL_MS, undefined, signal ? { signal } : {}).catch(() => undefined);
}

function readAfter(connection: Connection, view: ReadView, afterUs: number, untilUs: number) {
  const commits = new Map<number, MutableChange>();
  const at = (commitUs: number) => {
    let change = commits.get(commitUs);
    if (change === undefined) {
      change = { commitUs, put: [], sightings: [], frames: 0, forgotten: [] };
      commits.set(commitUs, change);
    }
    return change;
  };
  // Only whole commits may be handed out: stop at the earliest commit that a full read may have cut.
  let horizon = untilUs;
  let more = false;
  let reachedUs = afterUs;
  const read = (
    table: Table,
    columns: string,
    take: (row: readonly unknown[]) => void,
    timeOf: (row: readonly unknown[]) => number,
  ) => {
    const first = firstRowAfter(connection, table, afterUs);
    const rows = connection.rows(
      `SELECT ${columns} FROM ${table} WHERE row >= ? ORDER BY row LIMIT ${ROWS_PER_READ}`,
      first,
    );
    if (rows.length === ROWS_PER_READ) {
      const last = timeOf(rows.at(-1)!);
      if (timeOf(rows[0]!) === last) {
        // One commit larger than a read: take it whole.
        rows.push(
          ...connection.rows(
            `SELECT ${columns} FROM ${table} WHERE row > (SELECT row FROM ${table} WHERE row >= ? ORDER BY row LIMIT 1 OFFSET ${ROWS_PER_READ - 1}) AND ${TIME_COLUMN[table]} = ? ORDER BY row`,
            first,
            last,
          ),
        );
        horizon = Math.min(horizon, last);
      } else {
        horizon = Math.min(horizon, last - 1);
      }
      more = true;
    }
    for (const row of rows) take(row);
  };
  read(
    "record",
    RECORD_COLUMNS,
    (row) => {
      const cells = row as Parameters<Connection["decode"]>[0];
      reachedUs = Math.max(reachedUs, Math.min(Number(cells[COLUMN.recordedAt]), untilUs));
      if (view.mayRead(Number(cells[COLUMN.labels])))
        at(Number(cells[COLUMN.recordedAt])).put.push(connection.decode(cells));
    },
    (row) => Number(row[COLUMN.recordedAt]),
  );
  read(
    "sighting",
    SIGHTING_COLUMNS,
    (row) => {
      const { sighting, recordedAtUs } = decodeSighting(
        row as Parameters<typeof decodeSighting>[0],
        connection,
      );
      reachedUs = Math.max(reachedUs, Math.min(recordedAtUs, untilUs));
      if (view.seesSighting(row[1] as Cell, row[5] as Cell)) at(recordedAtUs).sightings.push(sighting);
    },
    (row) => Number(row[0]),
  );
  const edges = view.unrestricted
    ? undefined
    : new Set(view.visibleFrames().edges.map(({ edge }) => edge.child));
  read(
    "frame_edge",
    "recorded_at, child",
    (row) => {
      reachedUs = Math.max(reachedUs, Math.min(Number(row[0]), untilUs));
      if (edges?.has(connection.names.textOf(Number(row[1]))) ?? true) at(Number(row[0])).frames++;
    },
    (row) => Number(row[0]),
  );
  // What a forgotten record's labels were is forgotten too, so only the owner is told.
  if (view.unrestricted) {
    read(
      "forgotten",
      "at, id",
      (row) => {
        reachedUs = Math.max(reachedUs, Math.min(Number(row[0]), untilUs));
        at(Number(row[0])).forgotten.push(String(row[1]));
      },
      (row) => Number(row[0]),
    );
  }
  const changes = [...commits.values()]
    .filter((c) => c.commitUs > afterUs && c.commitUs <= horizon)
    .sort((a, b) => a.commitUs - b.commitUs);
  return { changes, more, reachedUs: Math.min(reachedUs, horizon) };
}

/** The first row of a table that was written after a memory time, by bisection over row numbers. */
export function firstRowAfter(connection: Connection, table: Table, afterUs: number): number {
  const time = TIME_COLUMN[table];
  const bounds = connection.row(`SELECT min(row), max(row) FROM ${table}`);
  let low = Number(bounds?.[0] ?? 1);
  let high = Number(bounds?.[1] ?? 0) + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = connection.row(`SELECT ${time} FROM ${table} WHERE row >= ? ORDER BY row LIMIT 1`, middle);
    if (row !== undefined && Number(row[0]) <= afterUs) low = middle + 1;
    else high = middle;
  }
  return low;
}
