import { readFileSync } from "node:fs";
import type { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import type { BenchEngine, EngineAdapter, EngineContext } from "../port.ts";
import type { BenchRow, QueryArgs, QueryKind } from "../workload.ts";
import { copyBytes } from "./pg-copy.ts";
import {
  type Bounds,
  byDistance,
  classOf,
  cubeAround,
  type Found,
  growingNearest,
  OPEN_US,
  packageMissing,
  startRanges,
} from "./shared.ts";

const PACKAGE: string = "pg";
const COPY: string = "pg-copy-streams";
const URL_NAME = "LOCI_TEST_POSTGRES_URL";
const NO_TEXT = "PostgreSQL ranks by ts_rank, not by BM25";

/** The part of pg that is used here. */
interface Client {
  connect(): Promise<void>;
  end(): Promise<void>;
  query(sql: string): Promise<{ rows: Record<string, unknown>[] }>;
  query(query: { name: string; text: string; values: readonly unknown[]; rowMode: "array" }): Promise<{
    rows: unknown[][];
  }>;
  query<S extends Writable>(stream: S): S;
}

/**
 * PostgreSQL with pgvector as one who knows it would use it: place as B-tree cells of two sizes, time as a
 * B-tree by duration class, the plan fixed by us, filtered candidates ranked exactly. Its own planner would
 * take the HNSW after filtering and lose most of the answers (ENGINES.md: recall .10 to .46).
 */
export const adapter = adapterWith(true);
/** The same without an approximate index: its best exact plans, and what ingest costs without one. */
export const exactAdapter = adapterWith(false);

function adapterWith(approximate: boolean): EngineAdapter {
  return {
    async missing() {
      if (!process.env[URL_NAME]) return `${URL_NAME} is not set`;
      return (await packageMissing(PACKAGE)) ?? (await packageMissing(COPY));
    },
    async open(context) {
      const client = await connected();
      const engine = new PgBench(client, context, approximate);
      await engine.begin();
      return engine;
    },
    async clean() {
      if (!process.env[URL_NAME]) return;
      const client = await connected();
      await client.query("DROP SCHEMA IF EXISTS loci_bench CASCADE");
      await client.end();
    },
    sharedBetweenProcesses: true,
  };
}

const COLUMNS = "r.id, r.x, r.y, r.z";
const FINE_M = 4;
const COARSE_M = 64;
/** Up to this width a box is covered by fine cells. */
const FINE_WIDTH_M = 120;
const CELLS_A_ROW = 4_096;
const MAX_HNSW_ROWS = 300_000;
const IN_BOX = "r.x BETWEEN $1 AND $2 AND r.y BETWEEN $3 AND $4 AND r.z BETWEEN $5 AND $6";
/** Vectors up to this long stay in the row; longer ones PostgreSQL keeps aside. */
const MAX_INLINE_DIM = 1_900;

class PgBench implements BenchEngine {
  readonly bulkRows = 5_000;
  readonly #client: Client;
  readonly #context: EngineContext;
  readonly #approximate: boolean;
  readonly #names = new Map<string, string>();
  #probes = "";

  constructor(client: Client, context: EngineContext, approximate: boolean) {
    this.#client = client;
    this.#context = context;
    this.#approximate = approximate;
  }

  async begin(): Promise<void> {
    const { phase, dim } = this.#context;
    await this.#client.query(
      "SET jit = off; SET max_parallel_workers_per_gather = 0; SET plan_cache_mode = force_generic_plan; SET enable_seqscan = on",
    );
    if (phase !== "load") return;
    await this.#client.query(`
      CREATE EXTENSION IF NOT EXISTS vector;
      DROP SCHEMA IF EXISTS loci_bench CASCADE;
      CREATE SCHEMA loci_bench;
      CREATE TABLE loci_bench.record(id integer PRIMARY KEY, x float8, y float8, z float8, from_us bigint, to_us bigint,
        class integer, fine integer, coarse integer, text text, v vector(${dim}))`);
    if (dim <= MAX_INLINE_DIM) {
      await this.#client.query("ALTER TABLE loci_bench.record ALTER COLUMN v SET STORAGE PLAIN");
    }
  }

  async load(rows: readonly BenchRow[]): Promise<void> {
    await this.write(rows);
  }

  async finishLoad(): Promise<void> {
    const lists = Math.ceil(Math.sqrt(this.#context.n));
    const vectorIndex =
      this.#context.n <= MAX_HNSW_ROWS
        ? "USING hnsw (v vector_ip_ops) WITH (m = 16, ef_construction = 128)"
        : `USING ivfflat (v vector_ip_ops) WITH (lists = ${lists})`;
    for (const sql of [
      "SET maintenance_work_mem = '2GB'",
      "CREATE INDEX record_fine ON loci_bench.record(fine)",
      "CREATE INDEX record_coarse ON loci_bench.record(coarse)",
      "CREATE INDEX record_time ON loci_bench.record(class, from_us, to_us)",
      "CREATE INDEX record_from ON loci_bench.record(from_us, to_us)",
      ...(this.#approximate ? [`CREATE INDEX record_v ON loci_bench.record ${vectorIndex}`] : []),
      "VACUUM ANALYZE loci_bench.record",
      "CHECKPOINT",
    ]) {
      await this.#client.query(sql);
    }
  }

  /** One binary COPY is one transaction, and the fastest way in that PostgreSQL has. */
  async write(rows: readonly BenchRow[]): Promise<void> {
    const { from } = (await import(COPY)) as { from(sql: string): Writable };
    const stream = this.#client.query(from("COPY loci_bench.record FROM STDIN (FORMAT binary)"));
    stream.end(
      copyBytes(rows, ({ index, x, y, z, fromUs, toUs, text, vector }) => ({
        doubles: [x, y, z],
        id: index,
        bigints: [BigInt(fromUs), BigInt(toUs ?? OPEN_US)],
        integers: [classOf(fromUs, toUs), cellOf(x, y, FINE_M), cellOf(x, y, COARSE_M)],
        text,
        vector,
      })),
    );
    await finished(stream);
  }

  plans(kind: QueryKind): readonly string[] | { cannot: string } {
    if (kind === "text" || kind === "hybrid-text") return { cannot: NO_TEXT };
    if (kind === "semantic") {
      if (!this.#approximate) return ["exact"];
      return this.#context.n <= MAX_HNSW_ROWS
        ? ["hnsw ef 100", "hnsw ef 400", "exact"]
        : ["ivfflat 10 probes", "ivfflat 50 probes", "ivfflat 200 probes", "exact"];
    }
    if (kind.startsWith("hybrid-")) return ["cells, then exact", "time, then exact", "scan, then exact"];
    return [kind === "window-1h" ? "time index" : "cells"];
  }

  async query(kind: QueryKind, args: QueryArgs, plan: string): Promise<number[]> {
    if (kind === "semantic") return this.#semantic(args, plan);
    if (kind === "nearest") return growingNearest(args, (bounds) => this.#inBox(bounds));
    if (kind === "window-1h") {
      const { fromUs, toUs } = args.window!;
      return this.#ids(
        `SELECT ${COLUMNS} FROM loci_bench.record r WHERE r.from_us < $2 AND r.to_us > $1 ORDER BY r.from_us DESC LIMIT $3`,
        [fromUs, toUs, args.limit],
      );
    }
    if (kind === "associate") return this.#associate(args);
    if (kind.startsWith("radius")) {
      const rows = await this.#inBox(cubeAround(args.point!, args.radiusM!));
      return byDistance(rows, args.point!, args.radiusM!, args.limit).map(({ id }) => id);
    }
    return this.#hybrid(args, plan);
  }

  async diskBytes(): Promise<number> {
    const { rows } = await this.#client.query("SELECT pg_total_relation_size('loci_bench.record') AS bytes");
    return Number(rows[0]!["bytes"]);
  }

  /** Of the server process that answers us, with the shared buffers it has touched. */
  async rssBytes(): Promise<number> {
    const { rows } = await this.#client.query("SELECT pg_backend_pid() AS pid");
    try {
      const status = readFileSync(`/proc/${rows[0]!["pid"]}/status`, "utf8");
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) * 1_024;
    } catch {
      return Number.NaN; // A server on another machine.
    }
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  async #semantic(args: QueryArgs, plan: string): Promise<number[]> {
    const number = /\d+/.exec(plan)?.[0];
    const setting = plan.startsWith("hnsw") ? `hnsw.ef_search = ${number}` : `ivfflat.probes = ${number}`;
    if (number !== undefined && this.#probes !== setting) {
      await this.#client.query(`SET ${setting}`);
      this.#probes = setting;
    }
    // Adding nothing to the distance keeps the approximate index out.
    const order = plan === "exact" ? "(r.v <#> $1) + 0" : "r.v <#> $1";
    return this.#ids(`SELECT ${COLUMNS} FROM loci_bench.record r ORDER BY ${order} LIMIT 10`, [
      textOf(args.vector!),
    ]);
  }

  #hybrid(args: QueryArgs, plan: string): Promise<number[]> {
    const { fromUs, toUs } = args.window!;
    const values: unknown[] = [...corners(args.box!), fromUs, toUs, textOf(args.vector!)];
    const where = `${IN_BOX} AND r.to_us > $7 AND r.from_us < $8`;
    const rank = "ORDER BY (r.v <#> $9) + 0 LIMIT 10";
    if (plan.startsWith("cells")) {
      const { column, cells } = cellsOf(args.box!);
      return this.#ids(
        `SELECT ${COLUMNS} FROM loci_bench.record r WHERE r.${column} = ANY($10::integer[]) AND ${where} ${rank}`,
        [...values, cells],
      );
    }
    if (plan.startsWith("time")) {
      const ranges = startRanges(args.window!);
      return this.#ids(
        `SELECT ${COLUMNS} FROM unnest($10::integer[], $11::bigint[]) AS c(class, after)
         JOIN loci_bench.record r ON r.class = c.class AND r.from_us > c.after WHERE ${where} ${rank}`,
        [...values, ranges.map(({ number }) => number), ranges.map(({ after }) => Math.floor(after))],
      );
    }
    return this.#ids(`SELECT ${COLUMNS} FROM loci_bench.record r WHERE ${where} ${rank}`, values);
  }

  async #inBox(bounds: Bounds): Promise<Found[]> {
    const { column, cells } = cellsOf(bounds);
    const rows = await this.#rows(
      `SELECT ${COLUMNS} FROM loci_bench.record r WHERE r.${column} = ANY($7::integer[]) AND ${IN_BOX}`,
      [...corners(bounds), cells],
    );
    return rows.map(foundOf);
  }

  async #associate(args: QueryArgs): Promise<number[]> {
    const bounds = cubeAround(args.point!, args.radiusM!);
    const { column, cells } = cellsOf(bounds);
    const rows = await this.#rows(
      `SELECT ${COLUMNS} FROM loci_bench.record r
       WHERE r.${column} = ANY($7::integer[]) AND ${IN_BOX} AND -(r.v <#> $8) > $9`,
      [...corners(bounds), cells, textOf(args.vector!), args.minCosine!],
    );
    return byDistance(rows.map(foundOf), args.point!, args.radiusM!, args.limit).map(({ id }) => id);
  }

  async #ids(text: string, values: readonly unknown[]): Promise<number[]> {
    return (await this.#rows(text, values)).map((row) => Number(row[0]));
  }

  async #rows(text: string, values: readonly unknown[]): Promise<unknown[][]> {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `q${this.#names.size}`;
      this.#names.set(text, name);
    }
    return (await this.#client.query({ name, text, values, rowMode: "array" })).rows;
  }
}

