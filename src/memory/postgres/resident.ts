import { isDeepStrictEqual } from "node:util";
import { FrameGraph } from "../../geometry/index.ts";
import { WORLD_FRAME } from "../../schema/core.ts";
import { applyRow } from "../embedded/follower.ts";
import { type PreparedRow, prepareRow } from "../embedded/row-input.ts";
import { ColumnIndex } from "../resident/column-index.ts";
import { type Cell, COLUMN, type Row, unpackIds } from "../rows/codec.ts";
import { type Place, placeOfRow } from "../rows/place.ts";
import { Numbers } from "./numbers.ts";
import { Contents, recordRow, SELECT_RECORD } from "./record-rows.ts";
import type { SceneState } from "./scene.ts";
import type { Look } from "./view.ts";

const ROWS_PER_STEP = 2_000;
/** As the embedded engine's: rows, int8 vectors, tables and exact vectors together, and the address space of these. */
const RESIDENT_BYTES = 736 * 1024 * 1024;
const F32_CACHE_BYTES = 360 * 1024 * 1024;
/** A rebuild is worth it from this ratio of dead to live rows on, and this many dead rows. */
const DEAD_SHARE = 0.5;
const DEAD_ROWS = 10_000;

/** The index of a scene in this process, fed from the scene's tail: the embedded engine's own, over another truth. */
export class SceneIndex {
  readonly index: ColumnIndex;
  readonly names = new Numbers();
  readonly labelSets = new Numbers();
  readonly epoch: number;
  #record = 0;
  #forgotten: number;
  #frame: number;
  #graph: FrameGraph = new FrameGraph([]);

  private constructor(scene: SceneState) {
    this.index = ColumnIndex.create({
      textDim: scene.settings.embedders?.text?.dim ?? 0,
      imageDim: scene.settings.embedders?.image?.dim ?? 0,
      f32CacheBytes: F32_CACHE_BYTES,
      residentBytes: RESIDENT_BYTES,
    });
    this.epoch = scene.epoch;
    this.#forgotten = scene.forgottenRow;
    this.#frame = 0;
  }

  /** A new index of everything believed at this moment. */
  static async build(look: Look): Promise<SceneIndex> {
    const made = new SceneIndex(look.scene);
    made.#graph = await look.readFrames(false);
    made.#frame = look.scene.frameRow;
    await made.follow(look);
    return made;
  }

  /** The frames of the newest map. */
  get frames(): FrameGraph {
    return this.#graph;
  }

  /** How many rows the scene has that are not in yet. */
  behind(scene: SceneState): number {
    return scene.recordRow - this.#record;
  }

  /** True when following row by row cannot do any more. */
  isStale(scene: SceneState): boolean {
    if (scene.epoch !== this.epoch) return true;
    const { live, dead } = this.index.stats();
    return dead > DEAD_ROWS && dead > live * DEAD_SHARE;
  }

