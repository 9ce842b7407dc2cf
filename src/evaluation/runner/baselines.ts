import { LIMITS, type RecordKind } from "../../schema/core.ts";
import { contextTokens } from "../metrics/text.ts";
import { BLIND_ANSWERER } from "./blind-answerer.ts";
import { evidenceItems } from "./evidence-items.ts";
import { type Chosen, evidenceStrategy } from "./evidence-strategy.ts";
import { EXTRACTIVE_ANSWERER } from "./extractive-answerer.ts";
import type { Answerer, EvidenceItem, MemoryContext, Strategy } from "./strategy.ts";

/** R-EQA's uniform agent (docs/formulas.md#baselines). */
const UNIFORM_K = 10;
/** What a large model takes in at once; beyond it the history is thinned evenly and the trace says so. */
const HISTORY_TOKENS = 32_000;
const GET_AT_ONCE = 1_000;

export interface BaselineOptions {
  /** Reads the evidence; the same one for all, so that only the evidence differs. */
  readonly answerer?: Answerer;
  /** Answers without any. */
  readonly blindAnswerer?: Answerer;
  readonly uniformK?: number;
  readonly historyTokens?: number;
}

/** The three that stand beside every strategy: nothing seen, a little of everything, everything. */
export function baselines(options: BaselineOptions = {}): Strategy[] {
  const answerer = options.answerer ?? EXTRACTIVE_ANSWERER;
  const k = options.uniformK ?? UNIFORM_K;
  const tokens = options.historyTokens ?? HISTORY_TOKENS;
  return [
    evidenceStrategy("blind", options.blindAnswerer ?? BLIND_ANSWERER, {}, async () => ({
      items: [],
      rejected: [],
    })),
    evidenceStrategy("uniform", answerer, { k }, (_, context) => uniform(context, k)),
    evidenceStrategy("whole-history", answerer, { tokens }, (_, context) => wholeHistory(context, tokens)),
  ];
}

/** Evenly spaced over the captions in order of time, the first and the last among them. */
async function uniform(context: MemoryContext, k: number): Promise<Chosen> {
  const ids = await narration(context);
  const chosen = evenly(ids, k);
  return {
    items: await itemsOf(context, chosen),
    rejected: [{ reason: "not among the evenly spaced", count: ids.length - chosen.length }],
  };
}

/** All captions and states in order of time, thinned evenly to the budget. */
async function wholeHistory(context: MemoryContext, tokens: number): Promise<Chosen> {
  const ids = await inOrder(context, ["caption", "state"]);
  const all = await itemsOf(context, ids);
  const total = all.reduce((sum, { text }) => sum + contextTokens(text), 0);
  const items = total <= tokens ? all : evenly(all, Math.floor((all.length * tokens) / total));
  return { items, rejected: [{ reason: "over the budget", count: all.length - items.length }] };
}

/** Captions where there are any; a memory of boxes alone is told by its states. */
async function narration(context: MemoryContext): Promise<string[]> {
  const captions = await inOrder(context, ["caption"]);
  return captions.length > 0 ? captions : inOrder(context, ["state"]);
}

async function inOrder({ reader, signal }: MemoryContext, kinds: readonly RecordKind[]): Promise<string[]> {
  const hits = await reader.searchIds({ kinds, rank: "earliest", limit: LIMITS.hitsPerSearch }, { signal });
  return hits.map(({ id }) => id);
}

async function itemsOf({ reader, signal }: MemoryContext, ids: readonly string[]): Promise<EvidenceItem[]> {
  const items: EvidenceItem[] = [];
  for (let start = 0; start < ids.length; start += GET_AT_ONCE) {
    signal.throwIfAborted();
    const some = ids.slice(start, start + GET_AT_ONCE);
    const { hits } = await reader.search(
      { where: { ids: some }, rank: "earliest", limit: some.length },
      { signal },
    );
    items.push(...(await evidenceItems(reader, hits)));
  }
  return items;
}

/** `count` of them at even distances, from the first to the last. */
export function evenly<T>(all: readonly T[], count: number): T[] {
  if (count <= 0) return [];
  if (count >= all.length) return [...all];
  if (count === 1) return [all[Math.floor((all.length - 1) / 2)]!];
  return Array.from({ length: count }, (_, i) => all[Math.round((i * (all.length - 1)) / (count - 1))]!);
}
