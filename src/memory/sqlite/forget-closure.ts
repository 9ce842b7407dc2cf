import { GOES_WITH, LociError, RECORD_KINDS, type RecordKind, type RecordOf } from "../../schema/core.ts";
import type { PictureToRedact } from "../port.ts";
import { type Cell, COLUMN, labelsOf, parsedCell, RECORD_COLUMNS, unpackIds } from "../rows/codec.ts";
import {
  callNames,
  LabelledWords,
  onlyIn,
  ownStrings,
  speaksForItself,
  type Traces,
  tellingWords,
} from "../traces.ts";
import type { Connection } from "./connection.ts";

/** Where a picture shows something forgotten. */
export interface Shown extends PictureToRedact {
  readonly ref: string;
}

const number = (kind: RecordKind): number => RECORD_KINDS.indexOf(kind);

/** The given ids and everything that was derived from them; with `things`, also records that only observed them. */
export function closureOf(connection: Connection, ids: Iterable<string>, things: boolean): Set<string> {
  const all = new Set(ids);
  for (const id of all) {
    if (connection.row("SELECT 1 FROM record WHERE id = ? LIMIT 1", id) === undefined)
      throw new LociError("unknown-id", `forget: "${id}" is not there`);
  }
  for (let before = -1; before !== all.size; ) {
    before = all.size;
    const list = JSON.stringify([...all]);
    const add = (sql: string) => {
      for (const [id] of connection.rows(sql, list)) all.add(String(id));
    };
    for (const kind of RECORD_KINDS) {
      for (const field of GOES_WITH[kind]) add(goesWith(kind, field));
    }
    if (things) {
      // The detections that found it, whether or not they name it.
      add(
        `SELECT DISTINCT r.id FROM name n JOIN sighting s ON s.state = n.id JOIN record r ON r.id = s.detection
           WHERE n.text IN (SELECT value FROM json_each(?1))`,
      );
    }
  }
  if (things) for (const id of strayLooks(connection, all)) all.add(id);
  return all;
}

/** Fields that hold more than one id, or ids somewhere inside. */
const NESTED = new Set(["who", "detail"]);

function goesWith(kind: RecordKind, field: string): string {
  const gone = "(SELECT value FROM json_each(?1))";
  const names = NESTED.has(field)
    ? `EXISTS (SELECT 1 FROM json_tree(body, '$.${field}') WHERE atom IN ${gone})`
    : `body ->> '$.${field}' IN ${gone}`;
  return `SELECT DISTINCT id FROM record WHERE kind = ${number(kind)} AND ${names}`;
}

/** Detections without a state whose category only forgotten things had: made before the things were tracked. */
function strayLooks(connection: Connection, gone: ReadonlySet<string>): string[] {
  const list = JSON.stringify([...gone]);
  const isGone = "id IN (SELECT value FROM json_each(?1))";
  const [mine, theirs] = [new LabelledWords(), new LabelledWords()];
  for (const [category, labels, lost] of connection.rows(
    `SELECT DISTINCT category, labels, ${isGone} FROM record WHERE kind IN (${number("track")}, ${number("state")})`,
    list,
  ))
    (lost ? mine : theirs).add(labelsOfSet(connection, labels!), [String(category)]);
  if (mine.size === 0) return [];
  const only = onlyIn(mine, theirs);
  return connection
    .rows(
      `SELECT DISTINCT id, category, labels FROM record WHERE kind = ${number("detection")}
         AND body ->> '$.stateId' IS NULL AND NOT ${isGone} AND category IS NOT NULL
         AND id NOT IN (SELECT detection FROM sighting WHERE detection IS NOT NULL)`,
      list,
    )
    .filter(([, category, labels]) => only(labelsOfSet(connection, labels!)).has(String(category)))
    .map(([id]) => String(id));
}

function labelsOfSet(connection: Connection, set: Cell): string[] {
  return labelsOf(connection.labelSets.textOf(Number(set)));
}

