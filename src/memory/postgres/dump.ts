import type { DumpRow } from "../port.ts";
import { COLUMN, type Row, unpackIds } from "../rows/codec.ts";
import type { HeardRow } from "../rows/logged-batches.ts";
import { asSeen, WholeRecords } from "../rows/whole-records.ts";
import { readBlobs } from "./blob-rows.ts";
import { visibleStates } from "./changes.ts";
import { readVector } from "./copy-data.ts";
import type { Values } from "./database.ts";
import { heardFrom } from "./heard.ts";
import {
  Contents,
  labelsFromArray,
  recordRow,
  SELECT_RECORD,
  SELECT_SIGHTING,
  sightingOf,
} from "./record-rows.ts";
import { fromText } from "./text.ts";
import { imageAddress } from "./text-store.ts";
import type { Eyes, Look } from "./view.ts";

const ROWS_PER_READ = 500;

type Looking = <T>(work: (look: Look) => Promise<T>) => Promise<T>;

/**
 * Everything that the reader can see, every version, in the order in which `restore` can take it: what a row needs
 * comes before it. Read in pieces by row number, so that writers may go on meanwhile; rows written after the dump began
 * are left out. A restricted reader gets the memory as if the rest were forgotten: no record without its current
 * version, and no mention of an absent one.
 */
export async function* dumpRows(looking: Looking, eyes: Eyes): AsyncGenerator<DumpRow> {
  const begin = await looking(async (look) => ({
    scene: look.scene,
    edges: (await look.visibleFrames()).edges,
  }));
  const { settings } = begin.scene;
  yield {
    type: "memory",
    format: 1,
    embedder: settings.embedders?.text ?? null,
    imageEmbedder: settings.embedders?.image ?? null,
    calibrations: (["text", "image"] as const).flatMap((space) => {
      const calibration = settings.calibrations?.[space];
      return calibration === undefined ? [] : [{ ...calibration, space }];
    }),
  };
  for (const { recordedAtUs, edge } of begin.edges) yield { type: "frame", recordedAtUs, edge };
  const there = await wholeRecords(looking, eyes, begin.scene.recordRow);
  const told = { meanings: new Set<number>(), blobs: new Set<string>() };
  for (let after = 0; after < begin.scene.recordRow; after += ROWS_PER_READ)
    yield* await looking((look) =>
      recordPiece(look, [after, Math.min(after + ROWS_PER_READ, begin.scene.recordRow)], there, told),
    );
  for (let after = 0; after < begin.scene.sightingRow; after += ROWS_PER_READ)
    yield* await looking((look) =>
      sightingPiece(look, [after, Math.min(after + ROWS_PER_READ, begin.scene.sightingRow)], there),
    );
  if (!eyes.unrestricted) return;
  for (let after = 0; after < begin.scene.forgottenRow; after += ROWS_PER_READ) {
    const rows = await looking((look) =>
      pieceOf(look, "id, at, reason", "forgotten", [
        after,
        Math.min(after + ROWS_PER_READ, begin.scene.forgottenRow),
      ]),
    );
    for (const [id, at, reason] of rows)
      if (Number(at) <= eyes.untilUs)
        yield { type: "forgotten", id: String(id), atUs: Number(at), reason: fromText(String(reason)) };
  }
  let rows: HeardRow[] = [];
  do {
    const fromUs = (rows.at(-1)?.commitUs ?? -1) + 1;
    rows = await looking(({ session, sceneId }) => heardFrom(session, sceneId, fromUs, ROWS_PER_READ));
    for (const row of rows) if (row.commitUs <= eyes.untilUs) yield { type: "heard", ...row };
  } while (rows.length === ROWS_PER_READ);
}

type Range = readonly [after: number, to: number];

function pieceOf(
  { session, sceneId }: Look,
  columns: string,
  table: string,
  [after, to]: Range,
): Promise<Values[]> {
  return session.rows(
    `SELECT ${columns} FROM ${table} WHERE scene_id = $1 AND row > $2 AND row <= $3 ORDER BY row`,
    [sceneId, after, to],
  );
}

/** The rows of a piece that this reader may see. */
async function visibleRows(look: Look, range: Range): Promise<Row[]> {
  const rows = (await pieceOf(look, SELECT_RECORD, "record r", range)).map(recordRow);
  return rows.filter(
    (row) => Number(row[COLUMN.recordedAt]) <= look.eyes.untilUs && look.eyes.mayRead(row[COLUMN.labels]),
  );
}

