import { once } from "node:events";
import { join } from "node:path";
import { setImmediate as breathe, setTimeout as sleep } from "node:timers/promises";
import { adapterOf } from "./adapters.ts";
import type { ConcurrentTiming, IngestResult, Job, Rate, SteadyResult } from "./jobs.ts";
import { quantile } from "./jobs.ts";
import type { BenchEngine } from "./port.ts";
import { type QueryKind, Workload } from "./workload.ts";

const BATCH_ROWS = 100;
const MAX_BATCHES = 1_000;
const MAX_SINGLES = 1_000;
const CONCURRENT_KINDS = ["associate", "semantic"] as const;
const CONCURRENT_QUERIES = 500;
const MAX_CONCURRENT_SAMPLES = 20_000;
/** The writer of the concurrency part writes rows from here on, past what `ingest` wrote. */
const STEADY_OFFSET = 1_000_000;

/** Durable commits into the loaded engine, with all of its indexes in place. */
export async function measureIngest(
  job: Extract<Job, { job: "ingest" }>,
  say: (progress: string) => void,
): Promise<IngestResult> {
  const adapter = await adapterOf(job.engine);
  const workload = new Workload(job.workload);
  const engine = await adapter.open({
    ...job.workload,
    folder: join(job.folder, job.engine),
    phase: "ingest",
  });
  say(`${job.engine}: batches of ${BATCH_ROWS}`);
  const batches = await rateOf(engine, workload, workload.n, BATCH_ROWS, MAX_BATCHES, job.budgetS);
  say(`${job.engine}: single rows`);
  const singles = await rateOf(engine, workload, workload.n + batches.rows, 1, MAX_SINGLES, job.budgetS);
  await engine.close();
  return { batches, singles };
}

async function rateOf(
  engine: BenchEngine,
  workload: Workload,
  first: number,
  size: number,
  most: number,
  budgetS: number,
): Promise<Rate> {
  const times: number[] = [];
  let spentMs = 0;
  let rows = 0;
  while (times.length < most && (times.length < 3 || spentMs < budgetS * 1_000)) {
    const batch = workload.rows(first + rows, first + rows + size);
    const start = performance.now();
    await engine.write(batch);
    times.push(performance.now() - start);
    spentMs += times.at(-1)!;
    rows += size;
  }
  return {
    rows,
    rowsPerS: (rows * 1_000) / spentMs,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
  };
}

/** Asks in a quiet memory, tells the parent, waits for its word that another process writes, and asks again. */
export async function measureConcurrently(
  job: Extract<Job, { job: "read-while-written" }>,
  say: (progress: string) => void,
): Promise<ConcurrentTiming[]> {
  const adapter = await adapterOf(job.engine);
  const workload = new Workload(job.workload);
  const engine = await adapter.open({
    ...job.workload,
    folder: join(job.folder, job.engine),
    phase: "query",
  });
  const found: ConcurrentTiming[] = [];
  for (const writing of [false, true]) {
    if (writing) {
      const told = once(process, "message");
      process.send!({ ready: true });
      await told;
    }
    for (const query of CONCURRENT_KINDS) {
      say(`${job.engine}: ${query} ${writing ? "while another process writes" : "in a quiet memory"}`);
      found.push({ query, writing, ...(await sampled(engine, workload, query, job.budgetS)) });
    }
  }
  await engine.close();
  return found;
}

async function sampled(engine: BenchEngine, workload: Workload, kind: QueryKind, budgetS: number) {
  const plans = engine.plans(kind);
  if ("cannot" in plans) return { p50Ms: Number.NaN, p99Ms: Number.NaN, samples: 0 };
  const asked = Array.from({ length: CONCURRENT_QUERIES }, (_, q) => workload.query(kind, q));
  for (const args of asked.slice(0, 20)) await engine.query(kind, args, plans[0]!);
  const times: number[] = [];
  const begin = performance.now();
  while (performance.now() - begin < budgetS * 1_000 && times.length < MAX_CONCURRENT_SAMPLES) {
    const args = asked[times.length % asked.length]!;
    const start = performance.now();
    await engine.query(kind, args, plans[0]!);
    times.push(performance.now() - start);
    // A turn of the event loop, so that whatever follows the writer in the background gets its turn too.
    await breathe();
  }
  return { p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99), samples: times.length };
}

/** Batches of 100 at a steady rate until the parent says stop. */
export async function writeSteadily(job: Extract<Job, { job: "write-steadily" }>): Promise<SteadyResult> {
  const adapter = await adapterOf(job.engine);
  const workload = new Workload(job.workload);
  const engine = await adapter.open({
    ...job.workload,
    folder: join(job.folder, job.engine),
    phase: "ingest",
  });
  let stopped = false;
  process.once("message", () => {
    stopped = true;
  });
  const everyMs = (BATCH_ROWS * 1_000) / job.rowsPerS;
  const first = workload.n + STEADY_OFFSET;
  let rows = 0;
  process.send!({ ready: true });
  const begin = performance.now();
  while (!stopped) {
    await engine.write(workload.rows(first + rows, first + rows + BATCH_ROWS));
    rows += BATCH_ROWS;
    await sleep(Math.max(0, begin + (rows / BATCH_ROWS) * everyMs - performance.now()));
  }
  const seconds = (performance.now() - begin) / 1_000;
  await engine.close();
  return { rowsPerS: rows / seconds };
}
