import {
  blobRefOf,
  type LociRecord,
  RECORD_KINDS,
  type RecordKind,
  type RecordOf,
  type Stored,
} from "../../schema/core.ts";
import type { ForgetReport, ForgetSelection } from "../port.ts";
import {
  changedFields,
  REWRITTEN,
  type Redacted,
  redactedLook,
  withoutForgotten,
} from "../rows/without-forgotten.ts";
import { dropBlobs, putBlobs } from "./blob-rows.ts";
import { insertForgotten, nameBlobs, recordCells } from "./commit.ts";
import type { Session } from "./database.ts";
import { closureOf, eachRecord, looksAt, picturesOf, type Shown, tracesOf } from "./forget-closure.ts";
import { recordRow, recordsOf, SELECT_RECORD } from "./record-rows.ts";
import type { SceneState } from "./scene.ts";
import { imageAddress, TextStore } from "./text-store.ts";
import { addWords, dropWords } from "./word-store.ts";

/** The removed content. */
export type Forgotten = Omit<ForgetReport, "wiped">;

/** The pictures that must be redacted before these ids can be forgotten. */
export async function picturesToRedact(
  session: Session,
  sceneId: number,
  selection: ForgetSelection,
): Promise<Shown[]> {
  if (selection.onlyRecords) return [];
  const there = await thereOf(session, sceneId, selection);
  return picturesOf(session, sceneId, await closureOf(session, sceneId, there, true));
}

/** The ids to forget; of optional ones only those that exist. */
async function thereOf(
  session: Session,
  sceneId: number,
  { ids, ahead }: ForgetSelection,
): Promise<readonly string[]> {
  if (!ahead) return ids;
  const rows = await session.rows(
    "SELECT DISTINCT id FROM record WHERE scene_id = $1 AND id = ANY($2::text[])",
    [sceneId, ids],
  );
  return rows.map(([id]) => String(id));
}

/**
 * Removes records with all their versions and all that was derived from them, their sightings, and any texts, vectors
 * and blobs without other uses; records that merely referred to them, mentioned or showed them are rewritten without
 * that. In the caller's transaction, which holds the scene. The act itself stays on record: ids, time, reason.
 */
export async function forgetRecords(
  session: Session,
  scene: SceneState,
  selection: ForgetSelection,
  atUs: number,
  redacted: Redacted,
): Promise<Forgotten> {
  const { sceneId } = scene;
  const things = selection.onlyRecords !== true;
  const there = await thereOf(session, sceneId, selection);
  const asked = await closureOf(session, sceneId, there, things);
  const wanted = await withLostViews(session, sceneId, asked, things, redacted);
  const kinds = await kindsAndHeads(session, sceneId, wanted);
  if (selection.strikeLog) await strikeLog(session, scene, selection.reason);
  await forgetPast(session, sceneId, selection.past ?? []);
  const rewritten = wanted.size === 0 ? [] : await rewriteOthers(session, scene, wanted, things, redacted);
  let sightings = 0;
  for (const { stateId, timeUs } of selection.sightings ?? [])
    sightings += await session.run("DELETE FROM sighting WHERE scene_id = $1 AND state = $2 AND time = $3", [
      sceneId,
      stateId,
      timeUs,
    ]);
  if (wanted.size > 0) {
    sightings += await forgetLooks(session, sceneId, [...wanted]);
    await deleteRows(session, sceneId, await rowsOf(session, sceneId, [...wanted]));
  }
  await insertForgotten(session, scene, [
    ...[...kinds].map(([id, { head }]) => ({ atUs, id, reason: selection.reason, head })),
    ...selection.ids
      .filter((id) => !kinds.has(id))
      .map((id) => ({ atUs, id, reason: selection.reason, head: null })),
  ]);
  const dropped = await dropOrphans(session, sceneId);
  // Words and vectors of what went, or of versions that others reach up to now, are still in the rows of indexes.
  if ((things && wanted.size > 0) || selection.past?.length) scene.epoch++;
  return {
    forgotten: [...kinds].map(([id, { kind, versions }]) => ({ id, kind, versions })),
    rewritten,
    sightings,
    ...dropped,
  };
}

async function kindsAndHeads(session: Session, sceneId: number, ids: ReadonlySet<string>) {
  const kinds = new Map<string, { kind: RecordKind; versions: number; head: number | null }>();
  for (const [id, kind, versions, head] of await session.rows(
    `SELECT id, min(kind), count(*), max(row) FILTER (WHERE superseded_at IS NULL) FROM record
       WHERE scene_id = $1 AND id = ANY($2::text[]) GROUP BY id`,
    [sceneId, [...ids]],
  ))
    kinds.set(String(id), {
      kind: RECORD_KINDS[Number(kind)]!,
      versions: Number(versions),
      head: head === null ? null : Number(head),
    });
  return kinds;
}

