import type { Presence } from "../../schema/core.ts";
import { type Evidence, type EvidenceCluster, evidenceOf, type ReadItem } from "../evidence.ts";
import type { Plan } from "../plan/plan.ts";
import { cover, ib } from "./bottleneck-step.ts";
import { and, minus, mmr, or, rrf, weighted } from "./combine.ts";
import { broaden, fallback, ifRedundant } from "./control.ts";
import { chains, descend, summary } from "./hierarchy.ts";
import { inTime, join } from "./links.ts";
import { type Operators, type PlanContext, Run, type StepTrace } from "./run.ts";
import {
  adaptiveK,
  budget,
  chronological,
  dedupeByTrack,
  distinct,
  radius,
  threshold,
  topK,
} from "./select.ts";
import { inOrder, looks, nth, searchStep, viewsAt } from "./sources.ts";

export interface Execution {
  readonly items: readonly Evidence[];
  readonly clusters: readonly EvidenceCluster[];
  /** Nothing exceeded the background; the items may be irrelevant to the question. */
  readonly weak: boolean;
  /** Every step that ran, in the order in which it ended. */
  readonly steps: readonly StepTrace[];
  readonly ms: { readonly total: number; readonly encode: number };
}

const OPERATORS: Operators = {
  sem: searchStep,
  lex: searchStep,
  concepts: searchStep,
  image: searchStep,
  looks,
  all: searchStep,
  uniform: searchStep,
  recent: searchStep,
  given: searchStep,
  viewsAt,
  near: searchStep,
  nearest: searchStep,
  dir: searchStep,
  inRegion: searchStep,
  between: searchStep,
  alongPath: searchStep,
  box: searchStep,
  visibleFrom: searchStep,
  at: searchStep,
  during: searchStep,
  before: searchStep,
  after: searchStep,
  since: searchStep,
  where: searchStep,
  asOf: searchStep,
  and,
  or,
  minus,
  first: inOrder,
  last: inOrder,
  nth,
  chronological,
  join,
  inTime,
  rrf,
  weighted,
  mmr,
  topK,
  threshold,
  radius,
  adaptiveK,
  ib,
  cover,
  dedupeByTrack,
  distinct,
  budget,
  descend,
  chains,
  summary,
  broaden,
  fallback,
  ifRedundant,
  none: async () => ({ items: [] }),
};

/** Runs a plan: only the steps that its result depends on, each once. States come with when they were seen. */
export async function executePlan(plan: Plan, context: PlanContext): Promise<Execution> {
  const began = performance.now();
  const run = new Run(plan, context, OPERATORS);
  const { items, clusters, weak } = await run.input(plan.out);
  // Searches end at now by themselves; a forest and the links of a record know what came later as well.
  const begun = (await run.read(items)).filter(({ hit }) => hit.record.validFromUs <= context.nowUs);
  const complete = await withPresence(begun, context);
  return {
    items: complete,
    clusters: clusters ?? [],
    weak: weak ?? complete.length === 0,
    steps: run.trace,
    ms: { total: performance.now() - began, encode: run.encodeMs },
  };
}

async function withPresence(items: readonly ReadItem[], { reader }: PlanContext): Promise<Evidence[]> {
  const states = items.filter(({ hit }) => hit.record.kind === "state").map(({ id }) => id);
  const known = new Map<string, Presence>();
  if (states.length > 0)
    for (const presence of await reader.presence(states)) known.set(presence.stateId, presence);
  return items.map((item) => evidenceOf(item, known.get(item.id)));
}