async function recordPiece(
  look: Look,
  range: Range,
  there: ReadonlySet<string> | undefined,
  told: { meanings: Set<number>; blobs: Set<string> },
): Promise<DumpRow[]> {
  const { session, sceneId, eyes } = look;
  const rows = (await visibleRows(look, range)).filter((row) => there?.has(String(row[COLUMN.id])) ?? true);
  const contents = new Contents();
  const meanings = rows.flatMap((row) => unpackIds(row[COLUMN.lines]));
  await contents.readTexts(session, sceneId, meanings);
  await contents.readVectors(
    session,
    sceneId,
    meanings.filter((id) => !told.meanings.has(id)),
  );
  const blobs = await blobsOfRows(
    look,
    rows.map((row) => Number(row[COLUMN.row])),
    told.blobs,
  );
  const dumped: DumpRow[] = [];
  for (const row of rows) {
    for (const { ref, bytes, vector } of blobs.get(Number(row[COLUMN.row])) ?? []) {
      if (told.blobs.has(ref)) continue;
      told.blobs.add(ref);
      dumped.push({ type: "blob", bytes });
      if (vector) dumped.push({ type: "image-vector", blob: ref, vector });
    }
    for (const id of unpackIds(row[COLUMN.lines])) {
      if (told.meanings.has(id)) continue;
      told.meanings.add(id);
      dumped.push({ type: "text", text: contents.textOf(id), vector: contents.vectorOf(id) ?? null });
    }
    dumped.push({ type: "record", record: asSeen(contents.decode(row), there, eyes.untilUs) });
  }
  return dumped;
}

interface DumpedBlob {
  readonly ref: string;
  readonly bytes: Uint8Array;
  readonly vector: Float32Array | undefined;
}

/** The blobs of these rows that were not told yet, with the vectors of their images. */
async function blobsOfRows(
  { session, sceneId }: Look,
  rows: readonly number[],
  told: ReadonlySet<string>,
): Promise<Map<number, DumpedBlob[]>> {
  const named = await session.rows(
    `SELECT row, encode(hash, 'hex') FROM record_blob WHERE scene_id = $1 AND row = ANY($2::bigint[]) ORDER BY row, hash`,
    [sceneId, rows],
  );
  const refs = [...new Set(named.map(([, ref]) => String(ref)))].filter((ref) => !told.has(ref));
  const found = new Map<string, DumpedBlob>();
  const vectors = new Map<string, Float32Array>();
  if (refs.length > 0) {
    for (const [address, data] of await session.rows(
      `SELECT encode(m.image, 'hex'), vector_send(v.embedding) FROM meaning m JOIN meaning_vector v ON v.scene_id = m.scene_id AND v.meaning = m.id
         WHERE m.scene_id = $1 AND v.scene_id = $1 AND m.image IN (SELECT decode(a, 'hex') FROM unnest($2::text[]) a)`,
      [sceneId, refs.map((ref) => imageAddress(ref).toString("hex"))],
    ))
      vectors.set(String(address), readVector(data as Uint8Array));
    for (const [ref, bytes] of await readBlobs(session, sceneId, refs))
      found.set(ref, { ref, bytes, vector: vectors.get(imageAddress(ref).toString("hex")) });
  }
  const byRow = new Map<number, DumpedBlob[]>();
  for (const [row, ref] of named) {
    const blob = found.get(String(ref));
    if (blob) byRow.set(Number(row), [...(byRow.get(Number(row)) ?? []), blob]);
  }
  return byRow;
}

async function sightingPiece(
  look: Look,
  range: Range,
  there: ReadonlySet<string> | undefined,
): Promise<DumpRow[]> {
  const { eyes } = look;
  const rows = await pieceOf(look, SELECT_SIGHTING, "sighting s", range);
  const shown = eyes.unrestricted
    ? undefined
    : await visibleStates(
        look,
        rows.map((row) => String(row[1])),
      );
  return rows.flatMap((row): DumpRow[] => {
    const { sighting, recordedAtUs } = sightingOf(row);
    if (recordedAtUs > eyes.untilUs || !(there?.has(sighting.stateId) ?? true)) return [];
    const visible =
      shown === undefined || (eyes.mayRead(labelsFromArray(row[5])) && shown.has(sighting.stateId));
    return visible ? [{ type: "sighting", recordedAtUs, sighting }] : [];
  });
}

/** The records of which this reader sees the current version, and all that they need; undefined for all. */
async function wholeRecords(
  looking: Looking,
  eyes: Eyes,
  lastRow: number,
): Promise<ReadonlySet<string> | undefined> {
  if (eyes.unrestricted && eyes.options.asOfMemoryUs === undefined) return undefined;
  const whole = new WholeRecords(eyes.untilUs);
  for (let after = 0; after < lastRow; after += ROWS_PER_READ) {
    await looking(async (look) => {
      const rows = await visibleRows(look, [after, Math.min(after + ROWS_PER_READ, lastRow)]);
      const contents = new Contents();
      await contents.readTexts(
        look.session,
        look.sceneId,
        rows.flatMap((row) => unpackIds(row[COLUMN.lines])),
      );
      for (const row of rows) whole.add(contents.decode(row));
    });
  }
  return whole.ids();
}
