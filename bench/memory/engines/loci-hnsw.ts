import { EmbeddedEngine } from "../../../src/memory/embedded/engine.ts";
import { hasUsearch } from "../../../src/memory/hnsw/usearch.ts";
import type { EngineAdapter } from "../port.ts";
import { LociBench } from "./loci.ts";

/** Loci when it may be approximate, at any size: the graph is part of loading, and mapped before it is asked. */
export const adapter: EngineAdapter = {
  missing: async () => (hasUsearch() ? null : "usearch is not installed"),
  open: (context) =>
    LociBench.open(context, {
      openEngine: context.phase === "query" ? openReady : openEngine,
      afterLoad: async (folder) => (await openReady(folder)).close(),
    }),
  sharedBetweenProcesses: true,
};

function openEngine(folder: string): Promise<EmbeddedEngine> {
  return EmbeddedEngine.open({ folder, approximate: true, approximateFrom: 1 });
}

async function openReady(folder: string): Promise<EmbeddedEngine> {
  const engine = await openEngine(folder);
  const state = await engine.approximateReady();
  if (!state.ready) throw new Error(`no graph: ${state.reason}`);
  return engine;
}
