import {
  GOES_WITH,
  LociError,
  RECORD_KINDS,
  type RecordKind,
  type RecordOf,
  type Stored,
} from "../../schema/core.ts";
import type { PictureToRedact } from "../port.ts";
import { COLUMN, unpackIds } from "../rows/codec.ts";
import {
  callNames,
  LabelledWords,
  onlyIn,
  ownStrings,
  speaksForItself,
  type Traces,
  tellingWords,
} from "../traces.ts";
import { readBlobs } from "./blob-rows.ts";
import type { Session } from "./database.ts";
import { Contents, recordRow, recordsOf, SELECT_RECORD } from "./record-rows.ts";
import { fromText } from "./text.ts";

const number = (kind: RecordKind): number => RECORD_KINDS.indexOf(kind);
const ROWS_PER_READ = 1_000;

/** Where a picture shows something forgotten. */
export interface Shown extends PictureToRedact {
  readonly ref: string;
}

/** Fields that hold more than one id, or ids somewhere inside. */
const NESTED = new Set(["who", "detail"]);

/** The given ids and everything that was derived from them; with `things`, also records that only observed them. */
export async function closureOf(
  session: Session,
  sceneId: number,
  ids: Iterable<string>,
  things: boolean,
): Promise<Set<string>> {
  const all = new Set(ids);
  const there = await session.rows(
    "SELECT DISTINCT id FROM record WHERE scene_id = $1 AND id = ANY($2::text[])",
    [sceneId, [...all]],
  );
  const known = new Set(there.map(([id]) => String(id)));
  for (const id of all) if (!known.has(id)) throw new LociError("unknown-id", `forget: "${id}" is not there`);
  if (all.size === 0) return all;
  const inside = await namedInside(session, sceneId);
  for (let before = -1; before !== all.size; ) {
    before = all.size;
    const add = async (sql: string) => {
      for (const [id] of await session.rows(sql, [sceneId, [...all]])) all.add(String(id));
    };
    for (const kind of RECORD_KINDS)
      for (const field of GOES_WITH[kind])
        if (!NESTED.has(field))
          await add(
            `SELECT DISTINCT id FROM record WHERE scene_id = $1 AND kind = ${number(kind)} AND body::json ->> '${field}' = ANY($2::text[])`,
          );
    for (const { id, names } of inside) if (names.some((name) => all.has(name))) all.add(id);
    // The detections that found it, whether or not they name it.
    if (things)
      await add(
        `SELECT DISTINCT r.id FROM sighting s JOIN record r ON r.scene_id = s.scene_id AND r.id = s.detection
           WHERE s.scene_id = $1 AND r.scene_id = $1 AND s.state = ANY($2::text[])`,
      );
  }
  if (things) for (const id of await strayLooks(session, sceneId, all)) all.add(id);
  return all;
}

