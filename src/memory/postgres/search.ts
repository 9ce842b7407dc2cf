import { throwIfAborted } from "../../schema/core.ts";
import type { CheckedRequest } from "../check-request.ts";
import type { CallOptions } from "../port.ts";
import { COLUMN, type Row, unpackIds } from "../rows/codec.ts";
import { bodyFilter, type ScanOutcome, type ScanSource, scanRows } from "../rows/scan.ts";
import { type SpaceTest, spaceTest } from "../space-test.ts";
import type { Value, Values } from "./database.ts";
import { Contents, recordRow, SELECT_RECORD } from "./record-rows.ts";
import type { SceneState } from "./scene.ts";
import { toText } from "./text.ts";
import type { Look } from "./view.ts";
import {
  addKeys,
  addKinds,
  addVisible,
  boundsIn,
  byNone,
  byPlaces,
  byTimes,
  type Source,
  selectFrom,
  Where,
} from "./where.ts";

/**
 * The plain plan, right for every request: the server applies every condition that it can, and the remaining rows go
 * through every key here, by the very code that searches SQLite's truth.
 */
export async function plainSearch(
  look: Look,
  request: CheckedRequest,
  { signal }: CallOptions = {},
): Promise<ScanOutcome> {
  const { meaning } = request;
  // Word statistics cover everything the reader sees, so then nothing may be left out early.
  const { source, where, how } = await narrowed(look, request, { keys: meaning?.words === undefined });
  const { columns, rowOf } = columnsFor(look, request);
  const found = await look.session[how](selectFrom(source, where, columns), where.values);
  throwIfAborted(signal);
  const rows = found.map(rowOf);
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

/** The part of a request that the server evaluates: the source of rows, the key, and the conditions. */
export interface Narrowed {
  readonly source: Source;
  readonly where: Where;
  readonly test: SpaceTest | undefined;
  /** The share of the scene that passes place and time, as far as is known. */
  readonly share: number;
  /** Which of a session's calls runs it: a statement with an index condition has one plan for all values. */
  readonly how: "rows" | "often";
}

interface NarrowOptions {
  readonly keys?: boolean;
  readonly wide?: number;
  readonly indexed?: number;
}

/** A row found by an index costs about as much as this many rows read in order. */
const INDEXED = 3;
/** The same where every column read is in the index. */
export const COVERED = 1.5;
/** With more submaps than this the cells of all of them are too many. */
const MOST_SUBMAPS = 256;

/**
 * Chooses the driving key: place or time by their indexes, if a sample of the scene shows that few rows pass; else, or
 * if the share `wide` passes, all rows in order. PostgreSQL's own choice uses statistics of all scenes, and flips with
 * them.
 */
export async function narrowed(
  look: Look,
  request: CheckedRequest,
  { keys = true, wide = 1, indexed = INDEXED }: NarrowOptions = {},
): Promise<Narrowed> {
  const frames = await look.readFrames(namesFrame(request));
  const { asOfMemoryUs, mapRevision } = look.options;
  const test = request.space && spaceTest(request.space, look.knownFrames(), mapRevision);
  const where = addKinds(addVisible(new Where(look.sceneId), look.options), request.kinds);
  if (!keys) return { source: { before: "" }, where, test, share: 1, how: "rows" };
  addKeys(where, request);
  if (test) where.add("r.submap IS NOT NULL");
  const places = test?.bounds ? boundsIn(test.bounds, frames, mapRevision) : undefined;
  const overlaps = request.time?.overlaps;
  const { ids, owner } = request.where ?? {};
  const isOrdered = request.rank === "latest" || request.rank === "earliest";
  const all = (share: number): Narrowed => {
    const source = byNone(where, places);
    return { source, where, test, share, how: isOrdered && share > 0 ? "often" : "rows" };
  };
  // The indexes cover believed rows only; ids and owners have their own.
  if (asOfMemoryUs !== undefined) return all(1);
  if (ids !== undefined || owner !== undefined) return all(0);
  const nothing = { inPlace: places ? 0 : 1, inTime: overlaps ? 0 : 1, inBoth: places || overlaps ? 0 : 1 };
  const sample = places || overlaps ? await look.sample() : undefined;
  const shares = sample?.shares(places, overlaps) ?? nothing;
  const inPlace = places && places.length <= MOST_SUBMAPS ? shares.inPlace : 1;
  // In the order of time the first that pass are soon found by that order itself.
  const inTime = overlaps && !isOrdered ? shares.inTime : 1;
  if (Math.min(inPlace, inTime) * indexed >= 1 || shares.inBoth >= wide) return all(shares.inBoth);
  const source =
    inPlace <= inTime
      ? byPlaces(where, places!, look.scene.settings.levels)
      : byTimes(where, overlaps!, places);
  return { source, where, test, share: shares.inBoth, how: "often" };
}

/** Whether a request names a frame that its reader may not know of. */
export function namesFrame({ space }: CheckedRequest): boolean {
  return space !== undefined && "frame" in space && space.frame !== undefined;
}

/** The columns that a request needs of a record, and a row made of them: the rest, most of it the body, is not read. */
export function columnsFor(
  { eyes }: Look,
  { where, meaning }: CheckedRequest,
): { readonly columns: string; readonly rowOf: (values: Values) => Row } {
  const wanted: string[] = ["row", "id", "valid_from", "valid_to", "submap", "x", "y", "z", "sx", "sy", "sz"];
  if (!eyes.unrestricted) wanted.push("labels");
  if (where?.sceneId) wanted.push("scene_name");
  for (const name of ["author", "category", "owner"] as const) if (where?.[name]) wanted.push(name);
  if (bodyFilter(where) !== undefined) wanted.push("body");
  if (meaning?.vector || meaning?.words !== undefined) wanted.push("lines");
  if (meaning?.image) wanted.push("image");
  const at = wanted.map((name) => RECORD_NAMES.indexOf(name));
  const rowOf = (values: Values): Row => {
    const row = new Array<Value>(RECORD_NAMES.length).fill(null);
    at.forEach((column, i) => {
      row[column] = values[i]!;
    });
    row[COLUMN.labels] ??= [];
    return recordRow(row);
  };
  return { columns: wanted.map((name) => `r.${name}`).join(", "), rowOf };
}

const RECORD_NAMES = SELECT_RECORD.split(", ").map((name) => name.slice(2));

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
