import { setTimeout as sleep } from "node:timers/promises";
import type { Sighting } from "../../schema/core.ts";
import type { Change } from "../port.ts";
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

const POLL_MS = 20;
const ROWS_PER_READ = 2_000;

type Looking = <T>(work: (look: Look) => Promise<T>) => Promise<T>;
type Mutable = { -readonly [K in keyof Change]: Change[K] };

/** The tables of the tail: what is read of each, and where its memory time stands. */
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
 * The commits after a memory time, one by one, and then, unless `live` is false, those to come. Row numbers are given
 * out under the scene's lock, so they grow in the order of commits and no late one is missed. The tail is polled:
 * replicas have no LISTEN.
 */
export async function* changesOf(
  looking: Looking,
  options: { afterUs?: number; signal?: AbortSignal; live?: boolean },
  closed: () => boolean,
): AsyncGenerator<Change> {
  let after = options.afterUs ?? Number.MIN_SAFE_INTEGER;
  let seenUs: number | undefined;
  while (!closed() && !options.signal?.aborted) {
    const batch = await looking(async (look) =>
      look.scene.commitUs === seenUs ? undefined : await readAfter(look, after),
    ).catch((error) => {
      // Closed while it looked: there is nobody left to tell.
      if (closed()) return undefined;
      throw error;
    });
    if (batch !== undefined) {
      for (const change of batch.changes) yield change;
      after = Math.max(after, batch.reachedUs);
      if (batch.more) continue;
      seenUs = batch.commitUs;
    }
    if (options.live === false) return;
    await sleep(POLL_MS, undefined, options.signal ? { signal: options.signal } : {}).catch(() => undefined);
  }
}

async function readAfter(look: Look, afterUs: number) {
  const { eyes } = look;
  const untilUs = eyes.untilUs;
  const commits = new Map<number, Mutable>();
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
  const read = async (table: Table): Promise<{ timeUs: number; values: Values }[]> => {
    const { rows, cutUs } = await tailOf(look, table, afterUs);
    if (cutUs !== undefined) {
      horizon = Math.min(horizon, cutUs);
      more = true;
    }
    for (const { timeUs } of rows) reachedUs = Math.max(reachedUs, Math.min(timeUs, untilUs));
    return rows;
  };
  const records = (await read("record"))
    .map(({ values }) => recordRow(values))
    .filter((row) => eyes.mayRead(row[COLUMN.labels]));
  for (const record of await recordsOf(look.session, look.sceneId, records))
    at(record.recordedAtUs).put.push(record);
  const sightings = await read("sighting");
  const shown = eyes.unrestricted
    ? undefined
    : await visibleStates(
        look,
        sightings.map(({ values }) => String(values[1])),
      );
  for (const { timeUs, values } of sightings) {
    const visible =
      shown === undefined || (eyes.mayRead(labelsFromArray(values[5])) && shown.has(String(values[1])));
    if (visible) (at(timeUs).sightings as Sighting[]).push(sightingOf(values).sighting);
  }
  const edges = await read("frame_edge");
  const known =
    eyes.unrestricted || edges.length === 0
      ? undefined
      : new Set((await look.visibleFrames()).edges.map(({ edge }) => edge.child));
  for (const { timeUs, values } of edges)
    if (known?.has(fromText(String(values[0]))) ?? true) at(timeUs).frames++;
  // What a forgotten record's labels were is forgotten too, so only the owner is told.
  if (eyes.unrestricted)
    for (const { timeUs, values } of await read("forgotten")) at(timeUs).forgotten.push(String(values[0]));
  const changes: Change[] = [...commits.values()]
    .filter((c) => c.commitUs > afterUs && c.commitUs <= horizon)
    .sort((a, b) => a.commitUs - b.commitUs);
  return { changes, more, reachedUs: Math.min(reachedUs, horizon), commitUs: look.scene.commitUs };
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

/** The first row of a table that was written after a memory time, by bisection over row numbers. */
async function firstRowAfter(look: Look, table: Table, afterUs: number): Promise<number> {
  const { from, at, row, scene } = TAIL[table];
  const ends = {
    record: look.scene.recordRow,
    sighting: look.scene.sightingRow,
    frame_edge: look.scene.frameRow,
    forgotten: look.scene.forgottenRow,
  };
  let low = 1;
  let high = ends[table] + 1;
  if (afterUs < 0) return low;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [found] = await look.session.rows(
      `SELECT ${at} FROM ${from} WHERE ${scene} = $1 AND ${row} >= $2 ORDER BY ${row} LIMIT 1`,
      [look.sceneId, middle],
    );
    if (found !== undefined && Number(found[0]) <= afterUs) low = middle + 1;
    else high = middle;
  }
  return low;
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