/** Records with the ids inside their nested fields. */
async function namedInside(session: Session, sceneId: number): Promise<{ id: string; names: string[] }[]> {
  const found: { id: string; names: string[] }[] = [];
  for (const kind of RECORD_KINDS) {
    const fields = GOES_WITH[kind].filter((field) => NESTED.has(field));
    if (fields.length === 0) continue;
    for (const [id, body] of await session.rows(
      `SELECT id, body FROM record WHERE scene_id = $1 AND kind = ${number(kind)}`,
      [sceneId],
    )) {
      const record = JSON.parse(String(body)) as Record<string, unknown>;
      found.push({ id: String(id), names: fields.flatMap((field) => stringsIn(record[field])) });
    }
  }
  return found;
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** Detections without a state whose category only forgotten things had: made before the things were tracked. */
async function strayLooks(session: Session, sceneId: number, gone: ReadonlySet<string>): Promise<string[]> {
  const [mine, theirs] = [new LabelledWords(), new LabelledWords()];
  for (const [category, labels, lost] of await session.rows(
    `SELECT DISTINCT category, labels, id = ANY($2::text[]) FROM record
       WHERE scene_id = $1 AND kind IN (${number("track")}, ${number("state")})`,
    [sceneId, [...gone]],
  ))
    (lost ? mine : theirs).add(labelsOf(labels), [fromText(String(category))]);
  if (mine.size === 0) return [];
  const only = onlyIn(mine, theirs);
  const looks = await session.rows(
    `SELECT DISTINCT id, category, labels FROM record WHERE scene_id = $1 AND kind = ${number("detection")}
       AND body::json ->> 'stateId' IS NULL AND id <> ALL($2::text[]) AND category IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM sighting s WHERE s.scene_id = $1 AND s.detection = record.id)`,
    [sceneId, [...gone]],
  );
  return looks
    .filter(([, category, labels]) => only(labelsOf(labels)).has(fromText(String(category))))
    .map(([id]) => String(id));
}

const labelsOf = (labels: unknown): string[] => (labels as string[]).map(fromText);

/** Pictures of views that show something forgotten among others, and of observations that detected it. */
export async function picturesOf(
  session: Session,
  sceneId: number,
  gone: ReadonlySet<string>,
): Promise<Shown[]> {
  const boxes = new Map<string, { observation: string; box: readonly number[] }[]>();
  const show = (ref: string | undefined, observation: string, box: readonly number[] | undefined) => {
    if (ref === undefined || box === undefined) return;
    boxes.set(ref, [...(boxes.get(ref) ?? []), { observation, box }]);
  };
  for (const [id, body] of await session.rows(
    `SELECT id, body FROM record WHERE scene_id = $1 AND kind = ${number("view")} AND EXISTS
       (SELECT 1 FROM json_array_elements(body::json -> 'visible') v WHERE v ->> 'stateId' = ANY($2::text[]))`,
    [sceneId, [...gone]],
  )) {
    if (gone.has(String(id))) continue;
    const view = JSON.parse(String(body)) as RecordOf<"view">;
    for (const { stateId, bbox } of view.visible)
      if (gone.has(stateId)) show(view.thumb, view.observationId, bbox);
  }
  for (const [observation, bbox] of await looksAt(session, sceneId, gone)) {
    if (gone.has(observation)) continue;
    for (const [body] of await session.rows("SELECT body FROM record WHERE scene_id = $1 AND id = $2", [
      sceneId,
      observation,
    ]))
      show((JSON.parse(String(body)) as RecordOf<"observation">).rgb, observation, bbox);
  }
  const shown: Shown[] = [];
  const pictures = await readBlobs(session, sceneId, [...boxes.keys()]);
  for (const [ref, at] of boxes) {
    const bytes = pictures.get(ref);
    if (bytes === undefined) continue;
    const shares = [];
    for (const { observation, box } of at)
      shares.push(shareOf(await sizeOf(session, sceneId, observation), box));
    shown.push({ ref, bytes, boxes: shares });
  }
  return shown;
}

/** Without the frame's size its part of the picture is unknown: then the whole picture goes. */
function shareOf(
  size: { width: number; height: number } | undefined,
  [left = 0, top = 0, right = 0, bottom = 0]: readonly number[],
): PictureToRedact["boxes"][number] {
  return size
    ? [left / size.width, top / size.height, right / size.width, bottom / size.height]
    : [0, 0, 1, 1];
}

/** Observations in which something of these was detected, and where. */
export async function looksAt(
  session: Session,
  sceneId: number,
  gone: ReadonlySet<string>,
): Promise<[observation: string, bbox: number[] | undefined][]> {
  const rows = await session.rows(
    `SELECT body FROM record WHERE scene_id = $1 AND kind = ${number("detection")} AND id = ANY($2::text[])`,
    [sceneId, [...gone]],
  );
  return rows.map(([body]) => {
    const { observationId, bbox } = JSON.parse(String(body)) as RecordOf<"detection">;
    return [observationId, bbox as number[] | undefined];
  });
}

async function sizeOf(session: Session, sceneId: number, observation: string) {
  const [row] = await session.rows("SELECT body FROM record WHERE scene_id = $1 AND id = $2 LIMIT 1", [
    sceneId,
    observation,
  ]);
  return row === undefined ? undefined : (JSON.parse(String(row[0])) as RecordOf<"observation">).intrinsics;
}

/** The traces of forgotten records in the texts of others. */
export async function tracesOf(
  session: Session,
  sceneId: number,
  gone: ReadonlySet<string>,
): Promise<Traces> {
  const names = new Map<string, string[]>();
  const called = new Map<string, string[]>();
  const [mine, left] = [new LabelledWords(), new LabelledWords()];
  const rows = await session.rows(
    `SELECT ${SELECT_RECORD} FROM record r WHERE r.scene_id = $1 AND r.id = ANY($2::text[])`,
    [sceneId, [...gone]],
  );
  for (const record of await recordsOf(session, sceneId, rows.map(recordRow))) {
    if (!speaksForItself(record)) continue;
    mine.add(record.labels, tellingWords(ownStrings(record)));
    names.set(record.id, [...(names.get(record.id) ?? []), ...callNames(record)]);
  }
  const said = (labels: readonly string[], strings: Iterable<string>) =>
    left.add(
      labels,
      [...tellingWords(strings)].filter((word) => mine.has(word)),
    );
  await sayOfLooks(session, sceneId, gone, said);
  const kinds = (["track", "state", "agent", "region", "caption", "observation"] as const).map(number);
  for await (const record of eachRecord(session, sceneId, kinds)) {
    if (gone.has(record.id)) continue;
    if (record.supersededAtUs === null) called.set(record.id, callNames(record));
    if (speaksForItself(record)) said(record.labels, ownStrings(record));
  }
  return { wordsFor: onlyIn(mine, left), names, nameOf: (id) => called.get(id) ?? [] };
}

/** Observations are many and contain little: their kinds and lines, each once. */
async function sayOfLooks(
  session: Session,
  sceneId: number,
  gone: ReadonlySet<string>,
  said: (labels: readonly string[], strings: Iterable<string>) => void,
): Promise<void> {
  const looks = await session.rows(
    `SELECT DISTINCT labels, category, lines FROM record
       WHERE scene_id = $1 AND kind = ${number("detection")} AND id <> ALL($2::text[])`,
    [sceneId, [...gone]],
  );
  const contents = new Contents();
  const idsOf = (lines: unknown) => (lines as readonly number[] | null) ?? [];
  await contents.readTexts(
    session,
    sceneId,
    looks.flatMap(([, , lines]) => idsOf(lines)),
  );
  for (const [labels, category, lines] of looks) {
    const kind = category === null ? [] : [fromText(String(category))];
    said(labelsOf(labels), [...kind, ...idsOf(lines).map(contents.textOf)]);
  }
}

/** Every version of every record of some kinds, a piece at a time. */
export async function* eachRecord(
  session: Session,
  sceneId: number,
  kinds: readonly number[],
): AsyncGenerator<Stored & { readonly row: number }> {
  for (let after = 0; ; ) {
    const rows = (
      await session.rows(
        `SELECT ${SELECT_RECORD} FROM record r WHERE r.scene_id = $1 AND r.row > $2 AND r.kind = ANY($3::smallint[])
           ORDER BY r.row LIMIT ${ROWS_PER_READ}`,
        [sceneId, after, kinds],
      )
    ).map(recordRow);
    const contents = new Contents();
    await contents.readTexts(
      session,
      sceneId,
      rows.flatMap((row) => unpackIds(row[COLUMN.lines])),
    );
    for (const row of rows) yield Object.assign(contents.decode(row), { row: Number(row[COLUMN.row]) });
    if (rows.length < ROWS_PER_READ) return;
    after = Number(rows.at(-1)![COLUMN.row]);
  }
}
