import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { BenchEngine, EngineAdapter, EngineContext } from "../port.ts";
import type { BenchRow, QueryArgs, QueryKind } from "../workload.ts";
import {
  type Bounds,
  byDistance,
  cubeAround,
  type Found,
  folderBytes,
  growingNearest,
  OPEN_US,
  packageMissing,
} from "./shared.ts";

const PACKAGE: string = "@duckdb/node-api";
const NO_TEXT = "BM25 is in the fts extension, which DuckDB downloads; it is not in the npm package";

/** The part of @duckdb/node-api that is used here. */
interface DuckDb {
  DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection>; closeSync(): void }> };
  DuckDBDataChunk: { create(types: readonly unknown[], rows: number): Chunk };
  arrayValue(items: readonly number[]): unknown;
  ARRAY(of: unknown, length: number): unknown;
  INTEGER: unknown;
  BIGINT: unknown;
  DOUBLE: unknown;
  FLOAT: unknown;
  VARCHAR: unknown;
}
interface Chunk {
  setColumns(columns: readonly (readonly unknown[])[]): void;
}
interface Connection {
  run(sql: string): Promise<unknown>;
  prepare(sql: string): Promise<Statement>;
  createAppender(table: string): Promise<{ appendDataChunk(chunk: Chunk): void; closeSync(): void }>;
  closeSync(): void;
}
interface Statement {
  bindDouble(at: number, value: number): void;
  bindBigInt(at: number, value: bigint): void;
  bindInteger(at: number, value: number): void;
  bindArray(at: number, value: readonly number[], type: unknown): void;
  runAndReadAll(): Promise<{ getRows(): unknown[][] }>;
}

/** DuckDB on one thread: column scans with zone maps (rows lie in the order of time), no index. */
export const adapter: EngineAdapter = {
  missing: () => packageMissing(PACKAGE),
  async open(context) {
    const duckdb = (await import(PACKAGE)) as DuckDb;
    const home = join(context.folder, "duckdb");
    mkdirSync(home, { recursive: true });
    const instance = await duckdb.DuckDBInstance.create(join(home, "bench.duckdb"));
    const connection = await instance.connect();
    if (context.phase === "load") {
      await connection.run(
        `CREATE TABLE record(id INTEGER, x DOUBLE, y DOUBLE, z DOUBLE, from_us BIGINT, to_us BIGINT, text VARCHAR, v FLOAT[${context.dim}])`,
      );
    } else {
      await connection.run("SET threads = 1");
    }
    return new DuckDbBench(duckdb, instance, connection, home, context);
  },
  sharedBetweenProcesses: false,
};

const COLUMNS = "id, x, y, z";
const IN_BOX = "x BETWEEN $1 AND $2 AND y BETWEEN $3 AND $4 AND z BETWEEN $5 AND $6";
const MAX_CHUNK_ROWS = 2_048;

class DuckDbBench implements BenchEngine {
  readonly bulkRows = MAX_CHUNK_ROWS;
  readonly #duckdb: DuckDb;
  readonly #instance: { closeSync(): void };
  readonly #connection: Connection;
  readonly #home: string;
  readonly #dim: number;
  readonly #statements = new Map<string, Statement>();

  constructor(
    duckdb: DuckDb,
    instance: { closeSync(): void },
    connection: Connection,
    home: string,
    { dim }: EngineContext,
  ) {
    this.#duckdb = duckdb;
    this.#instance = instance;
    this.#connection = connection;
    this.#home = home;
    this.#dim = dim;
  }

  async load(rows: readonly BenchRow[]): Promise<void> {
    await this.write(rows);
  }

  async finishLoad(): Promise<void> {
    await this.#connection.run("CHECKPOINT");
  }

