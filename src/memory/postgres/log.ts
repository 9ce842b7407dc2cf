import { RECORD_KINDS } from "../../schema/core.ts";
import type { MemoryLog } from "../log.ts";
import {
  HEAD_VERSIONS,
  headOf,
  type LoggedVersion,
  type LogTables,
  loggedBatches,
} from "../rows/logged-batches.ts";
import { readVector } from "./copy-data.ts";
import type { Values } from "./database.ts";
import { heardFrom, nameOf } from "./heard.ts";
import type { PostgresReader } from "./reader.ts";
import { EDGE_COLUMNS, edgeOf } from "./scene.ts";
import { fromText, toText } from "./text.ts";
import { imageAddress } from "./text-store.ts";
import type { Look } from "./view.ts";

type Looking = <T>(work: (look: Look) => Promise<T>) => Promise<T>;

/** The log over a reader of its own that sees everything. */
export async function postgresLog(reader: PostgresReader, look: Looking): Promise<MemoryLog> {
  const memory = await look(async ({ scene }) => nameOf(scene));
  const tables = tablesOf(memory, look);
  return {
    memory,
    heard: () => look((at) => heardBy(at, memory)),
    firstUnheard: (heard) => look((at) => firstUnheard(at, memory, heard)),
    batches: (fromUs, signal) => loggedBatches(reader, tables, fromUs, signal),
    heads: (ids) => look((at) => headsOf(at, memory, ids)),
    frameAuthors: (frames) =>
      look(async ({ session, sceneId }) => {
        const rows = await session.rows(
          `SELECT DISTINCT ON (e.child) e.child, coalesce(h.memory, $3) FROM frame_edge e
             LEFT JOIN heard h ON h.scene_id = $1 AND h.commit_us = e.recorded_at
             WHERE e.scene_id = $1 AND e.child = ANY($2::text[]) ORDER BY e.child, e.row`,
          [sceneId, frames.map(toText), memory],
        );
        return new Map(rows.map(([child, author]) => [fromText(String(child)), String(author)]));
      }),
    blob: (ref) => reader.blob(ref),
    forgotten: () =>
      look(async ({ session, sceneId }) => {
        const rows = await session.rows(
          "SELECT DISTINCT id, reason FROM forgotten WHERE scene_id = $1 ORDER BY id, reason",
          [sceneId],
        );
        return rows.map(([id, reason]) => ({ id: String(id), reason: fromText(String(reason)) }));
      }),
    close: () => reader.close(),
  };
}

async function heardBy({ session, scene }: Look, memory: string): Promise<Map<string, number>> {
  const rows = await session.rows("SELECT memory, max(at) FROM heard WHERE scene_id = $1 GROUP BY memory", [
    scene.sceneId,
  ]);
  const heard = new Map(rows.map(([name, at]) => [String(name), Number(at)]));
  return heard.set(memory, Math.max(heard.get(memory) ?? 0, scene.commitUs));
}

async function firstUnheard(
  { session, sceneId }: Look,
  memory: string,
  heard: ReadonlyMap<string, number>,
): Promise<number | null> {
  const found: number[] = [];
  const add = ([row]: Values[]) => row?.[0] != null && found.push(Number(row[0]));
  const names = await session.rows("SELECT DISTINCT memory FROM heard WHERE scene_id = $1", [sceneId]);
  for (const [name] of names)
    add(
      await session.rows("SELECT min(commit_us) FROM heard WHERE scene_id = $1 AND memory = $2 AND at > $3", [
        sceneId,
        name,
        heard.get(String(name)) ?? -1,
      ]),
    );
  for (const table of ["record", "sighting", "frame_edge"])
    add(
      await session.rows(
        `SELECT min(t.recorded_at) FROM ${table} t WHERE t.scene_id = $1 AND t.recorded_at > $2
           AND NOT EXISTS (SELECT 1 FROM heard h WHERE h.scene_id = $1 AND h.commit_us = t.recorded_at)`,
        [sceneId, heard.get(memory) ?? -1],
      ),
    );
  return found.length === 0 ? null : Math.min(...found);
}

