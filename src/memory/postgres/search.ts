import { throwIfAborted } from "../../schema/core.ts";
import type { CheckedRequest } from "../check-request.ts";
import type { CallOptions } from "../port.ts";
import { COLUMN, type Row, unpackIds } from "../rows/codec.ts";
import { bodyFilter, type ScanOutcome, type ScanSource, scanRows } from "../rows/scan.ts";
import { spaceTest } from "../space-test.ts";
import { Contents, recordRow, SELECT_RECORD } from "./record-rows.ts";
import type { SceneState } from "./scene.ts";
import { toText } from "./text.ts";
import type { Look } from "./view.ts";
import { addKeys, addKinds, addVisible, Where } from "./where.ts";

/**
 * The plain plan, right for every request: the server narrows by every condition that it can tell, and what is left
 * goes through every key here, by the very code that SQLite's truth is searched with.
 */
export async function plainSearch(
  look: Look,
  request: CheckedRequest,
  { signal }: CallOptions = {},
): Promise<ScanOutcome> {
  const { meaning, space } = request;
  const frames = await look.readFrames(namesFrame(request));
  const test = space && spaceTest(space, look.knownFrames(), look.options.mapRevision);
  const where = addKinds(addVisible(new Where(look.sceneId), look.options), request.kinds);
  // Word statistics are those of everything the reader sees, so then nothing may be left out early.
  if (meaning?.words === undefined)
    addKeys(where, request, test && { test, frames, revision: look.options.mapRevision });
  const columns = columnsFor(request);
  const found = await look.session.rows(`SELECT ${columns} FROM record r WHERE ${where.sql}`, where.values);
  throwIfAborted(signal);
  const rows = found.map(recordRow);
  const contents = new Contents();
  const { session, sceneId } = look;
  if (meaning?.words !== undefined) await contents.readTexts(session, sceneId, rows.flatMap(linesOf));
  if (meaning?.vector) await contents.readVectors(session, sceneId, rows.flatMap(linesOf));
  if (meaning?.image) await contents.readVectors(session, sceneId, rows.flatMap(imageOf));
  return scanRows(
    sourceOf(look.scene, contents),
    look,
    request,
    { rows, driver: "sql" },
    signal ? { signal } : {},
  );
}

/** Whether a request names a frame that its reader may not know of. */
export function namesFrame({ space }: CheckedRequest): boolean {
  return space !== undefined && "frame" in space && space.frame !== undefined;
}

/** A record's columns without what a request does not look at: most of a row is its body. */
export function columnsFor({ where, meaning }: CheckedRequest): string {
  let columns = SELECT_RECORD;
  if (bodyFilter(where) === undefined) columns = columns.replace("r.body", "NULL");
  if (meaning?.vector === undefined && meaning?.words === undefined)
    columns = columns.replace("r.lines", "NULL");
  return columns;
}

export const linesOf = (row: Row): number[] => unpackIds(row[COLUMN.lines]);
const imageOf = (row: Row): number[] => (row[COLUMN.image] === null ? [] : [Number(row[COLUMN.image])]);

export function sourceOf({ settings }: SceneState, contents: Contents): ScanSource {
  return {
    names: { find: toText },
    textOf: contents.textOf,
    vectorOf: contents.vectorOf,
    embedder: (space) => settings.embedders?.[space] ?? null,
    calibration: (space) => settings.calibrations?.[space] ?? null,
  };
}
