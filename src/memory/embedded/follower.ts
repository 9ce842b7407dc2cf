import { isDeepStrictEqual } from "node:util";
import type { FrameGraph } from "../../geometry/index.ts";
import { RECORD_KINDS, type RecordKind, WORLD_FRAME } from "../../schema/core.ts";
import { ColumnIndex } from "../resident/column-index.ts";
import { COLUMN, RECORD_COLUMNS } from "../rows/codec.ts";
import { type Place, placeOfRow } from "../rows/place.ts";
import type { CommitRows } from "../sqlite/commit.ts";
import type { Connection } from "../sqlite/connection.ts";
import { Cursor, type CursorValues } from "./cursor.ts";
import { contentsOf, type PreparedRow, prepareRow, rowOfVersion } from "./row-input.ts";

/** What threads need to attach to the same index. */
export interface SharedIndex {
  readonly memory: WebAssembly.Memory;
  readonly cursor: SharedArrayBuffer;
}

const ROWS_PER_STEP = 2_000;
/** Rows, int8 vectors, tables and exact vectors of an index together; exact vectors take what the rest leaves, or an eighth. */
const RESIDENT_BYTES = 736 * 1024 * 1024;
/** Address space for exact vectors: 650,000 of 128 dimensions. */
const F32_CACHE_BYTES = 360 * 1024 * 1024;
/** Dead rows beyond this share of the living, and this many, are worth building anew for. */
const DEAD_SHARE = 0.5;
const DEAD_ROWS = 10_000;

/**
 * Keeps a resident index in step with the SQLite truth. The same code runs in the writer's thread after its own commits
 * and in a reading process after another's: it reads the tail of the truth, prepares it outside of the index's lock and
 * applies it inside, whole. A later call finds nothing left to do.
 */
export class Follower {
  readonly index: ColumnIndex;
  readonly #connection: Connection;
  readonly #cursor: Cursor;
  #frames: { readonly row: number; readonly graph: FrameGraph } | undefined;

  private constructor(connection: Connection, index: ColumnIndex, cursor: Cursor) {
    this.#connection = connection;
    this.index = index;
    this.#cursor = cursor;
  }

