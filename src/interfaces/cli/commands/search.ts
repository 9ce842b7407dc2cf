import { type Memory, retrieveFrom, withBelief } from "../../../compose.ts";
import { LociError } from "../../../schema/core.ts";
import { type ModelOptions, usageLines, withModels } from "../models.ts";
import { type MemoryOptions, type ReadAs, readerOptions, withMemory } from "../open.ts";
import { hitLine, type QueryOptions, queryOf } from "../query.ts";
import type { Terminal } from "../terminal.ts";

interface Options extends MemoryOptions, ReadAs, QueryOptions, ModelOptions {
  readonly limit: number;
  readonly explain?: boolean;
  readonly approximate?: boolean;
  readonly strategy?: string;
  readonly mode?: "ours" | "paper";
}

export async function run(options: Options, terminal: Terminal): Promise<void> {
  if (options.strategy !== undefined) return byStrategy(options, options.strategy, terminal);
  const { hits, plan, exactBecause } = await withMemory(options, { create: false }, async (memory) => {
    const view = memory.as(readerOptions(options));
    const query = queryOf(view, options);
    const state = options.approximate ? await waitForGraph(memory, terminal) : { ready: true };
    const found = await query.explain(options.limit, { signal: terminal.signal });
    const hits = await withBelief(await view.reader(), found.hits);
    return { ...found, hits, exactBecause: "reason" in state ? state.reason : undefined };
  });
  terminal.result({ hits, plan }, () => {
    const lines = hits.map((hit, i) => `${i + 1}. ${hitLine(hit)}`);
    if (hits.length === 0) lines.push("nothing found");
    if (options.explain) {
      lines.push(`plan: ${plan.engine}, driven by ${plan.driver}, ranked by ${plan.rank}`);
      for (const { step, left } of plan.steps) lines.push(`   ${step}: ${left.toLocaleString("en")} left`);
      if (exactBecause !== undefined) lines.push(`   not approximate: ${exactBecause}`);
    }
    return lines.join("\n");
  });
}

/** The first approximate search of a large memory builds what the later ones only map; that takes minutes. */
async function waitForGraph(memory: Memory, terminal: Terminal) {
  if (memory.engine.approximateReady === undefined)
    return { ready: false, reason: "a memory on PostgreSQL is always searched exactly" } as const;
  return memory.engine.approximateReady("text", {
    signal: terminal.signal,
    onProgress: (done, total) => terminal.progress(`building the graph: ${done} of ${total} vectors`),
  });
}

/** One of the papers' plans instead of one search: what it found, and with --explain how. */
async function byStrategy(options: Options, strategy: string, terminal: Terminal): Promise<void> {
  const { text, near, within, during } = options;
  if (text === undefined) throw new LociError("invalid-input", "--strategy needs --text, the question");
  if (near && within === undefined)
    throw new LociError("invalid-input", "--near needs --within with a strategy");
  const { found, usage } = await withModels(options, "search", terminal, (models) =>
    withMemory(options, { create: false }, async (memory) => {
      const request = {
        strategy,
        models,
        signal: terminal.signal,
        ...(options.mode && { mode: options.mode }),
        ...(near && within !== undefined && { near: { centre: near, radiusM: within } }),
        ...(during && { during }),
      };
      const retrieved = await retrieveFrom(memory.as(readerOptions(options)), text, request);
      return { found: retrieved, usage: usageLines(models) };
    }),
  );
  const { explanation, items, plan, trace, weak } = found;
  const shown = items.slice(0, options.limit);
  terminal.result({ items: shown, plan, trace, weak }, () => {
    const lines = shown.map((item, i) => `${i + 1}. ${hitLine(item)}`);
    if (shown.length === 0) lines.push("nothing found");
    if (options.explain) lines.push(explanation, ...usage);
    return lines.join("\n");
  });
}
