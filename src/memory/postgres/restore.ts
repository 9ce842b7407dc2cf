import { LociError } from "../../schema/core.ts";
import type { Calibration, DumpRow, VectorSpace } from "../port.ts";
import { RestoreCheck, type RestoredRow } from "../rows/restore-check.ts";
import { putBlobs } from "./blob-rows.ts";
import { insertForgotten, insertFrames, insertRecords, insertSightings } from "./commit.ts";
import { insertHeard } from "./heard.ts";
import type { Held } from "./scene.ts";
import { TextStore } from "./text-store.ts";

const ROWS_PER_STEP = 2_000;

/**
 * Takes a dump into an empty scene, versions and memory times as they were, in one transaction: refused or interrupted,
 * it leaves nothing.
 */
export async function restoreRows(held: Held, rows: AsyncIterable<DumpRow>): Promise<{ rows: number }> {
  const { session, scene } = held;
  const [used] = await session.rows("SELECT 1 FROM record WHERE scene_id = $1 LIMIT 1", [scene.sceneId]);
  if (used !== undefined)
    throw new LociError("memory-exists", "restore needs an empty memory; give a new one");
  const check = new RestoreCheck();
  let pending: RestoredRow[] = [];
  for await (const row of rows) {
    pending.push(check.take(row));
    if (pending.length < ROWS_PER_STEP) continue;
    await insert(held, pending);
    pending = [];
  }
  await insert(held, pending);
  const lastUs = check.finish();
  if (lastUs > 0) scene.commitUs = lastUs;
  scene.epoch++;
  return { rows: check.rows };
}

type Changing = <T>(work: (held: Held) => Promise<T>) => Promise<T>;

/**
 * The same in steps, each a transaction: after an interruption, restoring the same rows again resumes it. All of them
 * are checked again; only missing ones are written.
 */
export async function restoreInSteps(
  changing: Changing,
  rows: AsyncIterable<DumpRow>,
  work: string,
): Promise<{ rows: number; resumedFrom: number }> {
  const resumedFrom = await changing(async ({ session, scene }) => {
    const { restoring } = scene.settings;
    if (restoring?.work === work) return restoring.rows;
    const [used] = await session.rows("SELECT 1 FROM record WHERE scene_id = $1 LIMIT 1", [scene.sceneId]);
    if (used !== undefined || restoring !== undefined)
      throw new LociError(
        "memory-exists",
        "a copy needs an empty memory, or one of the same copy that was cut off",
      );
    scene.settings.restoring = { work, rows: 0 };
    return 0;
  });
  const check = new RestoreCheck();
  let pending: RestoredRow[] = [];
  const flush = async () => {
    const some = pending;
    pending = [];
    const done = check.rows;
    if (some.length > 0)
      await changing(async (held) => {
        await insert(held, some);
        held.scene.settings.restoring = { work, rows: done };
      });
  };
  for await (const row of rows) {
    const taken = check.take(row);
    if (check.rows <= resumedFrom) continue;
    pending.push(taken);
    if (pending.length >= ROWS_PER_STEP) await flush();
  }
  await flush();
  const lastUs = check.finish();
  await changing(async ({ scene }) => {
    if (lastUs > 0) scene.commitUs = lastUs;
    scene.epoch++;
    delete scene.settings.restoring;
  });
  return { rows: check.rows, resumedFrom };
}

/** Writes rows of any kinds, each kind at once: what one needs of another comes before it, here as in the dump. */
async function insert({ sending: session, scene }: Held, rows: readonly RestoredRow[]): Promise<void> {
  const of = <T extends RestoredRow["type"]>(type: T) =>
    rows.filter((row): row is Extract<RestoredRow, { type: T }> => row.type === type);
  for (const { embedder, imageEmbedder, calibrations } of of("memory")) {
    scene.settings.embedders = {
      ...(embedder && { text: embedder }),
      ...(imageEmbedder && { image: imageEmbedder }),
    };
    const measured: Partial<Record<VectorSpace, Calibration>> = {};
    for (const { space, ...calibration } of calibrations) measured[space] = calibration;
    scene.settings.calibrations = measured;
  }
  await insertFrames(session, scene, of("frame"));
  await putBlobs(session, scene.sceneId, new Map(of("blob").map(({ ref, bytes }) => [ref, bytes])));
  const records = of("record");
  const withVector = of("text").flatMap(({ text, vector }) => (vector ? [{ text, vector }] : []));
  const store = new TextStore(session, scene);
  await store.addTexts([
    ...withVector.map(({ text }) => text),
    ...records.flatMap(({ record }) => record.text),
  ]);
  await store.addImages([
    ...of("image-vector").map(({ blob }) => blob),
    ...records.flatMap(({ record }) => record.image ?? []),
  ]);
  await store.putVectors([
    ...withVector.map(({ text, vector }) => ({ meaning: store.meaningOf(text), vector })),
    ...of("image-vector").map(({ blob, vector }) => ({ meaning: store.imageOf(blob), vector })),
  ]);
  await insertRecords(session, scene, store, records);
  await insertSightings(session, scene, of("sighting"));
  await insertForgotten(
    session,
    scene,
    of("forgotten").map(({ atUs, id, reason }) => ({ atUs, id, reason, head: null })),
  );
  for (const row of of("heard")) await insertHeard(session, scene, row);
}