  /** A new index of everything that is believed now. */
  static build(connection: Connection, onProgress?: (rows: number) => void): Follower {
    const follower = new Follower(
      connection,
      ColumnIndex.create({
        textDim: connection.embedder("text")?.dim ?? 0,
        imageDim: connection.embedder("image")?.dim ?? 0,
        f32CacheBytes: F32_CACHE_BYTES,
        residentBytes: RESIDENT_BYTES,
      }),
      new Cursor(),
    );
    follower.#cursor.set({
      epoch: connection.vectorEpoch(),
      forgotten: lastRow(connection, "forgotten"),
      frame: lastRow(connection, "frame_edge"),
    });
    follower.catchUp(onProgress);
    return follower;
  }

  /** An index that another thread, or a snapshot, already has. */
  static attach(
    connection: Connection,
    shared: SharedIndex,
    index = ColumnIndex.attach(shared.memory),
  ): Follower {
    return new Follower(connection, index, new Cursor(shared.cursor));
  }

  get shared(): SharedIndex {
    return { memory: this.index.memory, cursor: this.#cursor.buffer };
  }

  get position(): CursorValues {
    return this.index.read(() => this.#cursor.read());
  }

  /** True when following row by row cannot do any more: another embedder, other vectors, too many dead rows. */
  isStale(): boolean {
    const connection = this.#connection;
    if (connection.vectorEpoch() !== this.position.epoch) return true;
    const { live, dead } = this.index.stats();
    return dead > DEAD_ROWS && dead > live * DEAD_SHARE;
  }

  /** Brings the index up to the truth as it is now. */
  catchUp(onProgress?: (rows: number) => void): void {
    for (;;) {
      const from = this.position;
      const step = this.#connection.reading(() => this.#readTail(from));
      if (step.empty) return;
      this.index.write(() => this.#apply(step));
      onProgress?.(step.to.record);
    }
  }

  /**
   * The kinds of the present ones of these records, as long as the index is as new as the truth; else undefined. A
   * lookup in the truth costs as much as checking the records.
   */
  kindsOf(ids: readonly string[]): Map<string, RecordKind> | undefined {
    const connection = this.#connection;
    const { record, forgotten } = this.position;
    if (lastRow(connection, "record") !== record || lastRow(connection, "forgotten") !== forgotten)
      return undefined;
    const kinds = new Map<string, RecordKind>();
    for (const [id, kind] of this.index.kindsOf(ids)) kinds.set(id, RECORD_KINDS[kind]!);
    return kinds;
  }

  /** Follows a commit of this very process without reading it back; false where the tail must be read after all. */
  applyCommit({ rows, contents }: CommitRows): boolean {
    const first = rows[0];
    // Rows of another writer in between, a new map, or new vectors of old texts: then the tail is read as always.
    const from = this.position;
    const frameRow = lastRow(this.#connection, "frame_edge");
    if (first === undefined) return frameRow === from.frame;
    if (frameRow === from.frame && Number(first[0]) === from.record + 1) {
      const graph = this.#graph(frameRow);
      const known = (space: "text" | "image", key: number) => this.index.hasMeaning(space, key);
      const prepared = rows.map((row) =>
        prepareRow(this.#connection, row, graph, known, contents, this.#previous),
      );
      const to = { record: Number(rows.at(-1)![0]), forgotten: from.forgotten, frame: from.frame };
      this.index.write(() =>
        this.#apply({ moves: undefined, rows: prepared, forgotten: [], to, empty: false }),
      );
      return true;
    }
    return false;
  }

  #readTail(from: CursorValues): Tail {
    const connection = this.#connection;
    connection.refreshNames();
    const frameRow = lastRow(connection, "frame_edge");
    const before = this.#frames?.graph;
    const graph = this.#graph(frameRow);
    const rows = connection.rows(
      `SELECT ${RECORD_COLUMNS} FROM record WHERE row > ? ORDER BY row LIMIT ${ROWS_PER_STEP}`,
      from.record,
    );
    const forgotten = connection.rows(
      "SELECT row, head FROM forgotten WHERE row > ? ORDER BY row",
      from.forgotten,
    );
    const known = (space: "text" | "image", key: number) => this.index.hasMeaning(space, key);
    const contents = contentsOf(connection, rows, (key) => !known("text", key));
    return {
      moves: frameRow > from.frame ? this.#moves(before, graph) : undefined,
      rows: rows.map((row) => prepareRow(connection, row, graph, known, contents, this.#previous)),
      forgotten: forgotten.map((row) => (row[1] === null ? undefined : Number(row[1]))),
      to: {
        record: rows.length === 0 ? from.record : Number(rows.at(-1)![0]),
        forgotten: forgotten.length === 0 ? from.forgotten : Number(forgotten.at(-1)![0]),
        frame: frameRow,
      },
      empty: rows.length === 0 && forgotten.length === 0 && frameRow === from.frame,
    };
  }

  #apply(step: Tail): void {
    const { record, forgotten, frame } = this.#cursor.read();
    const { moves } = step;
    if (moves && step.to.frame > frame) this.index.setPlaces(moves.submaps, (row) => moves.places.get(row));
    for (const row of step.rows) if (row.row > record) applyRow(this.index, row);
    for (const head of step.forgotten) if (head !== undefined) this.index.removeRow(head);
    this.#cursor.set({
      record: Math.max(record, step.to.record),
      forgotten: Math.max(forgotten, step.to.forgotten),
      frame: Math.max(frame, step.to.frame),
    });
  }

  #previous = (id: string, version: number) => rowOfVersion(this.#connection, id, version);

  /** The effects of a new map: places of all rows anchored to a moved submap, and the submaps that moved. */
  #moves(before: FrameGraph | undefined, after: FrameGraph): Moves {
    const connection = this.#connection;
    const submaps = after.frames().flatMap((name) => {
      const submap = connection.names.find(name);
      if (submap === undefined) return [];
      const [was, is] = [before?.resolve(WORLD_FRAME, name), after.resolve(WORLD_FRAME, name)];
      return isDeepStrictEqual(was, is) ? [] : [submap];
    });
    const places = new Map<number, Place | undefined>();
    for (const row of connection.rows(
      `SELECT ${RECORD_COLUMNS} FROM record WHERE superseded_at IS NULL AND submap IN (SELECT value FROM json_each(?))`,
      JSON.stringify(submaps),
    )) {
      places.set(Number(row[COLUMN.row]), placeOfRow(connection, row, after));
    }
    return { submaps, places };
  }

  #graph(row: number): FrameGraph {
    if (this.#frames?.row !== row) this.#frames = { row, graph: this.#connection.frameGraph(undefined) };
    return this.#frames.graph;
  }
}

/** Puts a prepared row into an index, in the place of the version before it; inside the index's lock. */
export function applyRow(index: ColumnIndex, { replaces, input, vectors }: PreparedRow): void {
  if (replaces !== undefined) index.removeRow(replaces);
  if (input === undefined) return;
  for (const { space, key, vector } of vectors) index.insertMeaning(space, key, vector);
  const { ownerName, ...rest } = input;
  index.insertRow({ ...rest, owner: ownerName === undefined ? 0 : index.intern(ownerName) });
}

/** New places by row, for every live row of some submaps. */
interface Moves {
  readonly submaps: readonly number[];
  readonly places: ReadonlyMap<number, Place | undefined>;
}

/** Rows of the truth beyond the index, ready to be applied. */
interface Tail {
  readonly moves: Moves | undefined;
  readonly rows: PreparedRow[];
  readonly forgotten: (number | undefined)[];
  readonly to: Omit<CursorValues, "epoch">;
  readonly empty: boolean;
}

function lastRow(connection: Connection, table: "record" | "forgotten" | "frame_edge"): number {
  return Number(connection.row(`SELECT coalesce(max(row), 0) FROM ${table}`)?.[0]);
}
