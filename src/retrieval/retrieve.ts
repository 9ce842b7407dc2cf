import type { Evidence, EvidenceCluster } from "./evidence.ts";
import { executePlan } from "./execute/execute.ts";
import type { PlanContext, StepTrace } from "./execute/run.ts";
import { type Plan, parsePlan } from "./plan/plan.ts";
import type { PresetOptions } from "./presets/papers.ts";
import { presetOf, type Strategy } from "./presets/presets.ts";
import { type Asked, type RetrievalQuestion, readQuestion } from "./question/question.ts";
import { serialise } from "./serialise.ts";

export interface RetrieveOptions
  extends Omit<PlanContext, "image">,
    Omit<PresetOptions, "hasPose" | "hasForest" | "hasLooks"> {
  /** Default `auto`. */
  readonly strategy?: Strategy;
  /** A plan to run instead of a strategy's own: one that was printed before, or edited. */
  readonly plan?: Plan;
}

/** The items found, the plan and the cost. */
export interface Retrieved {
  /** Best first, except for presets whose papers return them in order of time. */
  readonly items: readonly Evidence[];
  /** STaR's clusters of things, where the plan made any. */
  readonly clusters: readonly EvidenceCluster[];
  readonly plan: Plan;
  readonly trace: RetrievalTrace;
  /** Nothing stood out of the background: "not seen" may be the honest answer. */
  readonly weak: boolean;
}

export interface RetrievalTrace {
  readonly totalMs: number;
  /** Time by kind of work: encode, search, link, bottleneck, forest, rank. */
  readonly stages: Readonly<Record<string, number>>;
  readonly steps: readonly StepTrace[];
  /** The tokens of the items when written out. */
  readonly tokens: number;
}

/** Answers a question with evidence: builds the strategy's plan, runs it, and reports the cost. */
export async function retrieve(question: RetrievalQuestion, options: RetrieveOptions): Promise<Retrieved> {
  const began = performance.now();
  const asked = await untilNow(readQuestion(question), options);
  const context: PlanContext = { ...options, ...(question.image ? { image: question.image } : {}) };
  const plan = options.plan === undefined ? makePlan(asked, options) : parsePlan(options.plan);
  const { items, clusters, weak, steps, ms } = await executePlan(plan, context);
  const stages = stagesOf(steps, ms.encode);
  const totalMs = performance.now() - began;
  const tokens = serialise(items, { nowUs: options.nowUs, tokens: Number.MAX_SAFE_INTEGER }).tokens;
  return { items, clusters, plan, weak, trace: { totalMs, stages, steps, tokens } };
}

/**
 * Records that began after the asker's now are excluded. A memory that continues beyond it is searched up to it;
 * others, the usual case, are searched without a time key.
 */
async function untilNow(asked: Asked, { reader, nowUs, plan, signal }: RetrieveOptions): Promise<Asked> {
  if (plan !== undefined || asked.question.during !== undefined) return asked;
  const later = await reader.searchIds(
    { time: { after: nowUs + 1 }, rank: "latest", limit: 1 },
    signal ? { signal } : {},
  );
  if (later.length === 0) return asked;
  return { ...asked, question: { ...asked.question, during: { fromUs: 0, toUs: nowUs + 1 } } };
}

function makePlan(asked: Asked, options: RetrieveOptions): Plan {
  return presetOf(options.strategy ?? "auto")(asked, {
    ...options,
    hasPose: options.pose !== undefined,
    hasLooks: options.looks !== undefined,
    hasForest: options.forest !== undefined && options.forest.roots.length > 0,
  });
}

const STAGE_OF: Readonly<Record<string, string>> = {
  join: "link",
  inTime: "link",
  ib: "bottleneck",
  cover: "bottleneck",
  descend: "forest",
  chains: "forest",
  summary: "forest",
  and: "rank",
  or: "rank",
  minus: "rank",
  rrf: "rank",
  weighted: "rank",
  mmr: "rank",
  topK: "rank",
  threshold: "rank",
  radius: "rank",
  adaptiveK: "rank",
  dedupeByTrack: "rank",
  distinct: "rank",
  chronological: "rank",
  budget: "rank",
  broaden: "rank",
  fallback: "rank",
  ifRedundant: "rank",
};

function stagesOf(steps: readonly StepTrace[], encodeMs: number): Record<string, number> {
  const stages: Record<string, number> = { encode: encodeMs };
  for (const { op, ms } of steps) {
    const stage = STAGE_OF[op] ?? "search";
    stages[stage] = (stages[stage] ?? 0) + ms;
  }
  return stages;
}
