import { hash } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { FrameEdge } from "../../geometry/index.ts";
import { FrameGraph } from "../../geometry/index.ts";
import { assert, type EmbedderInfo, LociError, type Stored } from "../../schema/core.ts";
import type { Calibration, VectorSpace } from "../port.ts";
import {
  type Cell,
  COLUMN,
  decodeRecord,
  floatsOf,
  RECORD_COLUMNS,
  type Row,
  SIGHTING_COLUMNS,
} from "../rows/codec.ts";
import { textHash } from "../rows/text-hash.ts";
import { Dictionary } from "./dictionary.ts";
import { failureOf } from "./failure.ts";
import { HeadKeeper } from "./head.ts";
import { isAsWritten, sumOf } from "./sums.ts";
import { TextAddresses } from "./text-addresses.ts";

/** How many lines of text are cached; none is longer than a record allows. */
const MOST_LINES = 4_096;

/** One SQLite connection with the look-ups shared by all its users. */
export class Connection {
  readonly db: DatabaseSync;
  readonly path: string;
  readonly names: Dictionary;
  readonly labelSets: Dictionary;
  readonly texts: TextAddresses;
  readonly head: HeadKeeper;
  readonly #statements = new Map<string, StatementSync>();
  /** Texts that records were read with lately; their numbers are never used again. */
  readonly #lines = new Map<number, string>();
  #depth = 0;
  #forgottenTo = 0;
  /** The graph of all edges up to a row. */
  #frames: { readonly row: number; readonly graph: FrameGraph } | undefined;

  constructor(db: DatabaseSync, path: string, writable: boolean) {
    this.db = db;
    this.path = path;
    this.names = new Dictionary(db, "name", writable);
    this.labelSets = new Dictionary(db, "label_set", writable);
    this.texts = new TextAddresses(this);
    this.head = new HeadKeeper(this);
  }

