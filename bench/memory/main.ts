// The bench without the command line of Loci around it: node bench/memory/main.ts --n 20000 --dim 128 [--json]
import { parseArgs } from "node:util";
import { type EngineName, formatReport, type GrowthWorld, runMemoryBench } from "./run.ts";

const { values } = parseArgs({
  options: {
    n: { type: "string", default: "100000" },
    dim: { type: "string", default: "384" },
    engines: { type: "string" },
    queries: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    budget: { type: "string", default: "15" },
    folder: { type: "string" },
    writers: { type: "boolean", default: false },
    growth: { type: "string" },
    "growth-in": { type: "string" },
    json: { type: "boolean", default: false },
  },
});

const report = await runMemoryBench({
  n: Number(values.n),
  dim: Number(values.dim),
  queriesPerKind: Number(values.queries),
  seed: Number(values.seed),
  budgetS: Number(values.budget),
  writers: values.writers,
  ...(values.engines === undefined ? {} : { engines: values.engines.split(",") as EngineName[] }),
  ...(values.growth === undefined ? {} : { growth: values.growth.split(",").map(Number) }),
  ...(values["growth-in"] === undefined ? {} : { growthIn: values["growth-in"].split(",") as GrowthWorld[] }),
  ...(values.folder === undefined ? {} : { folder: values.folder }),
  onProgress: (said) => process.stderr.write(`${said}\n`),
});
process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report));
