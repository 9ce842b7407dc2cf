import { type EmbedderInfo, LociError, throwIfAborted } from "../../schema/core.ts";
import type { EmbedLines, ReembedOptions, ReembedReport } from "../port.ts";
import { unitVector } from "../vectors.ts";
import { measureBackground } from "./calibrate.ts";
import { copyVectors } from "./copy-data.ts";
import type { Held } from "./scene.ts";
import { fromText } from "./text.ts";

const LINES_PER_STEP = 256;

type Changing = <T>(work: (held: Held) => Promise<T>) => Promise<T>;

/**
 * Moves every text to another embedder. The new vectors grow in a table of their own, step by step and durable, so an
 * interrupted run resumes where it stopped; readers see the old ones until the new ones replace them in one
 * transaction. The two are never mixed.
 */
export async function reembedTexts(
  changing: Changing,
  embedder: EmbedderInfo,
  embed: EmbedLines,
  { signal, onProgress }: ReembedOptions,
): Promise<ReembedReport> {
  const begun = await changing((held) => resume(held, embedder));
  let { doneTo, withoutMeaning } = begun;
  let done = begun.done;
  for (;;) {
    throwIfAborted(signal);
    const rows = await changing(({ session, scene }) =>
      session.rows(
        `SELECT id, text FROM meaning WHERE scene_id = $1 AND id > $2 AND text IS NOT NULL ORDER BY id LIMIT ${LINES_PER_STEP}`,
        [scene.sceneId, doneTo],
      ),
    );
    if (rows.length === 0) break;
    const vectors = await embed(
      rows.map((row) => fromText(String(row[1]))),
      signal,
    );
    if (vectors.length !== rows.length)
      throw new LociError(
        "model-failed",
        `the embedder gave ${vectors.length} vectors for ${rows.length} texts`,
      );
    const made = rows.flatMap((row, i) => {
      const vector = vectors[i];
      return vector
        ? [{ meaning: Number(row[0]), vector: unitVector(vector, embedder.dim, `embedder ${embedder.id}`) }]
        : [];
    });
    doneTo = Number(rows.at(-1)![0]);
    withoutMeaning += rows.length - made.length;
    await changing(async ({ session, scene }) => {
      await session.run(
        "DELETE FROM meaning_vector_next WHERE scene_id = $1 AND meaning = ANY($2::integer[])",
        [scene.sceneId, made.map(({ meaning }) => meaning)],
      );
      await session.copy(
        "meaning_vector_next (scene_id, meaning, embedding)",
        copyVectors(scene.sceneId, made),
        "binary",
      );
      scene.settings.reembedding = { embedder, doneTo, withoutMeaning };
    });
    done += rows.length;
    onProgress?.(done, begun.total);
  }
  await changing((held) => swap(held, embedder));
  return { embedded: done - begun.done, resumedFrom: begun.doneTo, withoutMeaning };
}

/** Takes up the same move where it stopped, or begins it. */
async function resume({ session, scene }: Held, embedder: EmbedderInfo) {
  const known = scene.settings.reembedding;
  const same = known?.embedder.id === embedder.id && known.embedder.dim === embedder.dim;
  const progress = same
    ? known
    : { embedder: { id: embedder.id, dim: embedder.dim }, doneTo: 0, withoutMeaning: 0 };
  if (!same) await session.run("DELETE FROM meaning_vector_next WHERE scene_id = $1", [scene.sceneId]);
  scene.settings.reembedding = progress;
  const [row] = await session.rows(
    "SELECT count(*), count(*) FILTER (WHERE id <= $2) FROM meaning WHERE scene_id = $1 AND text IS NOT NULL",
    [scene.sceneId, progress.doneTo],
  );
  return { ...progress, total: Number(row![0]), done: Number(row![1]) };
}

async function swap({ session, scene }: Held, embedder: EmbedderInfo): Promise<void> {
  const given = [scene.sceneId];
  await session.run(
    `DELETE FROM meaning_vector v USING meaning m
       WHERE v.scene_id = $1 AND m.scene_id = $1 AND m.id = v.meaning AND m.text IS NOT NULL`,
    given,
  );
  await session.run(
    "INSERT INTO meaning_vector (scene_id, meaning, embedding) SELECT scene_id, meaning, embedding FROM meaning_vector_next WHERE scene_id = $1",
    given,
  );
  await session.run("DELETE FROM meaning_vector_next WHERE scene_id = $1", given);
  const { settings } = scene;
  settings.embedders = { ...settings.embedders, text: { id: embedder.id, dim: embedder.dim } };
  delete settings.reembedding;
  const { text: _before, ...others } = settings.calibrations ?? {};
  // Thresholds belong to the vectors: there is no moment with the new ones and without theirs.
  const calibration = await measureBackground(session, scene, "text");
  settings.calibrations = calibration.pairs === 0 ? others : { ...others, text: calibration };
  scene.epoch++;
}
