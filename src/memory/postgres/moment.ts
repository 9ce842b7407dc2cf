import { assert } from "../../schema/core.ts";
import type { Database, Session, Values } from "./database.ts";
import type { SceneState } from "./scene.ts";

/** Another process invalidated the cached scene: read again, in a transaction. */
export class Moved extends Error {}

const PARTITIONED = /\b(?<=(FROM|JOIN) )(record|meaning|meaning_vector|posting|sighting|blob|record_blob)\b/g;

/**
 * A session without a transaction, for reads of one or few statements. Each statement also returns the scene's row and
 * answers only if the map and the settings are the known ones and, from the second statement on, if there was no commit
 * since the first. So all reads are of one moment, and a read of one statement is one round trip. Otherwise it throws
 * `Moved`. The scene's partition is named outright: a plan that names the whole table is made for all partitions, and
 * locks them.
 */
export function momentOf(
  database: Database,
  { sceneId, frameRow, settings }: SceneState,
  partition: number | undefined,
): Session {
  const known = JSON.stringify(settings);
  const outright = (text: string) =>
    partition === undefined ? text : text.replace(PARTITIONED, (table) => `${table}_p${partition}`);
  let commitUs: number | undefined;
  const ask =
    (how: "rows" | "often") =>
    async (text: string, values: readonly unknown[] = []): Promise<Values[]> => {
      assert(values[0] === sceneId, "a statement's first value is its scene");
      const all = [...values, frameRow, known, ...(commitUs === undefined ? [] : [commitUs])];
      const n = values.length;
      const same = commitUs === undefined ? "" : ` AND s.commit_us = $${n + 3}`;
      const found = await database.reading((session) =>
        session[how](
          `SELECT s.commit_us, q.* FROM scene s LEFT JOIN LATERAL (SELECT true, i.* FROM (${outright(text)}) i) q ON true
           WHERE s.scene_id = $1 AND s.frame_row = $${n + 1} AND s.settings = $${n + 2}${same}`,
          all,
        ),
      );
      if (found.length === 0) throw new Moved();
      commitUs = Number(found[0]![0]);
      return found[0]![1] === null ? [] : found.map((row) => row.slice(2));
    };
  const never = (): never => {
    throw new Error("nothing is written outside of a transaction");
  };
  return { rows: ask("rows"), often: ask("often"), run: never, exec: never, copy: never };
}
