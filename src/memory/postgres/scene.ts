import { randomUUID } from "node:crypto";
import { type FrameEdge, FrameGraph } from "../../geometry/index.ts";
import { type EmbedderInfo, LociError } from "../../schema/core.ts";
import type { Calibration, VectorSpace } from "../port.ts";
import type { Database, Session, Values } from "./database.ts";
import { fromText } from "./text.ts";

/** Small facts of a scene, kept as one JSON. */
export interface SceneSettings {
  /** Tells this scene from any other, of other databases too. */
  readonly id?: string;
  embedders?: Partial<Record<VectorSpace, EmbedderInfo>>;
  calibrations?: Partial<Record<VectorSpace, Calibration>>;
  reembedding?: { embedder: EmbedderInfo; doneTo: number; withoutMeaning: number };
  /** A restore in steps that is not done: as which work, and how many rows are there. */
  restoring?: { readonly work: string; readonly rows: number };
  /** The latest time heard from any memory. */
  clockUs?: number;
  /** Which levels of cells (`levelsOf`) its rows are of; undefined: any. */
  levels?: number;
  /** How many ids, by reason, were forgotten and then struck from the log. */
  struck?: Record<string, number>;
}

/** The row of a scene, with its counters. Numbers grow in the order of commits. */
export interface SceneState {
  readonly sceneId: number;
  commitUs: number;
  recordRow: number;
  sightingRow: number;
  frameRow: number;
  forgottenRow: number;
  meaningId: number;
  /** Raised when vectors of existing rows changed: indexes are then rebuilt. */
  epoch: number;
  settings: SceneSettings;
}

/** What work in a scene has: the session of its transaction, and the scene's row, locked for it alone. */
export interface Held {
  readonly session: Session;
  /** The same for statements whose answers are not needed. */
  readonly sending: Session;
  readonly scene: SceneState;
}

const COLUMNS =
  "scene_id, commit_us, record_row, sighting_row, frame_row, forgotten_row, meaning_id, epoch, settings";

/** The statement that reads a scene's row; it has no values, so that it can go along with a BEGIN. */
export function selectScene(sceneId: number): string {
  return `SELECT ${COLUMNS} FROM scene WHERE scene_id = ${sceneId}`;
}

export function sceneOf(row: Values | undefined): SceneState {
  if (row === undefined) throw new LociError("memory-not-found", "this scene is not there any more");
  const [sceneId, commitUs, recordRow, sightingRow, frameRow, forgottenRow, meaningId, epoch] =
    row.map(Number);
  return {
    sceneId: sceneId!,
    commitUs: commitUs!,
    recordRow: recordRow!,
    sightingRow: sightingRow!,
    frameRow: frameRow!,
    forgottenRow: forgottenRow!,
    meaningId: meaningId!,
    epoch: epoch!,
    settings: JSON.parse(String(row[8])) as SceneSettings,
  };
}

export async function saveScene(session: Session, scene: SceneState): Promise<void> {
  await session.run(
    `UPDATE scene SET commit_us = $2, record_row = $3, sighting_row = $4, frame_row = $5, forgotten_row = $6,
       meaning_id = $7, epoch = $8, settings = $9 WHERE scene_id = $1`,
    [
      scene.sceneId,
      scene.commitUs,
      scene.recordRow,
      scene.sightingRow,
      scene.frameRow,
      scene.forgottenRow,
      scene.meaningId,
      scene.epoch,
      JSON.stringify(scene.settings),
    ],
  );
}

/** The number of a scene by its name; a missing one is created if allowed. */
export async function openScene(database: Database, name: string, create: boolean): Promise<number> {
  return database.session(async (session) => {
    const find = async () =>
      (await session.rows("SELECT scene_id FROM scene WHERE name = $1", [name]))[0]?.[0];
    const found = await find();
    if (found !== undefined) return Number(found);
    if (!create)
      throw new LociError(
        "memory-not-found",
        `${database.what} has no scene "${name}"; remember something first`,
      );
    await session.run(
      `INSERT INTO scene (scene_id, name, settings)
         SELECT coalesce(max(scene_id), 0) + 1, $1, $2 FROM scene ON CONFLICT DO NOTHING`,
      [name, JSON.stringify({ id: randomUUID() })],
    );
    const made = await find();
    // Another process created the scene meanwhile.
    return made === undefined ? openScene(database, name, create) : Number(made);
  });
}

/** Which partition of the large tables holds a scene; undefined where there are none, or none that may be read. */
export async function partitionOf(session: Session, sceneId: number): Promise<number | undefined> {
  const [row] = await session.rows(
    `SELECT n FROM (SELECT count(*)::integer AS all FROM pg_inherits WHERE inhparent = 'record'::regclass) p,
         generate_series(0, p.all - 1) n
       WHERE satisfies_hash_partition('record'::regclass, p.all, n, $1::bigint)
         AND has_table_privilege('record_p' || n, 'SELECT')`,
    [sceneId],
  );
  return row && Number(row[0]);
}

export const EDGE_COLUMNS = "parent, child, stamp, kind, revision, px, py, pz, qw, qx, qy, qz";

export function edgeOf(row: Values): FrameEdge {
  const [parent, child, stamp, kind, revision, px, py, pz, qw, qx, qy, qz] = row;
  return {
    parent: fromText(String(parent)),
    child: fromText(String(child)),
    stampUs: stamp === null ? null : Number(stamp),
    kind: String(kind) as FrameEdge["kind"],
    revision: Number(revision),
    transform: {
      p: { x: Number(px), y: Number(py), z: Number(pz) },
      q: { w: Number(qw), x: Number(qx), y: Number(qy), z: Number(qz) },
    },
  };
}

/** The frame graph of a scene, kept between calls; edges are only ever added. */
export class FrameCache {
  #row = 0;
  #graph = new FrameGraph([]);

  /** All frames known at the scene's state. */
  async graph(session: Session, scene: SceneState): Promise<FrameGraph> {
    if (this.#row !== scene.frameRow) {
      const known = this.#row < scene.frameRow ? this.#row : 0;
      const rows = await session.rows(
        `SELECT ${EDGE_COLUMNS} FROM frame_edge WHERE scene_id = $1 AND row > $2 AND row <= $3 ORDER BY row`,
        [scene.sceneId, known, scene.frameRow],
      );
      const edges = rows.map(edgeOf);
      const graph = known === 0 ? new FrameGraph(edges) : this.#graph.withEdges(edges);
      // An older state that is read at the same time must not take the newer one's place.
      if (scene.frameRow < this.#row) return graph;
      this.#graph = graph;
      this.#row = scene.frameRow;
    }
    return this.#graph;
  }
}

/** The frame graph as it was known at a memory time. */
export async function graphAsOf(session: Session, sceneId: number, asOfUs: number): Promise<FrameGraph> {
  const rows = await session.rows(
    `SELECT ${EDGE_COLUMNS} FROM frame_edge WHERE scene_id = $1 AND recorded_at <= $2 ORDER BY row`,
    [sceneId, asOfUs],
  );
  return new FrameGraph(rows.map(edgeOf));
}