  /** Brings the index up to the scene's current state. Slow work happens outside of the index's lock. */
  async follow(look: Look): Promise<void> {
    const { scene } = look;
    if (scene.frameRow > this.#frame) await this.#move(look);
    while (this.#record < scene.recordRow) {
      const rows = await this.#rowsAfter(look, this.#record);
      this.index.write(() => {
        for (const row of rows) applyRow(this.index, row);
      });
      this.#record = rows.length < ROWS_PER_STEP ? scene.recordRow : rows.at(-1)!.row;
    }
    if (scene.forgottenRow > this.#forgotten) await this.#forget(look);
  }

  async #rowsAfter(look: Look, after: number): Promise<PreparedRow[]> {
    const { session, sceneId, scene } = look;
    // A first read needs no versions that have ended already.
    const believed = after === 0 ? " AND r.superseded_at IS NULL" : "";
    const values = await session.rows(
      `SELECT ${SELECT_RECORD.replace("r.body", "NULL")} FROM record r
         WHERE r.scene_id = $1 AND r.row > $2 AND r.row <= $3${believed} ORDER BY r.row LIMIT ${ROWS_PER_STEP}`,
      [sceneId, after, scene.recordRow],
    );
    const rows = values.map((one) => this.#numbered(recordRow(one)));
    const contents = new Contents();
    const live = rows.filter((row) => row[COLUMN.supersededAt] === null);
    const lines = live.flatMap((row) => unpackIds(row[COLUMN.lines]));
    await contents.readTexts(session, sceneId, lines);
    const known = (space: "text" | "image", key: number) => this.index.hasMeaning(space, key);
    await contents.readVectors(
      session,
      sceneId,
      lines.filter((key) => !known("text", key)),
    );
    const images = live.flatMap((row) => (row[COLUMN.image] === null ? [] : [Number(row[COLUMN.image])]));
    await contents.readVectors(
      session,
      sceneId,
      images.filter((key) => !known("image", key)),
    );
    const before = await this.#previous(look, rows);
    const graph = this.#graph;
    return rows.map((row) =>
      prepareRow(this, row, graph, known, contents, (id, version) => before.get(`${id} ${version}`)),
    );
  }

  async #previous({ session, sceneId }: Look, rows: readonly Row[]): Promise<Map<string, number>> {
    const later = rows.filter((row) => Number(row[COLUMN.version]) > 1);
    if (later.length === 0) return new Map();
    const found = await session.rows(
      `SELECT r.id, r.version, r.row FROM record r JOIN unnest($2::text[], $3::integer[]) AS n (id, version)
         ON r.id = n.id AND r.version = n.version WHERE r.scene_id = $1`,
      [sceneId, later.map((row) => row[COLUMN.id]), later.map((row) => Number(row[COLUMN.version]) - 1)],
    );
    return new Map(found.map(([id, version, row]) => [`${id} ${version}`, Number(row)]));
  }

  async #forget({ session, sceneId, scene }: Look): Promise<void> {
    const heads = await session.rows(
      "SELECT head FROM forgotten WHERE scene_id = $1 AND row > $2 AND row <= $3 AND head IS NOT NULL",
      [sceneId, this.#forgotten, scene.forgottenRow],
    );
    this.index.write(() => {
      for (const [head] of heads) this.index.removeRow(Number(head));
    });
    this.#forgotten = scene.forgottenRow;
  }

  /** A new map: moves the places of all rows anchored to a moved submap. */
  async #move(look: Look): Promise<void> {
    const { session, sceneId, scene } = look;
    const [before, after] = [this.#graph, await look.readFrames(false)];
    const moved = after
      .frames()
      .filter(
        (name) => !isDeepStrictEqual(before.resolve(WORLD_FRAME, name), after.resolve(WORLD_FRAME, name)),
      );
    const rows = await session.rows(
      `SELECT ${SELECT_RECORD.replace("r.body", "NULL")} FROM record r
         WHERE r.scene_id = $1 AND r.superseded_at IS NULL AND r.submap = ANY($2::text[])`,
      [sceneId, moved],
    );
    const places = new Map<number, Place | undefined>();
    for (const values of rows) {
      const row = this.#numbered(recordRow(values));
      places.set(Number(row[COLUMN.row]), placeOfRow(this, row, after));
    }
    this.#graph = after;
    this.#frame = scene.frameRow;
    this.index.write(() =>
      this.index.setPlaces(
        moved.map((name) => this.names.intern(name)),
        (row) => places.get(row),
      ),
    );
  }

  /** A row with this index's own numbers in the place of names. */
  #numbered(row: Row): Row {
    const numbered = [...row] as Cell[];
    numbered[COLUMN.labels] = this.labelSets.intern(String(row[COLUMN.labels]));
    for (const column of [COLUMN.scene, COLUMN.author, COLUMN.category, COLUMN.submap]) {
      const name = row[column];
      if (name !== null) numbered[column] = this.names.internStored(String(name));
    }
    return numbered;
  }
}
