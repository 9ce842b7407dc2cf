import { appendFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { guidanceOf } from "../../compose/guidance.ts";
import type { ModelRoles } from "../../models/index.ts";
import { systemNamed } from "../../reasoning/systems/index.ts";
import { POLICIES, type PolicyName, throwIfAborted } from "../../schema/index.ts";
import { type Episode, type Explorers, runHouse } from "./episode.ts";
import { activeHouse } from "./house.ts";
import { type ActiveReport, formatActiveReport, reportOf } from "./report.ts";

export interface ActiveEvalOptions {
  readonly seeds: readonly (number | string)[];
  readonly policies?: readonly PolicyName[] | undefined;
  /** Questions per house, asked one after the other. */
  readonly count?: number | undefined;
  readonly noise?: number | undefined;
  readonly wording?: "dev" | "test" | undefined;
  /** Also runs ours with helpers: 6 means one and five. */
  readonly agents?: number | undefined;
  /** Also runs ours without memory in each module in turn, and with an empty memory for each question. */
  readonly ablations?: boolean | undefined;
  /** Systems of the final answer, instead of our rules; each is run with every policy. */
  readonly systems?: readonly string[] | undefined;
  /** A model that plans, stops and answers. */
  readonly models?: ModelRoles | undefined;
  /** Only questions without an answer: whether that is recognised. */
  readonly unanswerable?: boolean | undefined;
  /** File of rows: those in it are not run again. */
  readonly out?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
}

const COUNT = 6;
const NOISE = 0.5;

/** MT-like questions explored by every policy in the same houses: `eval active`. */
export async function evaluateActive(
  options: ActiveEvalOptions,
): Promise<{ report: ActiveReport; text: string }> {
  const { seeds, count = COUNT, noise = NOISE, wording = "test", out, signal, onProgress } = options;
  const guidance = await guidanceOf({ models: options.models });
  const done = out === undefined ? [] : await rowsIn(out);
  const folder = await mkdtemp(join(tmpdir(), "loci-active-"));
  const episodes: Episode[] = [];
  try {
    await mkdir(folder, { recursive: true });
    for (const seed of seeds) {
      const waysLeft = waysOf(options).filter((way) => {
        const known = done.filter((row) => row.seed === String(seed) && row.explorers === way.name);
        episodes.push(...known);
        return known.length === 0;
      });
      if (waysLeft.length === 0) continue;
      const house = activeHouse({ seed, count, wording, isUnanswerable: options.unanswerable });
      for (const way of waysLeft) {
        throwIfAborted(signal);
        const rows = await runHouse(house, way, { folder, noise, signal, guidance });
        episodes.push(...rows);
        if (out !== undefined) await appendFile(out, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
        const right = rows.filter(({ success }) => success).length;
        const metres = rows.reduce((sum, { pathM }) => sum + pathM, 0);
        onProgress?.(`house ${seed}, ${way.name}: ${right} of ${rows.length} right, ${metres.toFixed(0)} m`);
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const report = reportOf(episodes, { noise, wording, seeds: seeds.map(String) });
  return { report, text: formatActiveReport(report) };
}

/** Policies whose papers keep the memory of a place between questions; the others start with an empty one. */
const KEEP_MEMORY: ReadonlySet<PolicyName> = new Set(["memory", "memory-eqa"]);

function waysOf({ policies = POLICIES, systems = [], agents, ablations }: ActiveEvalOptions): Explorers[] {
  const named = systems.map((name) => systemNamed(name).name);
  const ways: Explorers[] = policies.flatMap((policy) => {
    const way: Explorers = { name: policy, policy, keepsMemory: KEEP_MEMORY.has(policy) };
    return named.length === 0
      ? [way]
      : named.map((system) => ({ ...way, name: `${policy} + ${system}`, system }));
  });
  if (agents !== undefined && agents > 1)
    ways.push({ name: `memory, ${agents} agents`, policy: "memory", keepsMemory: true, agents });
  if (ablations)
    ways.push(
      { name: "memory, cold", policy: "memory", keepsMemory: false },
      {
        name: "memory, cold, not in planner",
        policy: "memory",
        keepsMemory: false,
        switches: { planner: false },
      },
      { name: "memory-eqa, paper", policy: "memory-eqa", keepsMemory: true, mode: "paper" },
    );
  return ways;
}

async function rowsIn(path: string): Promise<Episode[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Episode]));
}
