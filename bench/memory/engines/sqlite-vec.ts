import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import type { BenchEngine, EngineAdapter, EngineContext } from "../port.ts";
import { type BenchRow, FUSED_POOL, type QueryArgs, type QueryKind } from "../workload.ts";
import {
  type Bounds,
  byDistance,
  bytesOf,
  classOf,
  cubeAround,
  type Found,
  folderBytes,
  fuse,
  growingNearest,
  OPEN_US,
  packageMissing,
  startRanges,
} from "./shared.ts";

const PACKAGE: string = "sqlite-vec";

/**
 * SQLite with sqlite-vec, a 3D R*Tree and FTS5. Vectors lie in a vec0 table (its scan is the fastest) and in
 * plain rows (a vec0 table is slow to look a single row up in), times in columns: R*Tree numbers are float32.
 */
export const adapter: EngineAdapter = {
  missing: () => packageMissing(PACKAGE),
  async open(context) {
    const { load } = (await import(PACKAGE)) as { load(db: DatabaseSync): void };
    const home = join(context.folder, "sqlite");
    mkdirSync(home, { recursive: true });
    const db = new DatabaseSync(join(home, "bench.db"), { allowExtension: true });
    load(db);
    return new SqliteVecBench(db, home, context);
  },
  sharedBetweenProcesses: true,
};

const COLUMNS = "r.id, r.x, r.y, r.z";
const IN_PLACE =
  "p.min_x <= :maxX AND p.max_x >= :minX AND p.min_y <= :maxY AND p.max_y >= :minY AND p.min_z <= :maxZ AND p.max_z >= :minZ";
const IN_BOX = "r.x BETWEEN :minX AND :maxX AND r.y BETWEEN :minY AND :maxY AND r.z BETWEEN :minZ AND :maxZ";
const IN_WINDOW = "r.from_us < :toUs AND r.to_us > :fromUs";
/** CROSS JOIN fixes the order, so that the plan is ours and not a guess of the statistics. */
const BY_PLACE = `place p CROSS JOIN record r ON r.id = p.id`;
const BY_TIME = `json_each(:ranges) c CROSS JOIN record r INDEXED BY record_time
  ON r.class = c.value ->> 0 AND r.from_us > c.value ->> 1 AND r.from_us < :toUs`;

class SqliteVecBench implements BenchEngine {
  readonly bulkRows = 5_000;
  readonly #db: DatabaseSync;
  readonly #home: string;
  readonly #statements = new Map<string, StatementSync>();

  constructor(db: DatabaseSync, home: string, { dim, phase }: EngineContext) {
    this.#db = db;
    this.#home = home;
    if (phase === "load") db.exec("PRAGMA page_size = 8192");
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -262144");
    db.exec("PRAGMA busy_timeout = 5000; PRAGMA mmap_size = 8589934592");
    if (phase !== "load") return;
    db.exec(`
      CREATE TABLE record(id INTEGER PRIMARY KEY, x REAL, y REAL, z REAL, from_us INTEGER, to_us INTEGER, class INTEGER, text TEXT);
      CREATE TABLE vector(id INTEGER PRIMARY KEY, v BLOB);
      CREATE VIRTUAL TABLE scan USING vec0(id INTEGER PRIMARY KEY, v float[${dim}]);
      CREATE VIRTUAL TABLE place USING rtree(id, min_x, max_x, min_y, max_y, min_z, max_z);
      CREATE VIRTUAL TABLE words USING fts5(text, content='record', content_rowid='id', tokenize='unicode61');
      CREATE INDEX record_time ON record(class, from_us, to_us);
      CREATE INDEX record_from ON record(from_us, to_us);
    `);
  }

  async load(rows: readonly BenchRow[]): Promise<void> {
    await this.write(rows);
  }

  async finishLoad(): Promise<void> {
    this.#db.exec("INSERT INTO words(words) VALUES('optimize'); ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)");
  }

  async write(rows: readonly BenchRow[]): Promise<void> {
    const record = this.#statement("INSERT INTO record VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    const vector = this.#statement("INSERT INTO vector VALUES (?, ?)");
    const scan = this.#statement("INSERT INTO scan VALUES (?, ?)");
    const place = this.#statement("INSERT INTO place VALUES (?, ?, ?, ?, ?, ?, ?)");
    const words = this.#statement("INSERT INTO words(rowid, text) VALUES (?, ?)");
    this.#db.exec("BEGIN IMMEDIATE");
    for (const { index, x, y, z, fromUs, toUs, text, vector: v } of rows) {
      record.run(index, x, y, z, fromUs, toUs ?? OPEN_US, classOf(fromUs, toUs), text);
      vector.run(index, bytesOf(v));
      scan.run(BigInt(index), bytesOf(v));
      place.run(index, x, x, y, y, z, z);
      words.run(index, text);
    }
    this.#db.exec("COMMIT");
  }

  plans(kind: QueryKind): readonly string[] {
    if (kind === "semantic") return ["vec0 scan"];
    if (kind === "hybrid-text") return ["rtree first", "time first"];
    if (kind.startsWith("hybrid-")) {
      return ["rtree first", "time first", "scan", "vec0 scan of rtree ids", "vec0 scan of time ids"];
    }
    if (kind === "window-1h") return ["time index"];
    return [kind === "text" ? "fts5" : "rtree"];
  }

