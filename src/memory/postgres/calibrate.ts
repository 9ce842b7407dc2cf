import { Random } from "../../geometry/index.ts";
import type { Calibration, VectorSpace } from "../port.ts";
import { cosineOf } from "../vectors.ts";
import type { Session } from "./database.ts";
import { Contents } from "./record-rows.ts";
import type { SceneState } from "./scene.ts";

const PAIRS = 2_000;

/**
 * The background of cosine between unrelated records (docs/formulas.md#background): mean and spread over random pairs
 * of different texts, or images, of records without labels: a threshold must not reveal hidden ones.
 */
export async function measureBackground(
  session: Session,
  scene: SceneState,
  space: VectorSpace,
): Promise<Calibration> {
  const embedder = scene.settings.embedders?.[space]?.id ?? "none";
  const meanings = space === "text" ? "unnest(r.lines)" : "r.image";
  const rows = await session.rows(
    `SELECT v.meaning FROM meaning_vector v WHERE v.scene_id = $1 AND v.meaning IN
       (SELECT ${meanings} FROM record r WHERE r.scene_id = $1 AND r.superseded_at IS NULL AND r.labels = '{}')
       ORDER BY v.meaning`,
    [scene.sceneId],
  );
  const ids = rows.map(([id]) => Number(id));
  if (ids.length < 2) return { embedder, mean: 0, sd: 1, pairs: 0 };
  const random = new Random(`calibration:${embedder}:${ids.length}`);
  const pairs = Array.from({ length: PAIRS }, () => {
    const a = random.int(0, ids.length);
    return [ids[a]!, ids[(a + random.int(1, ids.length)) % ids.length]!] as const;
  });
  const contents = new Contents();
  await contents.readVectors(session, scene.sceneId, pairs.flat());
  let mean = 0;
  let squares = 0;
  pairs.forEach(([a, b], i) => {
    const cosine = cosineOf(contents.vectorOf(a)!, contents.vectorOf(b)!);
    const delta = cosine - mean;
    mean += delta / (i + 1);
    squares += delta * (cosine - mean);
  });
  return { embedder, mean, sd: Math.max(Math.sqrt(squares / PAIRS), 1e-3), pairs: PAIRS };
}