/** A view whose picture is given up has no content left. */
async function withLostViews(
  session: Session,
  sceneId: number,
  gone: ReadonlySet<string>,
  things: boolean,
  redacted: Redacted,
): Promise<Set<string>> {
  if (!things || gone.size === 0) return new Set(gone);
  const lost = (await picturesOf(session, sceneId, gone)).filter(({ ref }) => !redacted.get(ref));
  if (lost.length === 0) return new Set(gone);
  const views = await session.rows(
    `SELECT DISTINCT id FROM record WHERE scene_id = $1 AND kind = ${RECORD_KINDS.indexOf("view")}
       AND body::json ->> 'thumb' = ANY($2::text[])`,
    [sceneId, lost.map(({ ref }) => ref)],
  );
  return closureOf(session, sceneId, [...gone, ...views.map(([id]) => String(id))], things);
}

async function rowsOf(session: Session, sceneId: number, ids: readonly string[]): Promise<number[]> {
  const rows = await session.rows("SELECT row FROM record WHERE scene_id = $1 AND id = ANY($2::text[])", [
    sceneId,
    ids,
  ]);
  return rows.map(([row]) => Number(row));
}

async function deleteRows(session: Session, sceneId: number, rows: readonly number[]): Promise<void> {
  await dropWords(session, sceneId, rows);
  await session.run("DELETE FROM record_blob WHERE scene_id = $1 AND row = ANY($2::bigint[])", [
    sceneId,
    rows,
  ]);
  await session.run("DELETE FROM record WHERE scene_id = $1 AND row = ANY($2::bigint[])", [sceneId, rows]);
}

/** The chain of memory times stays without a gap: the version before extends to the next one left. */
async function forgetPast(
  session: Session,
  sceneId: number,
  past: NonNullable<ForgetSelection["past"]>,
): Promise<void> {
  for (const [id, gone] of Map.groupBy(past, (one) => one.id)) {
    const versions = new Set(gone.map(({ version }) => version));
    let before: number | undefined;
    for (const [row, version, superseded] of await session.rows(
      "SELECT row, version, superseded_at FROM record WHERE scene_id = $1 AND id = $2 ORDER BY version",
      [sceneId, id],
    )) {
      if (superseded === null || !versions.has(Number(version))) {
        before = Number(row);
        continue;
      }
      await deleteRows(session, sceneId, [Number(row)]);
      if (before === undefined) continue;
      await session.run("UPDATE record SET superseded_at = $3 WHERE scene_id = $1 AND row = $2", [
        sceneId,
        before,
        Number(superseded),
      ]);
    }
  }
}

/** Deletes sightings of forgotten states, and mentions of forgotten records in other sightings. */
async function forgetLooks(session: Session, sceneId: number, gone: readonly string[]): Promise<number> {
  const count = await session.run("DELETE FROM sighting WHERE scene_id = $1 AND state = ANY($2::text[])", [
    sceneId,
    gone,
  ]);
  for (const column of ["observation", "detection"])
    await session.run(
      `UPDATE sighting SET ${column} = NULL WHERE scene_id = $1 AND ${column} = ANY($2::text[])`,
      [sceneId, gone],
    );
  return count;
}

/** Drops the ids that were forgotten for a reason and keeps their number; indexes must then be rebuilt. */
async function strikeLog(session: Session, scene: SceneState, reason: string): Promise<void> {
  const struck = await session.run("DELETE FROM forgotten WHERE scene_id = $1 AND reason = $2", [
    scene.sceneId,
    reason,
  ]);
  if (struck === 0) return;
  scene.settings.struck = {
    ...scene.settings.struck,
    [reason]: (scene.settings.struck?.[reason] ?? 0) + struck,
  };
  scene.epoch++;
}