async function connected(): Promise<Client> {
  const { default: pg } = (await import(PACKAGE)) as {
    default: { Client: new (options: { connectionString: string }) => Client };
  };
  const client = new pg.Client({ connectionString: process.env[URL_NAME]! });
  await client.connect();
  return client;
}

function cellOf(x: number, y: number, sideM: number): number {
  return Math.floor(x / sideM) * CELLS_A_ROW + Math.floor(y / sideM);
}

function cellsOf({ min, max }: Bounds): { column: "fine" | "coarse"; cells: number[] } {
  const sideM = max[0] - min[0] <= FINE_WIDTH_M ? FINE_M : COARSE_M;
  const cells: number[] = [];
  for (let x = Math.floor(min[0] / sideM); x <= Math.floor(max[0] / sideM); x++) {
    for (let y = Math.floor(min[1] / sideM); y <= Math.floor(max[1] / sideM); y++) {
      cells.push(x * CELLS_A_ROW + y);
    }
  }
  return { column: sideM === FINE_M ? "fine" : "coarse", cells };
}

function corners({ min, max }: Bounds): number[] {
  return [min[0], max[0], min[1], max[1], min[2], max[2]];
}

function textOf(vector: Float32Array): string {
  return `[${vector.join(",")}]`;
}

function foundOf([id, x, y, z]: unknown[]): Found {
  return { id: Number(id), x: Number(x), y: Number(y), z: Number(z) };
}