  async query(kind: QueryKind, args: QueryArgs, plan: string): Promise<number[]> {
    if (kind === "text") return this.#words(args, "");
    if (kind === "nearest") return growingNearest(args, (bounds) => this.#inBox(bounds));
    if (kind === "window-1h") {
      return this.#ids(
        `SELECT ${COLUMNS} FROM record r INDEXED BY record_from WHERE ${IN_WINDOW} ORDER BY r.from_us DESC, r.id LIMIT :limit`,
        { ...args.window!, limit: args.limit },
      );
    }
    if (kind === "semantic") return this.#scan(args, "", {});
    if (kind === "associate") return this.#associate(args);
    if (kind.startsWith("radius")) {
      const rows = this.#inBox(cubeAround(args.point!, args.radiusM!));
      return byDistance(rows, args.point!, args.radiusM!, args.limit).map(({ id }) => id);
    }
    const byTime = plan.includes("time");
    const from = byTime ? BY_TIME : plan === "scan" ? "record r NOT INDEXED" : BY_PLACE;
    const where = byTime
      ? `r.to_us > :fromUs AND ${IN_BOX}`
      : `${plan === "scan" ? "" : `${IN_PLACE} AND `}${IN_WINDOW} AND ${IN_BOX}`;
    const bound: Record<string, SQLInputValue> = { ...boxOf(args.box!), ...args.window! };
    if (byTime) bound["ranges"] = JSON.stringify(startRanges(args.window!).map((c) => [c.number, c.after]));
    if (plan.startsWith("vec0")) {
      return this.#scan(args, `AND id IN (SELECT r.id FROM ${from} WHERE ${where})`, bound);
    }
    const limit = kind === "hybrid-text" ? FUSED_POOL : args.limit;
    const ranked = this.#ids(
      `SELECT ${COLUMNS} FROM ${from} JOIN vector v ON v.id = r.id WHERE ${where}
       ORDER BY vec_distance_cosine(v.v, :v), r.id LIMIT :limit`,
      { ...bound, v: bytesOf(args.vector!), limit },
    );
    if (kind !== "hybrid-text") return ranked;
    const said = this.#words({ ...args, limit: FUSED_POOL }, `AND ${IN_WINDOW} AND ${IN_BOX}`);
    return fuse([said, ranked], args.limit);
  }

  diskBytes(): Promise<number> {
    return folderBytes(this.#home);
  }

  async rssBytes(): Promise<number> {
    return process.memoryUsage.rss();
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  #inBox(bounds: Bounds): Found[] {
    const sql = `SELECT ${COLUMNS} FROM ${BY_PLACE} WHERE ${IN_PLACE}`;
    return this.#statement(sql).all(boxOf(bounds)) as unknown as Found[];
  }

  #associate(args: QueryArgs): number[] {
    const rows = this.#statement(
      `SELECT ${COLUMNS}, vec_distance_cosine(v.v, :v) AS d FROM ${BY_PLACE} JOIN vector v ON v.id = r.id
       WHERE ${IN_PLACE}`,
    ).all({
      ...boxOf(cubeAround(args.point!, args.radiusM!)),
      v: bytesOf(args.vector!),
    }) as unknown as (Found & {
      d: number;
    })[];
    return byDistance(rows, args.point!, args.radiusM!, args.limit)
      .filter(({ d }) => 1 - d > args.minCosine!)
      .map(({ id }) => id);
  }

  /** Unit vectors: the order by distance is the order by cosine. */
  #scan(args: QueryArgs, condition: string, bound: Record<string, SQLInputValue>): number[] {
    return this.#ids(
      `SELECT ${COLUMNS} FROM (SELECT id, distance FROM scan WHERE v MATCH :v AND k = :limit ${condition}) s
       CROSS JOIN record r ON r.id = s.id ORDER BY s.distance`,
      { ...bound, v: bytesOf(args.vector!), limit: args.limit },
    );
  }

  #words(args: QueryArgs, condition: string): number[] {
    const filtered = condition !== "";
    return this.#ids(
      `SELECT ${COLUMNS} FROM words w CROSS JOIN record r ON r.id = w.rowid
       WHERE words MATCH :words ${condition} ORDER BY ${filtered ? "bm25(words), r.id" : "rank"} LIMIT :limit`,
      {
        words: args.words!.join(" OR "),
        limit: args.limit,
        ...(filtered ? { ...boxOf(args.box!), ...args.window! } : {}),
      },
    );
  }

  #ids(sql: string, bound: Record<string, SQLInputValue>): number[] {
    return (this.#statement(sql).all(bound) as unknown as Found[]).map(({ id }) => id);
  }

  #statement(sql: string): StatementSync {
    let known = this.#statements.get(sql);
    if (known === undefined) {
      known = this.#db.prepare(sql);
      this.#statements.set(sql, known);
    }
    return known;
  }
}

function boxOf({ min, max }: Bounds) {
  return { minX: min[0], minY: min[1], minZ: min[2], maxX: max[0], maxY: max[1], maxZ: max[2] };
}
