import { isDeepStrictEqual } from "node:util";
import type { FrameEdge } from "../../geometry/index.ts";
import {
  blobsOf,
  LociError,
  type LociRecord,
  RECORD_KINDS,
  type Sighting,
  type Stored,
} from "../../schema/core.ts";
import type { Commit } from "../port.ts";
import { type Cell, COLUMN, encodeRecord, encodeSighting, type Row, unpackIds } from "../rows/codec.ts";
import { checkBatch, namedIn, type ParsedBatch } from "../rows/prepare-batch.ts";
import { knownBlobs, putBlobs } from "./blob-rows.ts";
import { ALL_LEVELS, cellOf, levelsOf, reachOf, spanOf } from "./cells.ts";
import { type CopyCell, copyText } from "./copy-data.ts";
import type { Session } from "./database.ts";
import { labelsToArray, PLAIN, recordRow, recordsOf, SELECT_RECORD } from "./record-rows.ts";
import type { FrameCache, SceneState } from "./scene.ts";
import { toText } from "./text.ts";
import { TextStore } from "./text-store.ts";
import { addWords, dropWords, wordCounts } from "./word-store.ts";

const RECORD_INTO =
  "record (scene_id, row, kind, id, version, recorded_at, superseded_at, valid_from, valid_to, labels, scene_name, author, category, owner, submap, x, y, z, sx, sy, sz, lines, image, body, cell, reach, span, words)";
const SIGHTING_INTO =
  "sighting (scene_id, row, recorded_at, state, time, outcome, agent, labels, observation, detection, submap, x, y, z)";
const FRAME_INTO =
  "frame_edge (scene_id, row, recorded_at, parent, child, stamp, kind, revision, px, py, pz, qw, qx, qy, qz)";

/** Writes a parsed batch; inside a transaction that holds the scene's row, whose counters it moves on. */
export async function commitBatch(
  session: Session,
  scene: SceneState,
  parsed: ParsedBatch,
  commitUs: number,
  frames: FrameCache,
): Promise<Commit> {
  const { sceneId } = scene;
  const { given, records } = parsed;
  const named = namedIn(parsed);
  const store = new TextStore(session, scene);
  // All needed lookups are sent at once.
  const [kinds, blobs, heads, graph] = await Promise.all([
    kindsOf(session, sceneId, [...named.ids]),
    knownBlobs(session, sceneId, [...named.blobs, ...parsed.blobs.keys()]),
    headsOf(
      session,
      sceneId,
      records.map(({ record }) => record.id),
    ),
    given.frames?.length ? frames.graph(session, scene) : undefined,
    store.lookUp(
      [...(given.vectors ?? []).map(({ text }) => text), ...records.flatMap(({ record }) => record.text)],
      [
        ...(given.imageVectors ?? []).map(({ blob }) => blob),
        ...records.flatMap(({ record }) => record.image ?? []),
      ],
    ),
  ]);
  const batch = checkBatch(parsed, {
    kindsOf: () => kinds,
    hasBlob: (ref) => blobs.has(ref),
    embedder: (space) => scene.settings.embedders?.[space] ?? null,
    frameGraph: () => graph!,
  });
  const versions: number[] = [];
  const changed: RecordVersion[] = [];
  const ended: number[] = [];
  for (const { record, expectVersion } of batch.records) {
    const head = heads.get(record.id);
    const headVersion = head?.stored.version ?? 0;
    if (expectVersion !== undefined && expectVersion !== headVersion)
      throw new LociError(
        "version-conflict",
        `records: "${record.id}" is at version ${headVersion}, expected ${expectVersion}; read it again`,
      );
    if (head !== undefined && sameContent(head.stored, record)) {
      versions.push(headVersion);
      continue;
    }
    if (head !== undefined) ended.push(head.row);
    changed.push({ record, version: headVersion + 1, recordedAtUs: commitUs, supersededAtUs: null });
    versions.push(headVersion + 1);
  }
  await store.addTexts([
    ...batch.vectors.map(({ text }) => text),
    ...batch.records.flatMap(({ record }) => record.text),
  ]);
  await putBlobs(session, sceneId, batch.blobs, blobs);
  await store.addImages([
    ...batch.imageVectors.map(({ blob }) => blob),
    ...batch.records.flatMap(({ record }) => record.image ?? []),
  ]);
  await store.putVectors([
    ...batch.vectors.map(({ text, vector }) => ({ meaning: store.meaningOf(text), vector })),
    ...batch.imageVectors.map(({ blob, vector }) => ({ meaning: store.imageOf(blob), vector })),
  ]);
  await endVersions(session, sceneId, ended, commitUs);
  await insertRecords(session, scene, store, changed);
  await insertSightings(
    session,
    scene,
    batch.sightings.map((sighting) => ({ sighting, recordedAtUs: commitUs })),
  );
  await insertFrames(
    session,
    scene,
    batch.frames.map((edge) => ({ edge, recordedAtUs: commitUs })),
  );
  return { commitUs, written: changed.length, unchanged: versions.length - changed.length, versions };
}