  /** A prepared statement that returns rows as arrays; prepared once. */
  sql(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      statement = this.db.prepare(text);
      statement.setReturnArrays(true);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  row(text: string, ...values: Cell[]): Row | undefined {
    return this.sql(text).get(...values) as Row | undefined;
  }

  rows(text: string, ...values: Cell[]): Row[] {
    return this.sql(text).all(...values) as unknown as Row[];
  }

  *each(text: string, ...values: Cell[]): Generator<Row> {
    // Not from the cache: an unfinished iteration must not be reset by another use of the same statement.
    const statement = this.db.prepare(text);
    statement.setReturnArrays(true);
    yield* statement.iterate(...values) as unknown as Iterable<Row>;
  }

  run(text: string, ...values: Cell[]): number {
    return Number(this.sql(text).run(...values).lastInsertRowid);
  }

  /** Names may have been forgotten, and return under other numbers: cached ones are looked up again. */
  refreshNames(): void {
    const last = Number(this.row("SELECT coalesce(max(row), 0) FROM forgotten")?.[0]);
    if (last === this.#forgottenTo) return;
    this.#forgottenTo = last;
    this.names.forgetCached();
    this.labelSets.forgetCached();
    this.#lines.clear();
  }

  /** Everything inside sees one state of the memory. Nested calls join the outer one. */
  reading<T>(work: () => T): T {
    return this.#transaction("BEGIN", work);
  }

  /** Runs work in one transaction; durable when this returns. */
  writing<T>(work: () => T): T {
    assert(this.#depth === 0, "write transactions do not nest");
    const result = this.#transaction("BEGIN IMMEDIATE", () => {
      const done = work();
      this.head.advance();
      return done;
    });
    this.head.note();
    return result;
  }

  /** The same for asynchronous work; no other code may use this connection meanwhile. */
  async writingMeanwhile<T>(work: () => Promise<T>): Promise<T> {
    assert(this.#depth === 0, "write transactions do not nest");
    this.#depth++;
    try {
      this.db.exec("BEGIN IMMEDIATE");
      const result = await work();
      this.head.recount();
      this.head.advance();
      this.db.exec("COMMIT");
      this.head.note();
      return result;
    } catch (error) {
      throw this.#rolledBack(error);
    } finally {
      this.#depth--;
    }
  }

  #rolledBack(error: unknown): unknown {
    // After SQLITE_FULL the transaction may have ended already.
    if (this.db.isTransaction) this.db.exec("ROLLBACK");
    this.names.forgetCached();
    this.labelSets.forgetCached();
    this.texts.forgetCached();
    this.#lines.clear();
    this.head.reset();
    this.#frames = undefined;
    return failureOf(error, this.path);
  }

  #transaction<T>(begin: string, work: () => T): T {
    if (this.#depth > 0) return work();
    this.#depth++;
    try {
      this.db.exec(begin);
      const result = work();
      this.db.exec("COMMIT");
      return result;
    } catch (error) {
      throw this.#rolledBack(error);
    } finally {
      this.#depth--;
    }
  }

  textOf = (meaning: number): string => {
    const known = this.#lines.get(meaning);
    if (known !== undefined) return known;
    const row = this.row("SELECT text, hash FROM meaning WHERE id = ?", meaning);
    if (row === undefined || textHash(String(row[0])) !== Number(row[1]))
      throw new LociError("memory-corrupt", `text ${meaning} is missing or not what was written; run verify`);
    if (this.#lines.size >= MOST_LINES) this.#lines.clear();
    this.#lines.set(meaning, String(row[0]));
    return String(row[0]);
  };

  /** The cells of rows of `record` by their numbers; deleted rows are left out. */
  recordRows(rows: readonly number[]): ReadonlyMap<number, Row> {
    // One statement: a call of SQLite costs more than a look-up inside of it.
    const found = this.rows(
      `SELECT ${RECORD_COLUMNS} FROM record WHERE row IN (SELECT value FROM json_each(?))`,
      JSON.stringify(rows),
    );
    return new Map(found.map((cells) => [Number(cells[COLUMN.row]), cells]));
  }

  /** The meaning of the image in a blob, where it has one. */
  meaningOfImage(blob: string): number | undefined {
    const row = this.row("SELECT id FROM meaning WHERE image = ?", imageAddress(blob));
    return row === undefined ? undefined : Number(row[0]);
  }

  vectorOf = (meaning: number): Float32Array | undefined => {
    const row = this.row("SELECT data FROM vector WHERE meaning = ?", meaning);
    return row === undefined ? undefined : floatsOf(row[0] as Uint8Array);
  };

  /** The vectors of different meanings, in their order; undefined if one of them has none. */
  vectorsOf(meanings: readonly number[]): Float32Array[] | undefined {
    if (meanings.length === 1) {
      const vector = this.vectorOf(meanings[0]!);
      return vector && [vector];
    }
    const found = new Map<number, Float32Array>();
    // One statement: a call of SQLite costs more than a look-up inside of it.
    for (const [meaning, data] of this.rows(
      "SELECT meaning, data FROM vector WHERE meaning IN (SELECT value FROM json_each(?))",
      JSON.stringify(meanings),
    ))
      found.set(Number(meaning), floatsOf(data as Uint8Array));
    if (found.size < meanings.length) return undefined;
    return meanings.map((meaning) => found.get(meaning)!);
  }

  /** The record of a row; a damaged one is refused. */
  decode(row: Row): Stored {
    this.check(row);
    return decodeRecord(row, this);
  }

  /** Refuses a row that is not what was written. */
  check(row: Row): void {
    if (!isAsWritten(row))
      throw new LociError(
        "memory-corrupt",
        `record ${row[COLUMN.id]} version ${row[COLUMN.version]}: its row is not what was written; restore a backup or run verify`,
      );
  }

  meta(key: string): unknown {
    const row = this.row("SELECT value FROM meta WHERE key = ?", key);
    if (row === undefined) return undefined;
    try {
      return JSON.parse(String(row[0]));
    } catch (cause) {
      throw new LociError("memory-corrupt", `${key}: not what was written; run verify`, { cause });
    }
  }

  setMeta(key: string, value: unknown): void {
    const text = JSON.stringify(value);
    this.run(
      "INSERT INTO meta (key, value, sum) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, sum = excluded.sum",
      key,
      text,
      sumOf([key, text]),
    );
  }

  /** Makes the sums of rows that were changed in place; they are null until then. */
  mendSums(table: "sighting"): void {
    for (const [row, ...cells] of this.rows(
      `SELECT row, ${SIGHTING_COLUMNS} FROM ${table} WHERE sum IS NULL`,
    ))
      this.run(`UPDATE ${table} SET sum = ? WHERE row = ?`, sumOf(cells), row!);
    this.head.recount();
  }

  /** Vectors of existing rows changed: an index over them must be built anew. */
  raiseVectorEpoch(): void {
    this.setMeta("vectorEpoch", this.vectorEpoch() + 1);
  }

  vectorEpoch(): number {
    return Number(this.meta("vectorEpoch") ?? 0);
  }

  embedder(space: VectorSpace): EmbedderInfo | null {
    return (this.meta(`embedder:${space}`) as EmbedderInfo | undefined) ?? null;
  }

  calibration(space: VectorSpace): Calibration | null {
    return (this.meta(`calibration:${space}`) as Calibration | undefined) ?? null;
  }

  /** The frame graph of all edges up to a row at least; read only where what was read before has fewer. */
  framesFrom(row: number): FrameGraph {
    return this.#frames && this.#frames.row >= row ? this.#frames.graph : this.frameGraph(undefined);
  }

  /**
   * The frame graph as it was known at a memory time. Edges are only ever added, so the current graph grows by them.
   */
  frameGraph(asOfMemoryUs: number | undefined): FrameGraph {
    if (asOfMemoryUs !== undefined) return new FrameGraph(this.#edges(0, asOfMemoryUs));
    const row = Number(this.row("SELECT coalesce(max(row), 0) FROM frame_edge")?.[0]);
    const known = this.#frames;
    if (known?.row === row) return known.graph;
    const graph =
      known && known.row < row
        ? known.graph.withEdges(this.#edges(known.row, Number.MAX_SAFE_INTEGER))
        : new FrameGraph(this.#edges(0, Number.MAX_SAFE_INTEGER));
    this.#frames = { row, graph };
    return graph;
  }

  #edges(afterRow: number, untilUs: number): FrameEdge[] {
    return this.rows(
      "SELECT parent, child, stamp, kind, revision, px, py, pz, qw, qx, qy, qz FROM frame_edge WHERE row > ? AND recorded_at <= ? ORDER BY row",
      afterRow,
      untilUs,
    ).map((row) => this.edgeOf(row));
  }

  edgeOf(row: Row): FrameEdge {
    const [parent, child, stamp, kind, revision, px, py, pz, qw, qx, qy, qz] = row;
    return {
      parent: this.names.textOf(Number(parent)),
      child: this.names.textOf(Number(child)),
      stampUs: stamp === null ? null : Number(stamp),
      kind: String(kind) as FrameEdge["kind"],
      revision: Number(revision),
      transform: {
        p: { x: Number(px), y: Number(py), z: Number(pz) },
        q: { w: Number(qw), x: Number(qx), y: Number(qy), z: Number(qz) },
      },
    };
  }

  close(): void {
    this.#statements.clear();
    this.head.close();
    if (this.db.isOpen) this.db.close();
  }
}

/** Content address of the image in a blob: 128 bits are enough to never meet a second one with the same. */
export function imageAddress(blob: string): Uint8Array {
  return hash("sha256", `i${blob}`, "buffer").subarray(0, 16);
}
