import { countedUs, disownedName, type Origin } from "../log.ts";
import type { Commit, WriteBatch } from "../port.ts";
import type { HeardRow } from "../rows/logged-batches.ts";
import type { Session } from "./database.ts";
import type { SceneState } from "./scene.ts";

/** Whether a batch is here already; under the scene's lock. */
export async function isHeard(session: Session, sceneId: number, { memory, atUs }: Origin): Promise<boolean> {
  const [row] = await session.rows("SELECT max(at) FROM heard WHERE scene_id = $1 AND memory = $2", [
    sceneId,
    memory,
  ]);
  return row?.[0] != null && Number(row[0]) >= atUs;
}

export function unchangedBy({ records = [] }: WriteBatch, commitUs: number): Commit {
  return { commitUs, written: 0, unchanged: records.length, versions: [] };
}

/**
 * Records the origin of a commit, inside its transaction; for own commits only where their time would be behind what
 * was heard.
 */
export async function noteHeard(
  session: Session,
  scene: SceneState,
  commitUs: number,
  { from, derived = false }: Pick<WriteBatch, "from" | "derived">,
): Promise<void> {
  const atUs = from?.atUs ?? Math.max(commitUs, (scene.settings.clockUs ?? 0) + 1);
  if (from === undefined && atUs === commitUs && !derived) return;
  await insertHeard(session, scene, { commitUs, memory: from?.memory ?? nameOf(scene), atUs, derived });
}

export async function insertHeard(
  session: Session,
  scene: SceneState,
  { commitUs, memory, atUs, derived }: HeardRow,
): Promise<void> {
  await session.run(
    "INSERT INTO heard (scene_id, commit_us, memory, at, derived) VALUES ($1, $2, $3, $4, $5)",
    [scene.sceneId, commitUs, memory, atUs, derived],
  );
  // Its own stamps never go back; another memory's move them no further than counts.
  const clockUs = memory === nameOf(scene) ? atUs : countedUs(atUs, commitUs);
  scene.settings.clockUs = Math.max(scene.settings.clockUs ?? 0, clockUs);
}

/** Disowns the batches of a memory from a commit on; under the scene's lock. */
export async function disownHeard(
  session: Session,
  sceneId: number,
  memory: string,
  fromUs: number,
): Promise<number> {
  const which = "scene_id = $1 AND memory = $2 AND commit_us >= $3";
  const given = [sceneId, memory, fromUs];
  const [row] = await session.rows(`SELECT count(*), min(commit_us) FROM heard WHERE ${which}`, given);
  const count = Number(row?.[0] ?? 0);
  if (count === 0) return 0;
  const name = disownedName(memory, Number(row?.[1]));
  await session.run(`UPDATE heard SET memory = $4 WHERE ${which}`, [...given, name]);
  return count;
}

/** Rows from a commit on, in order. */
export async function heardFrom(
  session: Session,
  sceneId: number,
  commitUs: number,
  limit: number,
): Promise<HeardRow[]> {
  const rows = await session.rows(
    `SELECT commit_us, memory, at, derived FROM heard WHERE scene_id = $1 AND commit_us >= $2 ORDER BY commit_us LIMIT ${limit}`,
    [sceneId, commitUs],
  );
  return rows.map(([us, memory, at, derived]) => ({
    commitUs: Number(us),
    memory: String(memory),
    atUs: Number(at),
    derived: derived === true,
  }));
}

/** By which a memory is known to others. */
export function nameOf({ settings, sceneId }: SceneState): string {
  return settings.id ?? `scene-${sceneId}`;
}