/** One version of a record with its memory times. */
export interface RecordVersion {
  readonly record: LociRecord;
  readonly version: number;
  readonly recordedAtUs: number;
  readonly supersededAtUs: number | null;
}

/** The cells of a version's row, in the order of `record`'s insert without scene and row. */
export function recordCells(
  { record, version, recordedAtUs, supersededAtUs }: RecordVersion,
  store: Pick<TextStore, "meaningOf" | "imageOf">,
): CopyCell[] {
  const cells = encodeRecord(record, version, recordedAtUs, supersededAtUs, {
    ...PLAIN,
    meaningOf: store.meaningOf,
    imageOf: store.imageOf,
  });
  const made = cells as (Cell | readonly (string | number)[])[];
  made[COLUMN.labels - 1] = labelsToArray(cells[COLUMN.labels - 1]!);
  const lines = cells[COLUMN.lines - 1];
  made[COLUMN.lines - 1] = lines === null ? null : unpackIds(lines);
  const { anchor, extent, validFromUs, validToUs } = record;
  made.push(
    anchor === undefined ? null : cellOf(anchor.p, extent),
    reachOf(extent),
    spanOf(validFromUs, validToUs),
    wordCounts(record).length,
  );
  return made as CopyCell[];
}

/** Writes versions of records in order, with their words and which blobs they name. */
export async function insertRecords(
  session: Session,
  scene: SceneState,
  store: TextStore,
  versions: readonly RecordVersion[],
): Promise<void> {
  if (versions.length === 0) return;
  const first = scene.recordRow + 1;
  scene.recordRow += versions.length;
  const { sceneId } = scene;
  await session.copy(
    RECORD_INTO,
    copyText(versions.map((version, i) => [sceneId, first + i, ...recordCells(version, store)])),
    "text",
  );
  const { settings } = scene;
  const levels = levelsOf(
    versions.flatMap(({ record: { anchor, extent } }) => (anchor ? [cellOf(anchor.p, extent)] : [])),
  );
  settings.levels = (settings.levels ?? (first === 1 ? 0 : ALL_LEVELS)) | levels;
  const believed = versions.flatMap(({ record, supersededAtUs }, i) =>
    supersededAtUs === null ? [{ row: first + i, record, meanings: record.text.map(store.meaningOf) }] : [],
  );
  await addWords(session, sceneId, believed);
  await nameBlobs(
    session,
    sceneId,
    versions.map(({ record }, i) => ({ row: first + i, record })),
  );
}