  async write(rows: readonly BenchRow[]): Promise<void> {
    const { DuckDBDataChunk, INTEGER, DOUBLE, BIGINT, VARCHAR, FLOAT, ARRAY, arrayValue } = this.#duckdb;
    const types = [INTEGER, DOUBLE, DOUBLE, DOUBLE, BIGINT, BIGINT, VARCHAR, ARRAY(FLOAT, this.#dim)];
    const appender = await this.#connection.createAppender("record");
    const chunk = DuckDBDataChunk.create(types, rows.length);
    chunk.setColumns([
      rows.map(({ index }) => index),
      rows.map(({ x }) => x),
      rows.map(({ y }) => y),
      rows.map(({ z }) => z),
      rows.map(({ fromUs }) => BigInt(fromUs)),
      rows.map(({ toUs }) => BigInt(toUs ?? OPEN_US)),
      rows.map(({ text }) => text),
      rows.map(({ vector }) => arrayValue(Array.from(vector))),
    ]);
    appender.appendDataChunk(chunk);
    // Closing flushes, and a flush outside of a transaction commits to the log on disk.
    appender.closeSync();
  }

  plans(kind: QueryKind): readonly string[] | { cannot: string } {
    if (kind === "text" || kind === "hybrid-text") return { cannot: NO_TEXT };
    if (kind === "nearest") return ["scan by distance", "growing boxes"];
    return ["scan"];
  }

  async query(kind: QueryKind, args: QueryArgs, plan: string): Promise<number[]> {
    if (kind === "semantic") {
      return ids(
        await this.#rows(`SELECT ${COLUMNS} FROM record ORDER BY ${this.#cosine(1)} DESC LIMIT 10`, [
          args.vector!,
        ]),
      );
    }
    if (kind === "window-1h") {
      const { fromUs, toUs } = args.window!;
      return ids(
        await this.#rows(
          `SELECT ${COLUMNS} FROM record WHERE to_us > $1 AND from_us < $2 ORDER BY from_us DESC LIMIT 10`,
          [BigInt(fromUs), BigInt(toUs)],
        ),
      );
    }
    if (kind === "nearest" && plan === "scan by distance") {
      return ids(
        await this.#rows(
          `SELECT ${COLUMNS} FROM record ORDER BY (x - $1) * (x - $1) + (y - $2) * (y - $2) + (z - $3) * (z - $3) LIMIT 10`,
          [...args.point!],
        ),
      );
    }
    if (kind === "nearest") return growingNearest(args, (bounds) => this.#inBox(bounds));
    if (kind === "associate") return this.#associate(args);
    if (kind.startsWith("radius")) {
      const rows = await this.#inBox(cubeAround(args.point!, args.radiusM!));
      return byDistance(rows, args.point!, args.radiusM!, args.limit).map(({ id }) => id);
    }
    const { fromUs, toUs } = args.window!;
    return ids(
      await this.#rows(
        `SELECT ${COLUMNS} FROM record WHERE ${IN_BOX} AND to_us > $7 AND from_us < $8 ORDER BY ${this.#cosine(9)} DESC LIMIT 10`,
        [...corners(args.box!), BigInt(fromUs), BigInt(toUs), args.vector!],
      ),
    );
  }

  diskBytes(): Promise<number> {
    return folderBytes(this.#home);
  }

  async rssBytes(): Promise<number> {
    return process.memoryUsage.rss();
  }

  async close(): Promise<void> {
    this.#connection.closeSync();
    this.#instance.closeSync();
  }

  async #inBox(bounds: Bounds): Promise<Found[]> {
    const rows = await this.#rows(`SELECT ${COLUMNS} FROM record WHERE ${IN_BOX}`, corners(bounds));
    return rows.map(foundOf);
  }

  async #associate(args: QueryArgs): Promise<number[]> {
    const bounds = corners(cubeAround(args.point!, args.radiusM!));
    const rows = await this.#rows(
      `SELECT ${COLUMNS} FROM record WHERE ${IN_BOX} AND ${this.#cosine(7)} > $8`,
      [...bounds, args.vector!, args.minCosine!],
    );
    return byDistance(rows.map(foundOf), args.point!, args.radiusM!, args.limit).map(({ id }) => id);
  }

  /** Unit vectors: the inner product is the cosine. */
  #cosine(parameter: number): string {
    return `array_inner_product(v, $${parameter}::FLOAT[${this.#dim}])`;
  }

  async #rows(sql: string, values: readonly (number | bigint | Float32Array)[]): Promise<unknown[][]> {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = await this.#connection.prepare(sql);
      this.#statements.set(sql, statement);
    }
    values.forEach((value, i) => {
      if (typeof value === "number") statement.bindDouble(i + 1, value);
      else if (typeof value === "bigint") statement.bindBigInt(i + 1, value);
      else statement.bindArray(i + 1, Array.from(value), this.#duckdb.ARRAY(this.#duckdb.FLOAT, this.#dim));
    });
    return (await statement.runAndReadAll()).getRows();
  }
}

function corners({ min, max }: Bounds): number[] {
  return [min[0], max[0], min[1], max[1], min[2], max[2]];
}

function ids(rows: readonly unknown[][]): number[] {
  return rows.map((row) => Number(row[0]));
}

function foundOf([id, x, y, z]: unknown[]): Found {
  return { id: Number(id), x: Number(x), y: Number(y), z: Number(z) };
}
