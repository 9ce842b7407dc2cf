import type { Change } from "../port.ts";
import { ChangePage, followTail, ROWS_PER_READ } from "../rows/change-page.ts";
import { type Cell, COLUMN, decodeSighting, RECORD_COLUMNS, SIGHTING_COLUMNS } from "../rows/codec.ts";
import type { Connection } from "./connection.ts";
import type { ReadView } from "./read-view.ts";

const POLL_MS = 20;

type Table = "record" | "sighting" | "frame_edge" | "forgotten";
const TIME_COLUMN: Record<Table, string> = {
  record: "recorded_at",
  sighting: "recorded_at",
  frame_edge: "recorded_at",
  forgotten: "at",
};

/**
 * The commits after a memory time, one by one, and then, unless `live` is false, future ones. Row numbers grow with
 * memory time, so the tail is found by row; a commit without anything visible to the reader does not appear. Commits
 * are delivered once `indexed` resolves.
 */
export function changesOf(
  connection: Connection,
  view: ReadView,
  options: { afterUs?: number; signal?: AbortSignal; live?: boolean },
  closed: () => boolean,
  indexed?: () => Promise<void>,
): AsyncGenerator<Change> {
  const until = view.options.asOfMemoryUs ?? Number.MAX_SAFE_INTEGER;
  return followTail(
    {
      pollMs: POLL_MS,
      version: () => Number(connection.row("PRAGMA data_version")?.[0]),
      read: async (afterUs) => {
        const page = connection.reading(() => readAfter(connection, view, afterUs, until));
        if (page.changes.length > 0) await indexed?.();
        return page;
      },
      closed,
    },
    options,
  );
}

function readAfter(connection: Connection, view: ReadView, afterUs: number, untilUs: number) {
  const page = new ChangePage(afterUs, untilUs);
  const read = (
    table: Table,
    columns: string,
    timeOf: (row: readonly unknown[]) => number,
    take: (row: readonly unknown[], timeUs: number) => void,
  ) => {
    const first = firstRowAfter(connection, table, afterUs);
    const rows = connection.rows(
      `SELECT ${columns} FROM ${table} WHERE row >= ? ORDER BY row LIMIT ${ROWS_PER_READ}`,
      first,
    );
    if (rows.length === ROWS_PER_READ) {
      const last = timeOf(rows.at(-1)!);
      const isOne = timeOf(rows[0]!) === last;
      // One commit larger than a read: take it whole.
      if (isOne)
        rows.push(
          ...connection.rows(
            `SELECT ${columns} FROM ${table} WHERE row > (SELECT row FROM ${table} WHERE row >= ? ORDER BY row LIMIT 1 OFFSET ${ROWS_PER_READ - 1}) AND ${TIME_COLUMN[table]} = ? ORDER BY row`,
            first,
            last,
          ),
        );
      page.cut(isOne ? last : last - 1);
    }
    for (const row of rows) {
      const timeUs = timeOf(row);
      page.reach(timeUs);
      take(row, timeUs);
    }
  };
  const inRecord = (row: readonly unknown[]) => Number(row[COLUMN.recordedAt]);
  const first = (row: readonly unknown[]) => Number(row[0]);
  read("record", RECORD_COLUMNS, inRecord, (row, timeUs) => {
    const cells = row as Parameters<Connection["decode"]>[0];
    if (view.mayRead(Number(cells[COLUMN.labels]))) page.at(timeUs).put.push(connection.decode(cells));
  });
  read("sighting", SIGHTING_COLUMNS, first, (row, timeUs) => {
    if (!view.seesSighting(row[1] as Cell, row[5] as Cell)) return;
    const { sighting } = decodeSighting(row as Parameters<typeof decodeSighting>[0], connection);
    page.at(timeUs).sightings.push(sighting);
  });
  const edges = view.unrestricted
    ? undefined
    : new Set(view.visibleFrames().edges.map(({ edge }) => edge.child));
  read("frame_edge", "recorded_at, child", first, (row, timeUs) => {
    if (edges?.has(connection.names.textOf(Number(row[1]))) ?? true) page.at(timeUs).frames++;
  });
  // The labels of a forgotten record are forgotten too, so only the owner is told.
  if (view.unrestricted)
    read("forgotten", "at, id", first, (row, timeUs) => page.at(timeUs).forgotten.push(String(row[1])));
  return page.finish();
}

/** The position at which the last search for a first row ended: all rows below it are no later than `afterUs`. */
const ENDED = new WeakMap<Connection, Map<Table, { readonly afterUs: number; readonly row: number }>>();

/**
 * The first row of a table that was written after a memory time, by bisection over row numbers; a follower asks for
 * later and later times, so each search resumes from the last position.
 */
export function firstRowAfter(connection: Connection, table: Table, afterUs: number): number {
  const time = TIME_COLUMN[table];
  const ended = ENDED.get(connection) ?? new Map();
  ENDED.set(connection, ended);
  const known = ended.get(table);
  const bounds = connection.row(`SELECT (SELECT min(row) FROM ${table}), (SELECT max(row) FROM ${table})`);
  let low = Number(bounds?.[0] ?? 1);
  let high = Number(bounds?.[1] ?? 0) + 1;
  if (known !== undefined && known.afterUs <= afterUs) low = Math.min(Math.max(low, known.row), high);
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = connection.row(`SELECT ${time} FROM ${table} WHERE row >= ? ORDER BY row LIMIT 1`, middle);
    if (row !== undefined && Number(row[0]) <= afterUs) low = middle + 1;
    else high = middle;
  }
  ended.set(table, { afterUs, row: low });
  return low;
}
