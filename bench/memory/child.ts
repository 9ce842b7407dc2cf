import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { adapterOf } from "./adapters.ts";
import { measureConcurrently, measureIngest, writeSteadily } from "./child-write.ts";
import type { Job, LoadResult, QueryResult, QueryTiming } from "./jobs.ts";
import { quantile, TRUTH_FILE } from "./jobs.ts";
import { recallOf, type Truth } from "./judge.ts";
import type { BenchEngine } from "./port.ts";
import { bruteForce, type Truths } from "./truth.ts";
import { type QueryArgs, type QueryKind, Workload } from "./workload.ts";

const TRIAL_QUERIES = 8;
const TRIAL_MS = 4_000;
const WARM_MS = 2_000;
const MIN_SAMPLES = 5;
const GOOD_RECALL = 0.99;

const job = JSON.parse(process.argv[2]!) as Job;
const say = (progress: string) => process.send!({ progress });

// A parent that is gone has no use for the answer.
process.once("disconnect", () => process.exit());
process.send!({ result: await work(job) });
process.disconnect();

async function work(job: Job): Promise<unknown> {
  switch (job.job) {
    case "truth": {
      const truths = bruteForce(new Workload(job.workload), job.queries, say);
      writeFileSync(join(job.folder, TRUTH_FILE), JSON.stringify(truths));
      return {};
    }
    case "load":
      return load(job);
    case "query":
      return query(job);
    case "ingest":
      return measureIngest(job, say);
    case "read-while-written":
      return measureConcurrently(job, say);
    case "write-steadily":
      return writeSteadily(job);
    case "clean":
      await (await adapterOf(job.engine)).clean?.();
      return {};
  }
}

async function load(job: Extract<Job, { job: "load" }>): Promise<LoadResult> {
  const adapter = await adapterOf(job.engine);
  const missing = await adapter.missing();
  if (missing !== null) return { missing, loadMs: 0, indexMs: 0, diskBytes: 0, textBytes: 0 };
  const workload = new Workload(job.workload);
  const engine = await adapter.open({ ...job.workload, folder: join(job.folder, job.engine), phase: "load" });
  let loadMs = 0;
  let textBytes = 0;
  for (let at = 0; at < workload.n; at += engine.bulkRows) {
    const rows = workload.rows(at, Math.min(at + engine.bulkRows, workload.n));
    for (const { text } of rows) textBytes += text.length;
    const start = performance.now();
    await engine.load(rows);
    loadMs += performance.now() - start;
    say(`${job.engine}: loaded ${at + rows.length} of ${workload.n}`);
  }
  say(`${job.engine}: indexing`);
  const start = performance.now();
  await engine.finishLoad();
  const indexMs = performance.now() - start;
  await engine.close();
  // Opened once more: what lies on disk when nobody is loading any longer.
  const again = await adapter.open({ ...job.workload, folder: join(job.folder, job.engine), phase: "query" });
  const diskBytes = await again.diskBytes();
  await again.close();
  return { missing, loadMs, indexMs, diskBytes, textBytes };
}

async function query(job: Extract<Job, { job: "query" }>): Promise<QueryResult> {
  const adapter = await adapterOf(job.engine);
  const workload = new Workload(job.workload);
  const truths = JSON.parse(readFileSync(join(job.folder, TRUTH_FILE), "utf8")) as Truths;
  const engine = await adapter.open({
    ...job.workload,
    folder: join(job.folder, job.engine),
    phase: "query",
  });
  const timings: QueryTiming[] = [];
  const cannot: QueryResult["cannot"] = [];
  for (const kind of job.kinds) {
    say(`${job.engine}: ${kind}`);
    const plans = engine.plans(kind);
    if ("cannot" in plans) {
      cannot.push({ query: kind, reason: plans.cannot });
      continue;
    }
    const asked = Array.from({ length: job.queries }, (_, q) => workload.query(kind, q));
    const plan = await bestPlan(engine, kind, plans, asked, truths[kind]);
    await warm(engine, kind, plan, asked, Math.min(WARM_MS, job.budgetS * 200));
    const { times, answers } = await timed(engine, kind, plan, asked, job.budgetS * 1_000);
    timings.push({
      query: kind,
      plan,
      p50Ms: quantile(times, 0.5),
      p99Ms: quantile(times, 0.99),
      recall: meanRecall(answers, truths[kind]),
      hits: answers.reduce((sum, answer) => sum + answer.length, 0) / answers.length,
      samples: times.length,
    });
  }
  const rssBytes = await engine.rssBytes();
  await engine.close();
  return { timings, cannot, rssBytes };
}

/** The fastest plan whose answers are right; if none is, the one whose answers are best. */
async function bestPlan(
  engine: BenchEngine,
  kind: QueryKind,
  plans: readonly string[],
  asked: readonly QueryArgs[],
  truths: readonly Truth[],
): Promise<string> {
  if (plans.length === 1) return plans[0]!;
  const tried: { plan: string; recall: number; ms: number }[] = [];
  for (const plan of plans) {
    const few = asked.slice(0, TRIAL_QUERIES);
    await timed(engine, kind, plan, few.slice(0, 2), TRIAL_MS, 1);
    const { times, answers } = await timed(engine, kind, plan, few, TRIAL_MS, 3);
    tried.push({ plan, recall: meanRecall(answers, truths), ms: quantile(times, 0.5) });
  }
  tried.sort((a, b) => Math.min(b.recall, GOOD_RECALL) - Math.min(a.recall, GOOD_RECALL) || a.ms - b.ms);
  return tried[0]!.plan;
}

/** The same questions over and over, long enough for caches to fill and compilers to settle; the same for all. */
async function warm(
  engine: BenchEngine,
  kind: QueryKind,
  plan: string,
  asked: readonly QueryArgs[],
  forMs: number,
): Promise<void> {
  const until = performance.now() + forMs;
  do await timed(engine, kind, plan, asked, until - performance.now(), 1);
  while (performance.now() < until);
}

/** One question after the other until all are asked or the time is up; never fewer than a handful. */
async function timed(
  engine: BenchEngine,
  kind: QueryKind,
  plan: string,
  asked: readonly QueryArgs[],
  limitMs: number,
  least = MIN_SAMPLES,
): Promise<{ times: number[]; answers: number[][] }> {
  const times: number[] = [];
  const answers: number[][] = [];
  const begin = performance.now();
  for (const args of asked) {
    if (times.length >= least && performance.now() - begin > limitMs) break;
    const start = performance.now();
    const answer = await engine.query(kind, args, plan);
    const ms = performance.now() - start;
    times.push(engine.selfTimedMs?.() ?? ms);
    answers.push(answer);
  }
  return { times, answers };
}

function meanRecall(answers: readonly number[][], truths: readonly Truth[]): number {
  return answers.reduce((sum, answer, q) => sum + recallOf(answer, truths[q]!), 0) / answers.length;
}