export async function nameBlobs(
  session: Session,
  sceneId: number,
  records: readonly { readonly row: number; readonly record: LociRecord }[],
): Promise<void> {
  const named = records.flatMap(({ row, record }) =>
    [...new Set(blobsOf(record))].map((ref) => [sceneId, Buffer.from(ref, "hex"), row]),
  );
  if (named.length > 0) await session.copy("record_blob (scene_id, hash, row)", copyText(named), "text");
}

export async function insertSightings(
  session: Session,
  scene: SceneState,
  sightings: readonly { readonly sighting: Sighting; readonly recordedAtUs: number }[],
): Promise<void> {
  if (sightings.length === 0) return;
  const rows = sightings.map(({ sighting, recordedAtUs }) => {
    const cells: CopyCell[] = encodeSighting(sighting, recordedAtUs, PLAIN) as CopyCell[];
    cells[5] = labelsToArray(cells[5] as Cell);
    return [scene.sceneId, ++scene.sightingRow, ...cells];
  });
  await session.copy(SIGHTING_INTO, copyText(rows), "text");
}

export async function insertFrames(
  session: Session,
  scene: SceneState,
  edges: readonly { readonly edge: FrameEdge; readonly recordedAtUs: number }[],
): Promise<void> {
  if (edges.length === 0) return;
  const rows = edges.map(({ edge, recordedAtUs }) => {
    const { p, q } = edge.transform;
    const { parent, child, stampUs, kind, revision } = edge;
    const cells = [recordedAtUs, toText(parent), toText(child), stampUs, kind, revision];
    return [scene.sceneId, ++scene.frameRow, ...cells, p.x, p.y, p.z, q.w, q.x, q.y, q.z];
  });
  await session.copy(FRAME_INTO, copyText(rows), "text");
}

export async function insertForgotten(
  session: Session,
  scene: SceneState,
  acts: readonly { atUs: number; id: string; reason: string; head: number | null }[],
): Promise<void> {
  if (acts.length === 0) return;
  const rows = acts.map(({ atUs, id, reason, head }) => [
    scene.sceneId,
    ++scene.forgottenRow,
    atUs,
    id,
    toText(reason),
    head,
  ]);
  await session.copy("forgotten (scene_id, row, at, id, reason, head)", copyText(rows), "text");
}

/** From a time on, these versions are no longer believed. */
async function endVersions(
  session: Session,
  sceneId: number,
  rows: readonly number[],
  atUs: number,
): Promise<void> {
  if (rows.length === 0) return;
  await dropWords(session, sceneId, rows);
  await session.run("UPDATE record SET superseded_at = $3 WHERE scene_id = $1 AND row = ANY($2::bigint[])", [
    sceneId,
    rows,
    atUs,
  ]);
}

/** The kinds of the present ones of these records. */
export async function kindsOf(
  session: Session,
  sceneId: number,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await session.rows(
    "SELECT id, kind FROM record WHERE scene_id = $1 AND id = ANY($2::text[]) AND superseded_at IS NULL",
    [sceneId, ids],
  );
  return new Map(rows.map(([id, kind]) => [String(id), RECORD_KINDS[Number(kind)]!]));
}

async function headsOf(
  session: Session,
  sceneId: number,
  ids: readonly string[],
): Promise<Map<string, { row: number; stored: Stored }>> {
  if (ids.length === 0) return new Map();
  const rows: Row[] = (
    await session.rows(
      `SELECT ${SELECT_RECORD} FROM record r WHERE r.scene_id = $1 AND r.id = ANY($2::text[]) AND r.superseded_at IS NULL`,
      [sceneId, ids],
    )
  ).map(recordRow);
  const records = await recordsOf(session, sceneId, rows);
  return new Map(records.map((stored, i) => [stored.id, { row: Number(rows[i]![COLUMN.row]), stored }]));
}

function sameContent(stored: Stored, record: LociRecord): boolean {
  const { version: _v, recordedAtUs: _r, supersededAtUs: _s, ...before } = stored;
  return isDeepStrictEqual(before, JSON.parse(JSON.stringify(record)));
}
