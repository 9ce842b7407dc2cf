import type { Change } from "../port.ts";
import { ChangePage, followTail, ROWS_PER_READ } from "../rows/change-page.ts";
import { COLUMN } from "../rows/codec.ts";
import type { Values } from "./database.ts";
import {
  labelsFromArray,
  recordRow,
  recordsOf,
  SELECT_RECORD,
  SELECT_SIGHTING,
  sightingOf,
} from "./record-rows.ts";
import { fromText } from "./text.ts";
import type { Look } from "./view.ts";

const POLL_MS = 40;

type Looking = <T>(work: (look: Look) => Promise<T>) => Promise<T>;

/** The tables of the tail: the columns read of each, and the one with its memory time. */
const TAIL = {
  record: {
    columns: SELECT_RECORD,
    from: "record r",
    at: "r.recorded_at",
    row: "r.row",
    scene: "r.scene_id",
  },
  sighting: {
    columns: SELECT_SIGHTING,
    from: "sighting s",
    at: "s.recorded_at",
    row: "s.row",
    scene: "s.scene_id",
  },
  frame_edge: {
    columns: "f.child",
    from: "frame_edge f",
    at: "f.recorded_at",
    row: "f.row",
    scene: "f.scene_id",
  },
  forgotten: { columns: "g.id", from: "forgotten g", at: "g.at", row: "g.row", scene: "g.scene_id" },
} as const;
type Table = keyof typeof TAIL;

/**
 * The commits after a memory time, one by one, and then, unless `live` is false, future ones. Row numbers are given out
 * under the scene's lock, so they grow in the order of commits and no late one is missed. The tail is polled, by one
 * small query while nothing is written: replicas have no LISTEN.
 */
export function changesOf(
  looking: Looking,
  commitUs: () => Promise<number>,
  options: { afterUs?: number; signal?: AbortSignal; live?: boolean },
  closed: () => boolean,
): AsyncGenerator<Change> {
  // Closed during the read: there is no follower left.
  const unlessClosed = <T>(work: Promise<T>, instead: T) =>
    work.catch((error) => (closed() ? instead : Promise.reject(error)));
  const nothing = { changes: [], more: false, reachedUs: Number.MIN_SAFE_INTEGER };
  return followTail(
    {
      pollMs: POLL_MS,
      version: () => unlessClosed(commitUs(), Number.NaN),
      read: (afterUs) =>
        unlessClosed(
          looking((look) => readAfter(look, afterUs)),
          nothing,
        ),
      closed,
    },
    options,
    // A follower that has the last commit has every earlier one.
    options.afterUs,
  );
}

async function readAfter(look: Look, afterUs: number) {
  const { eyes } = look;
  const page = new ChangePage(afterUs, eyes.untilUs);
  const read = async (table: Table): Promise<{ timeUs: number; values: Values }[]> => {
    const { rows, cutUs } = await tailOf(look, table, afterUs);
    if (cutUs !== undefined) page.cut(cutUs);
    for (const { timeUs } of rows) page.reach(timeUs);
    return rows;
  };
  const [recordTail, sightings, edges, forgotten] = await Promise.all([
    read("record"),
    read("sighting"),
    read("frame_edge"),
    // The labels of a forgotten record are forgotten too, so only the owner is told.
    eyes.unrestricted ? read("forgotten") : [],
  ]);
  const records = recordTail
    .map(({ values }) => recordRow(values))
    .filter((row) => eyes.mayRead(row[COLUMN.labels]));
  for (const record of await recordsOf(look.session, look.sceneId, records))
    page.at(record.recordedAtUs).put.push(record);
  const shown = eyes.unrestricted
    ? undefined
    : await visibleStates(
        look,
        sightings.map(({ values }) => String(values[1])),
      );
  for (const { timeUs, values } of sightings) {
    const visible =
      shown === undefined || (eyes.mayRead(labelsFromArray(values[5])) && shown.has(String(values[1])));
    if (visible) page.at(timeUs).sightings.push(sightingOf(values).sighting);
  }
  const known =
    eyes.unrestricted || edges.length === 0
      ? undefined
      : new Set((await look.visibleFrames()).edges.map(({ edge }) => edge.child));
  for (const { timeUs, values } of edges)
    if (known?.has(fromText(String(values[0]))) ?? true) page.at(timeUs).frames++;
  for (const { timeUs, values } of forgotten) page.at(timeUs).forgotten.push(String(values[0]));
  return page.finish();
}

/** Rows of a table after a memory time; `cutUs` is the last time of which all are among them, if there are more. */
async function tailOf(look: Look, table: Table, afterUs: number) {
  const { columns, from, at, row, scene } = TAIL[table];
  const first = await firstRowAfter(look, table, afterUs);
  const select = (condition: string, values: readonly unknown[], limit: string) =>
    look.session.rows(
      `SELECT ${columns}, ${at}, ${row} FROM ${from} WHERE ${scene} = $1 AND ${condition} ORDER BY ${row} ${limit}`,
      [look.sceneId, ...values],
    );
  const found = await select(`${row} >= $2`, [first], `LIMIT ${ROWS_PER_READ}`);
  const timeOf = (values: Values) => Number(values.at(-2));
  let cutUs: number | undefined;
  if (found.length === ROWS_PER_READ) {
    const last = timeOf(found.at(-1)!);
    cutUs = last - 1;
    if (timeOf(found[0]!) === last) {
      // One commit larger than a read: take it whole.
      found.push(...(await select(`${row} > $2 AND ${at} = $3`, [Number(found.at(-1)!.at(-1)), last], "")));
      cutUs = last;
    }
  }
  return { rows: found.map((values) => ({ timeUs: timeOf(values), values: values.slice(0, -2) })), cutUs };
}

/** How many rows from the end the search for the beginning of a tail starts. */
const FIRST_STEP = 64;
const STEP_GROWTH = 16;

/**
 * The first row of a table that was written after a memory time: by growing steps back from the end, then within the
 * last step.
 */
async function firstRowAfter(look: Look, table: Table, afterUs: number): Promise<number> {
  const { from, at, row, scene } = TAIL[table];
  const end =
    {
      record: look.scene.recordRow,
      sighting: look.scene.sightingRow,
      frame_edge: look.scene.frameRow,
      forgotten: look.scene.forgottenRow,
    }[table] + 1;
  if (afterUs < 0) return 1;
  for (let step = FIRST_STEP; ; step *= STEP_GROWTH) {
    const low = Math.max(end - step, 1);
    const [found] = await look.session.rows(
      `SELECT ${at} <= $3, (SELECT min(${row}) FROM ${from} WHERE ${scene} = $1 AND ${row} >= $2 AND ${at} > $3)
         FROM ${from} WHERE ${scene} = $1 AND ${row} >= $2 ORDER BY ${row} LIMIT 1`,
      [look.sceneId, low, afterUs],
    );
    if (low === 1 || found?.[0] === true) return found?.[1] == null ? end : Number(found[1]);
  }
}

/** Which of these states show the version that is believed. */
export async function visibleStates(
  { session, sceneId, eyes }: Look,
  states: readonly string[],
): Promise<Set<string>> {
  const rows = await session.rows(
    `SELECT r.id FROM record r WHERE r.scene_id = $1 AND r.id = ANY($2::text[]) AND r.labels <@ $3::text[]
       AND r.recorded_at <= $4 AND (r.superseded_at IS NULL OR r.superseded_at > $4)`,
    [sceneId, [...new Set(states)], eyes.held ?? [], eyes.untilUs],
  );
  return new Set(rows.map(([id]) => String(id)));
}
