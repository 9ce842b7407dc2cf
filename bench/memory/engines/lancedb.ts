import { mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { BenchEngine, EngineAdapter, EngineContext } from "../port.ts";
import { type BenchRow, FUSED_POOL, type QueryArgs, type QueryKind } from "../workload.ts";
import {
  type Bounds,
  byDistance,
  cubeAround,
  type Found,
  folderBytes,
  fuse,
  growingNearest,
  OPEN_US,
  packageMissing,
} from "./shared.ts";

const PACKAGE: string = "@lancedb/lancedb";
const ARROW: string = "apache-arrow";

/** The parts of @lancedb/lancedb and apache-arrow that are used here. */
interface Lance {
  connect(folder: string): Promise<{
    createTable(name: string, data: unknown): Promise<LanceTable>;
    openTable(name: string): Promise<LanceTable>;
    close(): void;
  }>;
  Index: {
    btree(): unknown;
    hnswSq(options: object): unknown;
    ivfFlat(options: object): unknown;
    fts(options: object): unknown;
  };
}
interface LanceTable {
  add(data: unknown): Promise<unknown>;
  createIndex(column: string, options: object): Promise<void>;
  optimize(): Promise<unknown>;
  checkoutLatest(): Promise<void>;
  query(): LanceQuery;
  close(): void;
}
interface LanceQuery {
  where(condition: string): this;
  select(columns: readonly string[]): this;
  limit(rows: number): this;
  orderBy(order: { columnName: string; ascending?: boolean; nullsFirst?: boolean }): this;
  nearestTo(vector: Float32Array): this;
  distanceType(type: string): this;
  ef(width: number): this;
  nprobes(count: number): this;
  refineFactor(factor: number): this;
  bypassVectorIndex(): this;
  fullTextSearch(words: string, options: object): this;
  toArrow(): Promise<{ numRows: number; getChild(name: string): { toArray(): ArrayLike<unknown> } | null }>;
}
interface Arrow {
  Table: new (columns: Record<string, unknown>) => unknown;
  makeVector(data: unknown): unknown;
  makeData(options: object): unknown;
  vectorFromArray(values: readonly unknown[], type: unknown): unknown;
  FixedSizeList: new (length: number, field: unknown) => unknown;
  Field: new (name: string, type: unknown, nullable: boolean) => unknown;
  Float32: new () => unknown;
  Utf8: new () => unknown;
}

/**
 * LanceDB: IVF_HNSW_SQ for meaning (refined with the stored vectors), B-trees for place and time as filters
 * that come first, and its own full-text index. A radius is a box filter with the sphere cut out here.
 */
export const adapter: EngineAdapter = {
  missing: async () => (await packageMissing(PACKAGE)) ?? (await packageMissing(ARROW)),
  async open(context) {
    const lance = (await import(PACKAGE)) as Lance;
    // The CommonJS build, which is the one that lancedb itself has: it refuses tables of another copy.
    const arrow = createRequire(import.meta.url)(ARROW) as Arrow;
    const home = join(context.folder, "lance");
    mkdirSync(home, { recursive: true });
    const db = await lance.connect(home);
    const table = context.phase === "load" ? undefined : await db.openTable("record");
    return new LanceBench({ lance, arrow, db, home, context }, table);
  },
  sharedBetweenProcesses: true,
};

const COLUMNS = ["id", "x", "y", "z"];
/** Building an HNSW takes about a minute for every 100,000 rows; past this many an IVF of plain vectors it is. */
const MAX_HNSW_ROWS = 300_000;
const HNSW_PLANS = ["hnsw ef 100 refine 5", "hnsw ef 400 refine 10", "exact"];
const IVF_PLANS = ["ivf 10 probes", "ivf 50 probes", "ivf 200 probes", "exact"];

interface Parts {
  readonly lance: Lance;
  readonly arrow: Arrow;
  readonly db: Awaited<ReturnType<Lance["connect"]>>;
  readonly home: string;
  readonly context: EngineContext;
}

class LanceBench implements BenchEngine {
  readonly bulkRows = 20_000;
  readonly #parts: Parts;
  #table: LanceTable | undefined;

  constructor(parts: Parts, table: LanceTable | undefined) {
    this.#parts = parts;
    this.#table = table;
  }

  async load(rows: readonly BenchRow[]): Promise<void> {
    if (this.#table) await this.write(rows);
    else this.#table = await this.#parts.db.createTable("record", this.#arrowOf(rows));
  }

  async finishLoad(): Promise<void> {
    const { lance, context } = this.#parts;
    const table = this.#table!;
    for (const column of ["id", "x", "y", "z", "from_us", "to_us"]) {
      await table.createIndex(column, { config: lance.Index.btree() });
    }
    await table.createIndex("text", {
      config: lance.Index.fts({
        withPosition: false,
        stem: false,
        removeStopWords: false,
        asciiFolding: false,
      }),
    });
    const config =
      context.n <= MAX_HNSW_ROWS
        ? lance.Index.hnswSq({ distanceType: "cosine", numPartitions: 1, m: 20, efConstruction: 300 })
        : lance.Index.ivfFlat({ distanceType: "cosine", numPartitions: Math.ceil(Math.sqrt(context.n)) });
    await table.createIndex("v", { config });
    await table.optimize();
  }

  async write(rows: readonly BenchRow[]): Promise<void> {
    await this.#table!.add(this.#arrowOf(rows));
  }

  plans(kind: QueryKind): readonly string[] {
    const vectorPlans = this.#parts.context.n <= MAX_HNSW_ROWS ? HNSW_PLANS : IVF_PLANS;
    if (kind === "semantic" || kind.startsWith("hybrid-")) return vectorPlans;
    return [kind === "text" ? "fts" : "btree filter"];
  }

  async query(kind: QueryKind, args: QueryArgs, plan: string): Promise<number[]> {
    await this.#table!.checkoutLatest();
    if (kind === "text") return this.#words(args);
    if (kind === "nearest") return growingNearest(args, (bounds) => this.#inBox(bounds));
    if (kind === "window-1h") return this.#newest(args);
    if (kind === "associate") return this.#associate(args);
    if (kind.startsWith("radius")) {
      const rows = await this.#inBox(cubeAround(args.point!, args.radiusM!));
      return byDistance(rows, args.point!, args.radiusM!, args.limit).map(({ id }) => id);
    }
    if (kind !== "hybrid-text") return this.#meaning(args, plan);
    const wide = { ...args, limit: FUSED_POOL };
    return fuse([await this.#words(wide), await this.#meaning(wide, plan)], args.limit);
  }

  diskBytes(): Promise<number> {
    return folderBytes(this.#parts.home);
  }

  async rssBytes(): Promise<number> {
    return process.memoryUsage.rss();
  }

  async close(): Promise<void> {
    this.#table?.close();
    this.#parts.db.close();
  }

  async #meaning(args: QueryArgs, plan: string): Promise<number[]> {
    let query = this.#table!.query().nearestTo(args.vector!).distanceType("cosine");
    const condition = conditionOf(args);
    if (condition) query = query.where(condition);
    const [ef, refine] = plan.match(/\d+/g)?.map(Number) ?? [];
    if (plan === "exact") query = query.bypassVectorIndex();
    else if (plan.startsWith("ivf")) query = query.nprobes(ef!);
    else query = query.ef(Math.max(ef!, args.limit * refine!)).refineFactor(refine!);
    return numbersOf(query.select([...COLUMNS, "_distance"]).limit(args.limit));
  }

  #words(args: QueryArgs): Promise<number[]> {
    let query = this.#table!.query().fullTextSearch(args.words!.join(" "), { columns: ["text"] });
    const condition = conditionOf(args);
    if (condition) query = query.where(condition);
    return numbersOf(query.select([...COLUMNS, "_score"]).limit(args.limit));
  }

  async #newest(args: QueryArgs): Promise<number[]> {
    const order = { columnName: "from_us", ascending: false, nullsFirst: false };
    return numbersOf(
      this.#table!.query().where(conditionOf(args)).orderBy(order).select(COLUMNS).limit(args.limit),
    );
  }

  async #inBox(bounds: Bounds): Promise<Found[]> {
    return foundOf(this.#table!.query().where(boxCondition(bounds)).select(COLUMNS));
  }

  async #associate(args: QueryArgs): Promise<number[]> {
    const query = this.#table!.query()
      .nearestTo(args.vector!)
      .distanceType("cosine")
      .bypassVectorIndex()
      .where(boxCondition(cubeAround(args.point!, args.radiusM!)))
      .select([...COLUMNS, "_distance"])
      .limit(args.limit);
    const found = await foundOf(query);
    return byDistance(found, args.point!, args.radiusM!, args.limit)
      .filter(({ distance }) => 1 - distance! > args.minCosine!)
      .map(({ id }) => id);
  }

  #arrowOf(rows: readonly BenchRow[]): unknown {
    const { arrow, context } = this.#parts;
    const vectors = new Float32Array(rows.length * context.dim);
    rows.forEach(({ vector }, i) => {
      vectors.set(vector, i * context.dim);
    });
    const item = new arrow.Field("item", new arrow.Float32(), true);
    const column = (pick: (row: BenchRow) => number) => arrow.makeVector(Float64Array.from(rows, pick));
    return new arrow.Table({
      id: arrow.makeVector(Int32Array.from(rows, ({ index }) => index)),
      x: column(({ x }) => x),
      y: column(({ y }) => y),
      z: column(({ z }) => z),
      from_us: column(({ fromUs }) => fromUs),
      to_us: column(({ toUs }) => toUs ?? OPEN_US),
      text: arrow.vectorFromArray(
        rows.map(({ text }) => text),
        new arrow.Utf8(),
      ),
      v: arrow.makeVector(
        arrow.makeData({
          type: new arrow.FixedSizeList(context.dim, item),
          length: rows.length,
          nullCount: 0,
          child: arrow.makeData({ type: new arrow.Float32(), length: vectors.length, data: vectors }),
        }),
      ),
    });
  }
}

function boxCondition({ min, max }: Bounds): string {
  return ["x", "y", "z"]
    .map((axis, i) => `${axis} >= ${literal(min[i]!)} AND ${axis} <= ${literal(max[i]!)}`)
    .join(" AND ");
}

function conditionOf({ box, window }: QueryArgs): string {
  const parts: string[] = [];
  if (box) parts.push(boxCondition(box));
  if (window) parts.push(`from_us < ${literal(window.toUs)} AND to_us > ${literal(window.fromUs)}`);
  return parts.join(" AND ");
}

/** Always with a point, so that the parser reads a double and the column's B-tree fits. */
function literal(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

async function numbersOf(query: LanceQuery): Promise<number[]> {
  const found = await query.toArrow();
  return Array.from(found.getChild("id")?.toArray() ?? [], Number);
}

async function foundOf(query: LanceQuery): Promise<(Found & { distance?: number })[]> {
  const found = await query.toArrow();
  const column = (name: string) => found.getChild(name)?.toArray() ?? [];
  const [id, x, y, z, distance] = [...["id", "x", "y", "z"].map(column), column("_distance")];
  return Array.from({ length: found.numRows }, (_, i) => ({
    id: Number(id![i]),
    x: Number(x![i]),
    y: Number(y![i]),
    z: Number(z![i]),
    ...(distance!.length > 0 ? { distance: Number(distance![i]) } : {}),
  }));
}
