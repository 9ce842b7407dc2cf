import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { arch, cpus, platform, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { adapterOf } from "./adapters.ts";
import type { ConcurrentTiming, IngestResult, LoadResult, QueryResult, SteadyResult } from "./jobs.ts";
import { quantile } from "./jobs.ts";
import { DEFAULT_ENGINES, ENGINE_NAMES, type EngineName, SEMANTIC_ONLY } from "./port.ts";
import { firstAnswerMs, type RunControl, runJob, startJob } from "./processes.ts";
import { QUERY_KINDS, type QueryKind, Workload, type WorkloadOptions } from "./workload.ts";

export { formatReport } from "./report.ts";
export { ENGINE_NAMES, type EngineName, QUERY_KINDS, type QueryKind };

export interface MemoryBenchOptions {
  readonly n: number;
  readonly dim: number;
  /** Default: all; those that are not installed are named in `skipped`. */
  readonly engines?: readonly EngineName[];
  /** Default 200. */
  readonly queriesPerKind?: number;
  readonly seed?: number;
  /** Where the engines' files go while they are measured; default a temporary folder, taken away at the end. */
  readonly folder?: string;
  /** Most seconds for one engine and one kind of question, and for each way of writing; default 15. */
  readonly budgetS?: number;
  /** Fresh processes for each key of the first answer, beside one that is not counted; default 3. */
  readonly openRepeats?: number;
  /** Also measure questions while another process writes 1,000 rows/s in batches of 100. */
  readonly writers?: boolean;
  /** Also measure Loci's selective questions at these sizes. */
  readonly growth?: readonly number[];
  /** In the same world, ever more crowded, or in one that is larger by as much as there is more to remember; default both. */
  readonly growthIn?: readonly GrowthWorld[];
  readonly onProgress?: (said: string) => void;
  readonly signal?: AbortSignal;
}

export type GrowthWorld = "same" | "larger";

export interface BenchReport {
  readonly machine: string;
  readonly n: number;
  readonly dim: number;
  readonly seed: number;
  readonly queries: {
    readonly engine: EngineName;
    readonly query: QueryKind;
    readonly p50Ms: number;
    readonly p99Ms: number;
    readonly recall: number;
    /** The plan that was best for this engine and question. */
    readonly plan: string;
    /** Rows in an answer, on average. */
    readonly hits: number;
    readonly samples: number;
  }[];
  readonly ingest: {
    readonly engine: EngineName;
    readonly mode: "bulk" | "batches" | "singles";
    readonly rowsPerS: number;
    /** Bulk: seconds of index building that `rowsPerS` includes. */
    readonly indexS?: number;
    readonly commitP50Ms?: number;
    readonly commitP99Ms?: number;
  }[];
  readonly footprint: {
    readonly engine: EngineName;
    readonly diskBytes: number;
    readonly rssBytes: number;
    /** Fresh process to first answer: the slowest of the keys in `openByKeyMs`. */
    readonly openMs: number;
    readonly openByKeyMs: Readonly<Record<string, number>>;
    /** Bytes of the lines alone, which every engine has to keep. */
    readonly textBytes: number;
  }[];
  readonly skipped: { readonly engine: EngineName; readonly query?: QueryKind; readonly reason: string }[];
  readonly concurrency?: ({ readonly engine: EngineName } & ConcurrentTiming & {
      readonly writtenRowsPerS: number;
    })[];
  readonly growth?: {
    readonly world: GrowthWorld;
    readonly query: QueryKind;
    readonly n: number;
    readonly p50Ms: number;
    readonly p99Ms: number;
    readonly hits: number;
    readonly recall: number;
  }[];
}

/** Questions whose answers stay about as large however much is remembered. */
export const SELECTIVE_KINDS: readonly QueryKind[] = [
  "radius-5",
  "nearest",
  "window-1h",
  "hybrid-0.01x1",
  "hybrid-0.01x50",
  "hybrid-1x1",
  "associate",
];

/** A larger world is the usual one at this many records. */
const USUAL_ROWS = 100_000;

/** Sizes at which the growth of selective questions is looked at. */
export const GROWTH_SIZES: readonly number[] = [10_000, 100_000, 1_000_000];

const OPEN_KEYS = { vector: "semantic", place: "nearest", time: "window-1h", text: "text" } as const;
const WRITTEN_ROWS_PER_S = 1_000;
const MAX_ROWS = 20_000_000;
const MAX_DIM = 8_192;

/** The parts of a report that one engine fills. */
type Draft = { -readonly [K in keyof BenchReport]: BenchReport[K] } & {
  concurrency: NonNullable<BenchReport["concurrency"]>;
  growth: NonNullable<BenchReport["growth"]>;
};

/**
 * The memory engine against its peers, side by side: same machine, same run, same rows, same questions, one
 * engine after the other, each in processes of its own, judged by brute force.
 */
export async function runMemoryBench(options: MemoryBenchOptions): Promise<BenchReport> {
  const { n, dim, engines = DEFAULT_ENGINES, seed = 1, queriesPerKind = 200, growth = [] } = options;
  whole("n", n, 1, MAX_ROWS);
  whole("dim", dim, 1, MAX_DIM);
  whole("queriesPerKind", queriesPerKind, 1, 10_000);
  for (const name of engines) {
    if (!ENGINE_NAMES.includes(name)) {
      throw new RangeError(`unknown engine "${name}"; known: ${ENGINE_NAMES.join(", ")}`);
    }
  }
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), "loci-bench-"));
  mkdirSync(folder, { recursive: true });
  const draft: Draft = {
    machine: machineName(),
    n,
    dim,
    seed,
    queries: [],
    ingest: [],
    footprint: [],
    skipped: [],
    concurrency: [],
    growth: [],
  };
  try {
    const run = new Run({ ...options, seed, queriesPerKind }, join(folder, "main"), draft);
    await run.findTruth();
    for (const engine of engines) await run.measure(engine);
    for (const size of growth) {
      whole("growth", size, 1, MAX_ROWS);
      for (const world of options.growthIn ?? ["same", "larger"]) {
        const spread = world === "larger" ? size / USUAL_ROWS : 1;
        const sized = { ...options, n: size, seed, queriesPerKind, spread };
        await new Run(sized, join(folder, `n${size}-${world}`), draft).measureGrowth(world);
      }
    }
  } finally {
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
  }
  const { concurrency, growth: grown, ...report } = draft;
  return {
    ...report,
    ...(options.writers ? { concurrency } : {}),
    ...(growth.length > 0 ? { growth: grown } : {}),
  };
}

