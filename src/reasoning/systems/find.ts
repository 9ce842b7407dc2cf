import { Belief } from "../../belief/belief.ts";
import { lastPose } from "../../belief/poses.ts";
import { fromYaw } from "../../geometry/index.ts";
import {
  type Evidence,
  type Retrieved,
  type RetrieveOptions,
  retrieve,
  type Strategy,
} from "../../retrieval/index.ts";
import { type Plan, parsePlan } from "../../retrieval/plan/plan.ts";
import type { RetrievalQuestion } from "../../retrieval/question/question.ts";
import type { Found, SystemOptions } from "./system.ts";

/** Runs a paper's plan for a question, in the mode and with the numbers that were asked for. */
export async function retrieveBy(
  strategy: Strategy,
  question: RetrievalQuestion,
  options: SystemOptions,
  more: Partial<RetrieveOptions> = {},
): Promise<Retrieved> {
  const { reader, embedder, background, nowUs, selector, signal, mode, k, agentId } = options;
  const pose = options.pose ?? (await lastPose(new Belief(options), nowUs, agentId));
  // Of the plans only this one goes down the regions; for others they would be read for nothing.
  const forest = strategy === "embodied-rag" ? await options.forest?.() : undefined;
  const hasMeaning = embedder !== undefined && (await reader.embedder("text")) !== null;
  return retrieve(question, {
    reader,
    nowUs,
    strategy,
    ...(hasMeaning && { embedder }),
    ...(background && { background }),
    ...(forest && { forest }),
    // A selector that reads is asked in the asker's words: cues have lost those that join them.
    ...(selector && {
      selector: { score: (_cues, children, aborted) => selector.score(question.text, children, aborted) },
    }),
    ...(pose && { pose: { p: pose.position, q: fromYaw(pose.yawRad) } }),
    ...(mode !== undefined && { mode }),
    ...(k !== undefined && { k }),
    ...(signal && { signal }),
    ...more,
  });
}

/** Several searches as one piece of evidence: each record once, where it came first. */
export function together(searches: Found["searches"]): Found {
  const items = new Map<string, Evidence>();
  for (const { retrieved } of searches)
    for (const item of retrieved.items) if (!items.has(item.id)) items.set(item.id, item);
  return { items: [...items.values()], searches };
}

/** A plan is given no more records than this. */
const MOST_GIVEN = 1_000;

/** Records by their ids, with where they are and when they were seen; those that are not there are left out. */
export async function recordsBy(
  ids: readonly string[],
  options: SystemOptions,
): Promise<readonly Evidence[]> {
  if (ids.length === 0) return [];
  const plan = planOf("records", { op: "given", ids: [...new Set(ids)].slice(0, MOST_GIVEN) });
  return (await retrieveBy("r4", { text: "records" }, options, { plan })).items;
}

/** A plan with one source and its filters, in that order. */
export function planOf(title: string, ...steps: readonly Record<string, unknown>[]): Plan {
  const named = steps.map((step, n) => ({ as: `s${n}`, ...(n > 0 && { from: `s${n - 1}` }), ...step }));
  return parsePlan({ version: 1, title, steps: named, out: `s${steps.length - 1}` });
}

/** The results of one plan for the question as it is. */
export async function findBy(
  strategy: Strategy,
  question: string,
  options: SystemOptions,
  more: Partial<RetrieveOptions> = {},
): Promise<Found> {
  return together([
    { cue: question, retrieved: await retrieveBy(strategy, { text: question }, options, more) },
  ]);
}