async function rewriteOthers(
  session: Session,
  scene: SceneState,
  gone: ReadonlySet<string>,
  things: boolean,
  redacted: Redacted,
): Promise<ForgetReport["rewritten"]> {
  const { sceneId } = scene;
  const traces = things ? await tracesOf(session, sceneId, gone) : undefined;
  const rewritten = new Map<string, { id: string; kind: RecordKind; fields: Set<string> }>();
  const store = new TextStore(session, scene);
  const rewrite = async (row: number, before: Stored, after: LociRecord) => {
    const fields = changedFields(before, after);
    if (fields.length === 0) return;
    await rewriteRow(session, sceneId, store, row, after as Stored);
    const entry = rewritten.get(before.id) ?? { id: before.id, kind: before.kind, fields: new Set() };
    for (const field of fields) entry.fields.add(field);
    rewritten.set(before.id, entry);
  };
  const made = [...redacted.values()].filter((bytes) => bytes !== null);
  await putBlobs(session, sceneId, new Map(made.map((bytes) => [blobRefOf(bytes), bytes])));
  const kinds = REWRITTEN.map((kind) => RECORD_KINDS.indexOf(kind));
  for await (const { row, ...rest } of eachRecord(session, sceneId, kinds)) {
    const before = rest as Stored;
    if (gone.has(before.id)) continue;
    const after = withoutForgotten(before, gone, redacted, traces);
    if (after !== before) await rewrite(row, before, after);
  }
  if (!things) return listed(rewritten);
  for (const observation of new Set((await looksAt(session, sceneId, gone)).map(([id]) => id))) {
    if (gone.has(observation)) continue;
    const rows = (
      await session.rows(`SELECT ${SELECT_RECORD} FROM record r WHERE r.scene_id = $1 AND r.id = $2`, [
        sceneId,
        observation,
      ])
    ).map(recordRow);
    const records = await recordsOf(session, sceneId, rows);
    for (const [i, before] of records.entries())
      await rewrite(
        Number(rows[i]![0]),
        before,
        redactedLook(before as Stored<RecordOf<"observation">>, redacted),
      );
  }
  return listed(rewritten);
}

function listed(
  rewritten: ReadonlyMap<string, { id: string; kind: RecordKind; fields: Set<string> }>,
): ForgetReport["rewritten"] {
  return [...rewritten.values()].map(({ fields, ...rest }) => ({ ...rest, fields: [...fields].sort() }));
}

const REWRITE = `UPDATE record SET kind = $3, id = $4, version = $5, recorded_at = $6, superseded_at = $7, valid_from = $8,
  valid_to = $9, labels = $10, scene_name = $11, author = $12, category = $13, owner = $14, submap = $15, x = $16, y = $17,
  z = $18, sx = $19, sy = $20, sz = $21, lines = $22, image = $23, body = $24, cell = $25, reach = $26, span = $27, words = $28
  WHERE scene_id = $1 AND row = $2`;

/** Puts other content into a row; its number, version and memory times stay. */
async function rewriteRow(
  session: Session,
  sceneId: number,
  store: TextStore,
  row: number,
  stored: Stored,
): Promise<void> {
  const { version, recordedAtUs, supersededAtUs, ...rest } = stored;
  const record = rest as LociRecord;
  await store.addTexts(record.text);
  await store.addImages(record.image === undefined ? [] : [record.image]);
  await dropWords(session, sceneId, [row]);
  const cells = recordCells({ record, version, recordedAtUs, supersededAtUs }, store);
  await session.run(REWRITE, [sceneId, row, ...cells]);
  if (supersededAtUs === null)
    await addWords(session, sceneId, [{ row, record, meanings: record.text.map(store.meaningOf) }]);
  await session.run("DELETE FROM record_blob WHERE scene_id = $1 AND row = $2", [sceneId, row]);
  await nameBlobs(session, sceneId, [{ row, record }]);
}

/** Texts, vectors and blobs that no version of any record uses. */
async function dropOrphans(
  session: Session,
  sceneId: number,
): Promise<{ texts: number; vectors: number; blobs: number }> {
  const blobs = await dropBlobs(session, sceneId);
  const left = await session.rows("SELECT encode(hash, 'hex') FROM blob WHERE scene_id = $1", [sceneId]);
  const unused = `SELECT m.id FROM meaning m WHERE m.scene_id = $1
    AND NOT EXISTS (SELECT 1 FROM used u WHERE u.id = m.id)
    AND (m.image IS NULL OR m.image <> ALL(SELECT decode(a, 'hex') FROM unnest($2::text[]) a))`;
  const used = `used AS MATERIALIZED (SELECT DISTINCT unnest(r.lines) AS id FROM record r WHERE r.scene_id = $1
    UNION SELECT r.image FROM record r WHERE r.scene_id = $1 AND r.image IS NOT NULL)`;
  const images = left.map(([ref]) => imageAddress(String(ref)).toString("hex"));
  const vectors = await session.run(
    `WITH ${used} DELETE FROM meaning_vector v WHERE v.scene_id = $1 AND v.meaning IN (${unused})`,
    [sceneId, images],
  );
  const [texts] = await session.rows(
    `WITH ${used}, gone AS (DELETE FROM meaning t WHERE t.scene_id = $1 AND t.id IN (${unused}) RETURNING t.text)
       SELECT count(*) FROM gone WHERE text IS NOT NULL`,
    [sceneId, images],
  );
  return { texts: Number(texts![0]), vectors, blobs };
}