/** One size of the workload in one folder. */
class Run {
  readonly #options: MemoryBenchOptions & { readonly queriesPerKind: number };
  readonly #workload: WorkloadOptions;
  readonly #folder: string;
  readonly #control: RunControl;
  readonly #budgetS: number;
  readonly #draft: Draft;

  constructor(
    options: MemoryBenchOptions & {
      readonly seed: number;
      readonly queriesPerKind: number;
      readonly spread?: number;
    },
    folder: string,
    draft: Draft,
  ) {
    this.#options = options;
    const { n, dim, seed, spread = 1 } = options;
    this.#workload = { n, dim, seed, spread };
    this.#folder = folder;
    this.#control = { signal: options.signal, onProgress: options.onProgress };
    this.#budgetS = options.budgetS ?? 15;
    this.#draft = draft;
    mkdirSync(folder, { recursive: true });
  }

  async findTruth(): Promise<void> {
    await runJob({ ...this.#base(), job: "truth", queries: this.#options.queriesPerKind }, this.#control);
  }

  async measure(engine: EngineName): Promise<void> {
    try {
      const loaded = await this.#load(engine);
      if (loaded === undefined) return;
      const asked = await this.#query(engine, SEMANTIC_ONLY.includes(engine) ? ["semantic"] : QUERY_KINDS);
      this.#draft.queries.push(...asked.timings.map((timing) => ({ engine, ...timing })));
      this.#draft.skipped.push(...asked.cannot.map((one) => ({ engine, ...one })));
      if (SEMANTIC_ONLY.includes(engine)) return;
      this.#draft.ingest.push({
        engine,
        mode: "bulk",
        rowsPerS: (this.#workload.n * 1_000) / (loaded.loadMs + loaded.indexMs),
        indexS: loaded.indexMs / 1_000,
      });
      const openByKeyMs = await this.#open(engine, asked);
      this.#draft.footprint.push({
        engine,
        diskBytes: loaded.diskBytes,
        rssBytes: asked.rssBytes,
        openMs: Math.max(...Object.values(openByKeyMs)),
        openByKeyMs,
        textBytes: loaded.textBytes,
      });
      await this.#ingest(engine);
      if (this.#options.writers) await this.#concurrency(engine);
    } catch (error) {
      // A peer that breaks is named and the others go on; our own engine may not break.
      if (engine === "loci" || this.#options.signal?.aborted) throw error;
      this.#draft.skipped.push({ engine, reason: `failed: ${firstLines(error)}` });
    } finally {
      await runJob({ ...this.#base(), job: "clean", engine }, { onProgress: this.#control.onProgress });
      rmSync(join(this.#folder, engine), { recursive: true, force: true });
    }
  }

  async measureGrowth(world: GrowthWorld): Promise<void> {
    await this.findTruth();
    if ((await this.#load("loci")) === undefined) return;
    const { timings } = await this.#query("loci", SELECTIVE_KINDS);
    for (const { query, p50Ms, p99Ms, hits, recall } of timings) {
      this.#draft.growth.push({ world, query, n: this.#workload.n, p50Ms, p99Ms, hits, recall });
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #load(engine: EngineName): Promise<LoadResult | undefined> {
    const loaded = await runJob<LoadResult>({ ...this.#base(), job: "load", engine }, this.#control);
    if (loaded.missing !== null) {
      this.#draft.skipped.push({ engine, reason: loaded.missing });
      return undefined;
    }
    return loaded;
  }

  #query(engine: EngineName, kinds: readonly QueryKind[]): Promise<QueryResult> {
    return runJob<QueryResult>(
      {
        ...this.#base(),
        job: "query",
        engine,
        kinds,
        queries: this.#options.queriesPerKind,
        budgetS: this.#budgetS,
      },
      this.#control,
    );
  }

  /** Each key by its own fresh processes; the first one warms the disk and the compile cache and is not counted. */
  async #open(engine: EngineName, { timings }: QueryResult): Promise<Record<string, number>> {
    const workload = new Workload(this.#workload);
    const found: Record<string, number> = {};
    for (const [key, kind] of Object.entries(OPEN_KEYS)) {
      const known = timings.find(({ query }) => query === kind);
      if (known === undefined) continue;
      this.#control.onProgress?.(`${engine}: first answer of a fresh process by ${key}`);
      const { vector, ...rest } = workload.query(kind, 0);
      const args = vector ? { ...rest, vector: Array.from(vector) } : rest;
      const context = { folder: this.#engineFolder(engine), ...this.#workload, phase: "open" } as const;
      const times: number[] = [];
      for (let i = 0; i <= (this.#options.openRepeats ?? 3); i++) {
        const probe = { engine, context, kind, plan: known.plan, args };
        times.push(await firstAnswerMs(probe, this.#folder, this.#control));
      }
      found[key] = quantile(times.slice(1), 0.5);
    }
    return found;
  }

  async #ingest(engine: EngineName): Promise<void> {
    const budgetS = this.#budgetS / 2;
    const written = await runJob<IngestResult>(
      { ...this.#base(), job: "ingest", engine, budgetS },
      this.#control,
    );
    for (const mode of ["batches", "singles"] as const) {
      const { rowsPerS, p50Ms, p99Ms } = written[mode];
      this.#draft.ingest.push({ engine, mode, rowsPerS, commitP50Ms: p50Ms, commitP99Ms: p99Ms });
    }
  }

  async #concurrency(engine: EngineName): Promise<void> {
    if (!(await adapterOf(engine)).sharedBetweenProcesses) {
      const reason = "concurrency: one process at a time may have this database open";
      this.#draft.skipped.push({ engine, reason });
      return;
    }
    const base = this.#base();
    const reader = startJob<ConcurrentTiming[]>(
      { ...base, job: "read-while-written", engine, budgetS: this.#budgetS / 2 },
      this.#control,
    );
    await reader.ready;
    const writer = startJob<SteadyResult>(
      { ...base, job: "write-steadily", engine, rowsPerS: WRITTEN_ROWS_PER_S },
      this.#control,
    );
    await writer.ready;
    reader.tell();
    const timings = await reader.result.finally(() => writer.tell());
    const { rowsPerS } = await writer.result;
    this.#draft.concurrency.push(
      ...timings.map((timing) => ({ engine, ...timing, writtenRowsPerS: timing.writing ? rowsPerS : 0 })),
    );
  }

  #base() {
    return { workload: this.#workload, folder: this.#folder };
  }

  #engineFolder(engine: EngineName): string {
    return join(this.#folder, engine);
  }
}

function firstLines(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 1_000);
}

function machineName(): string {
  const model = cpus()[0]?.model ?? "unknown processor";
  const gib = Math.round(totalmem() / 2 ** 30);
  return `${model}, ${cpus().length} cores, ${gib} GiB, ${platform()} ${arch()}, Node ${process.versions.node}`;
}

function whole(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new RangeError(`${name}: a whole number from ${min} to ${max} expected, got ${value}`);
  }
}