async function headsOf({ session, sceneId }: Look, memory: string, ids: readonly string[]) {
  const rows = await session.rows(
    `SELECT r.id, r.kind, r.version, r.recorded_at, h.memory, h.at, h.derived FROM unnest($2::text[]) AS wanted(id)
       CROSS JOIN LATERAL ((SELECT v.id, v.kind, v.version, v.recorded_at FROM record v
         WHERE v.scene_id = $1 AND v.id = wanted.id ORDER BY v.version DESC LIMIT ${HEAD_VERSIONS})
         UNION (SELECT v.id, v.kind, v.version, v.recorded_at FROM record v
         WHERE v.scene_id = $1 AND v.id = wanted.id ORDER BY v.version LIMIT 1)) r
       LEFT JOIN heard h ON h.scene_id = $1 AND h.commit_us = r.recorded_at ORDER BY r.id, r.version DESC`,
    [sceneId, ids],
  );
  const versions = Map.groupBy(rows, ([id]) => String(id));
  return ids.map((id) => {
    const found = versions.get(id);
    const oldest = found?.at(-1);
    if (found === undefined || oldest === undefined) return undefined;
    const kind = RECORD_KINDS[Number(oldest[1])]!;
    return headOf(memory, kind, found.slice(0, HEAD_VERSIONS).map(versionOf), versionOf(oldest));
  });
}

function versionOf([, , version, recordedAt, from, at, derived]: Values): LoggedVersion {
  return {
    version: Number(version),
    recordedAtUs: Number(recordedAt),
    ...(from !== null && { heard: { memory: String(from), atUs: Number(at), derived: derived === true } }),
  };
}

function tablesOf(memory: string, look: Looking): LogTables {
  return {
    memory,
    heardFrom: (commitUs, limit) =>
      look(({ session, sceneId }) => heardFrom(session, sceneId, commitUs, limit)),
    edgesOf: (commitUs) =>
      look(async ({ session, sceneId }) => {
        const rows = await session.rows(
          `SELECT ${EDGE_COLUMNS} FROM frame_edge WHERE scene_id = $1 AND recorded_at = $2 ORDER BY row`,
          [sceneId, commitUs],
        );
        return rows.map(edgeOf);
      }),
    firstUses: (refs) =>
      look(async ({ session, sceneId }) => {
        const rows = await session.rows(
          `SELECT encode(n.hash, 'hex'), min(r.recorded_at) FROM record_blob n JOIN record r ON r.scene_id = n.scene_id AND r.row = n.row
             WHERE n.scene_id = $1 AND r.scene_id = $1 AND n.hash IN (SELECT decode(h, 'hex') FROM unnest($2::text[]) h) GROUP BY 1`,
          [sceneId, refs],
        );
        return new Map(rows.map(([ref, at]) => [String(ref), Number(at)]));
      }),
    imageVectors: (refs) =>
      look(async ({ session, sceneId }) => {
        const byAddress = new Map(refs.map((ref) => [imageAddress(ref).toString("hex"), ref]));
        const rows = await session.rows(
          `SELECT encode(m.image, 'hex'), vector_send(v.embedding) FROM meaning m JOIN meaning_vector v ON v.scene_id = m.scene_id AND v.meaning = m.id
             WHERE m.scene_id = $1 AND v.scene_id = $1 AND m.image IN (SELECT decode(a, 'hex') FROM unnest($2::text[]) a)`,
          [sceneId, [...byAddress.keys()]],
        );
        return rows.map(([address, data]) => ({
          blob: byAddress.get(String(address))!,
          vector: readVector(data as Uint8Array),
        }));
      }),
    begunAfter: (ids, commitUs) =>
      look(async ({ session, sceneId }) => {
        const rows = await session.rows(
          `SELECT id FROM record WHERE scene_id = $1 AND id = ANY($2::text[]) GROUP BY id HAVING min(recorded_at) > $3`,
          [sceneId, ids, commitUs],
        );
        return rows.map(([id]) => String(id));
      }),
  };
}