/** Pictures of views that show something forgotten among others, and of observations that detected it. */
export function picturesOf(connection: Connection, gone: ReadonlySet<string>): Shown[] {
  const boxes = new Map<string, PictureToRedact["boxes"][number][]>();
  const show = (ref: string | undefined, observation: string, box: readonly number[] | undefined) => {
    const size = sizeOf(connection, observation);
    if (ref === undefined || box === undefined) return;
    const [left = 0, top = 0, right = 0, bottom = 0] = box;
    // Without the frame's size its part of the picture is unknown: then the whole picture goes.
    const share: PictureToRedact["boxes"][number] = size
      ? [left / size.width, top / size.height, right / size.width, bottom / size.height]
      : [0, 0, 1, 1];
    boxes.set(ref, [...(boxes.get(ref) ?? []), share]);
  };
  const list = JSON.stringify([...gone]);
  for (const [id, body] of connection.rows(
    `SELECT id, body FROM record WHERE kind = ${number("view")} AND EXISTS
       (SELECT 1 FROM json_each(body, '$.visible') v WHERE v.value ->> '$.stateId' IN (SELECT value FROM json_each(?)))`,
    list,
  )) {
    if (gone.has(String(id))) continue;
    const view = parsedCell(body) as RecordOf<"view">;
    for (const { stateId, bbox } of view.visible)
      if (gone.has(stateId)) show(view.thumb, view.observationId, bbox);
  }
  for (const [observation, bbox] of looksAt(connection, list)) {
    if (gone.has(observation)) continue;
    for (const [body] of connection.rows("SELECT body FROM record WHERE id = ?", observation))
      show((parsedCell(body) as RecordOf<"observation">).rgb, observation, bbox);
  }
  return [...boxes].flatMap(([ref, at]) => {
    const data = connection.row("SELECT data FROM blob WHERE hash = ?", Buffer.from(ref, "hex"))?.[0];
    return data instanceof Uint8Array ? [{ ref, bytes: data, boxes: at }] : [];
  });
}

/** Observations in which something of this list was detected, and where. */
export function looksAt(
  connection: Connection,
  list: string,
): [observation: string, bbox: number[] | undefined][] {
  return connection
    .rows(
      `SELECT body ->> '$.observationId', body -> '$.bbox' FROM record WHERE kind = ${number("detection")}
         AND id IN (SELECT value FROM json_each(?))`,
      list,
    )
    .map(([observation, bbox]) => [
      String(observation),
      bbox === null ? undefined : (parsedCell(bbox) as number[]),
    ]);
}

function sizeOf(connection: Connection, observation: string): { width: number; height: number } | undefined {
  const found = connection.row("SELECT body -> '$.intrinsics' FROM record WHERE id = ?", observation)?.[0];
  return typeof found === "string" ? (parsedCell(found) as { width: number; height: number }) : undefined;
}

/** The traces of forgotten records in the texts of others. */
export function tracesOf(connection: Connection, gone: ReadonlySet<string>): Traces {
  const names = new Map<string, string[]>();
  const words = new LabelledWords();
  for (const id of gone) {
    for (const row of connection.rows(`SELECT ${RECORD_COLUMNS} FROM record WHERE id = ?`, id)) {
      const record = connection.decode(row);
      if (!speaksForItself(record)) continue;
      words.add(record.labels, tellingWords(ownStrings(record)));
      names.set(id, [...(names.get(id) ?? []), ...callNames(record)]);
    }
  }
  const known = new Map<string, string[]>();
  const nameOf = (id: string) => {
    let called = known.get(id);
    if (called === undefined) {
      const row = connection.row(
        `SELECT ${RECORD_COLUMNS} FROM record WHERE id = ? AND superseded_at IS NULL`,
        id,
      );
      called = row === undefined ? [] : callNames(connection.decode(row));
      known.set(id, called);
    }
    return called;
  };
  return { wordsFor: onlyIn(words, wordsOfOthers(connection, gone, words)), names, nameOf };
}

/** Those of these words that a remaining record uses of itself. */
function wordsOfOthers(
  connection: Connection,
  gone: ReadonlySet<string>,
  wanted: LabelledWords,
): LabelledWords {
  const left = new LabelledWords();
  if (wanted.size === 0) return left;
  const said = (labels: readonly string[], strings: Iterable<string>) =>
    left.add(
      labels,
      [...tellingWords(strings)].filter((word) => wanted.has(word)),
    );
  // Observations are many and contain little: their kinds and lines, each once.
  const list = JSON.stringify([...gone]);
  for (const [labels, category, lines] of connection.rows(
    `SELECT DISTINCT labels, category, lines FROM record
       WHERE kind = ${number("detection")} AND id NOT IN (SELECT value FROM json_each(?))`,
    list,
  )) {
    const kind = category === null ? [] : [connection.names.textOf(Number(category))];
    said(labelsOfSet(connection, labels!), [...kind, ...unpackIds(lines).map(connection.textOf)]);
  }
  const kinds = (["track", "state", "agent", "region", "caption", "observation"] as const).map(number);
  for (const row of connection.each(
    `SELECT ${RECORD_COLUMNS} FROM record WHERE kind IN (${kinds.join(", ")})`,
  )) {
    if (gone.has(String(row[COLUMN.id]))) continue;
    const record = connection.decode(row);
    if (speaksForItself(record)) said(record.labels, ownStrings(record));
  }
  return left;
}
