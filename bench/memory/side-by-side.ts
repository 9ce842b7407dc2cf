/**
 * Engines asked the same question in turn, one after the other: on a busy machine the load is then the same for all, and the
 * ratio of medians tells more than a run of each. Every engine is loaded first; the last figure is the second's over the first's.
 * With --folder what was loaded stays, and is taken up by the next run of the same size.
 * LOCI_TEST_POSTGRES_URL=postgres://… node bench/memory/side-by-side.ts --n 100000 --engines pgvector-exact,loci-postgres
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { adapterOf } from "./adapters.ts";
import { quantile } from "./jobs.ts";
import { recallOf } from "./judge.ts";
import type { BenchEngine, EngineName } from "./port.ts";
import { bruteForce } from "./truth.ts";
import { QUERY_KINDS, type QueryArgs, type QueryKind, Workload } from "./workload.ts";

const { values } = parseArgs({
  options: {
    n: { type: "string", default: "100000" },
    dim: { type: "string", default: "384" },
    queries: { type: "string", default: "40" },
    engines: { type: "string", default: "pgvector-exact,loci-postgres" },
    folder: { type: "string" },
    kinds: { type: "string", default: "hybrid-0,hybrid-1,hybrid-3,associate" },
  },
});
const WARM_MS = 1_200;
const TRIALS = 5;
const options = { n: Number(values.n), dim: Number(values.dim), seed: 1 };
const workload = new Workload(options);
const queries = Number(values.queries);
const names = values.engines.split(",") as EngineName[];
const wanted = values.kinds.split(",");
const kinds = QUERY_KINDS.filter((kind) => wanted.some((begin) => kind.startsWith(begin)));
const home = values.folder ?? mkdtempSync(join(tmpdir(), "loci-side-by-side-"));
mkdirSync(home, { recursive: true });
try {
  for (const name of names) await once(`loaded-${name}-${options.n}-${options.dim}`, () => load(name));
  const truths = await once(`truth-${options.n}-${options.dim}-${queries}`, async () =>
    bruteForce(workload, queries, () => undefined),
  );
  const engines = await Promise.all(names.map((name) => open(name, "query")));
  for (const kind of kinds) console.log(await compare(engines, kind, truths[kind]));
  for (const engine of engines) await engine.close();
} finally {
  if (values.folder === undefined) {
    for (const name of names) await (await adapterOf(name)).clean?.();
    rmSync(home, { recursive: true, force: true });
  }
}

/** What was made in this folder before, or is made now. */
async function once<T>(name: string, make: () => Promise<T>): Promise<T> {
  const file = join(home, `${name}.json`);
  if (!existsSync(file)) writeFileSync(file, JSON.stringify((await make()) ?? null));
  return JSON.parse(readFileSync(file, "utf8")) as T;
}

async function open(name: EngineName, phase: "load" | "query"): Promise<BenchEngine> {
  const adapter = await adapterOf(name);
  const missing = await adapter.missing();
  if (missing !== null) throw new Error(`${name}: ${missing}`);
  return adapter.open({ ...options, folder: join(home, name), phase });
}

async function load(name: EngineName): Promise<void> {
  const engine = await open(name, "load");
  for (let at = 0; at < options.n; at += engine.bulkRows)
    await engine.load(workload.rows(at, Math.min(at + engine.bulkRows, options.n)));
  await engine.finishLoad();
  await engine.close();
}

async function compare(
  engines: readonly BenchEngine[],
  kind: QueryKind,
  truths: ReturnType<typeof bruteForce>[QueryKind],
): Promise<string> {
  const asked = Array.from({ length: queries }, (_, q) => workload.query(kind, q));
  const plans: string[] = [];
  for (const engine of engines) plans.push(await bestPlan(engine, kind, asked));
  const times = engines.map((): number[] => []);
  const recalls = engines.map(() => 0);
  for (const [q, args] of asked.entries())
    for (const [i, engine] of engines.entries()) {
      const start = performance.now();
      const answer = await engine.query(kind, args, plans[i]!);
      times[i]!.push(performance.now() - start);
      recalls[i]! += recallOf(answer, truths[q]!) / queries;
    }
  const medians = times.map((list) => quantile(list, 0.5));
  const said = medians.map(
    (ms, i) => `${names[i]} ${ms.toFixed(2)} ms r${recalls[i]!.toFixed(3)} [${plans[i]}]`,
  );
  const ratio = medians.length > 1 ? `  × ${(medians[1]! / medians[0]!).toFixed(2)}` : "";
  return `${kind.padEnd(15)} ${said.join("  ")}${ratio}`;
}

/** The quickest of an engine's plans, with caches and compilers warm. */
async function bestPlan(engine: BenchEngine, kind: QueryKind, asked: readonly QueryArgs[]): Promise<string> {
  const plans = engine.plans(kind);
  if ("cannot" in plans) throw new Error(plans.cannot);
  let best = { plan: plans[0]!, ms: Infinity };
  for (const plan of plans) {
    const times: number[] = [];
    for (const args of asked.slice(0, TRIALS)) {
      const start = performance.now();
      await engine.query(kind, args, plan);
      times.push(performance.now() - start);
    }
    const ms = quantile(times, 0.5);
    if (ms < best.ms) best = { plan, ms };
  }
  const until = performance.now() + WARM_MS;
  for (let q = 0; performance.now() < until; q++)
    await engine.query(kind, asked[q % asked.length]!, best.plan);
  return best.plan;
}
