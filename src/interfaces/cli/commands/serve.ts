import { pino } from "pino";
import { serve } from "../../http/server.ts";
import { viewerFolder } from "../../http/viewer-files.ts";
import { type MemoryOptions, withMemory } from "../open.ts";
import type { Terminal } from "../terminal.ts";

export interface ServeCommandOptions extends MemoryOptions {
  readonly host: string;
  readonly port: number;
  readonly allowHost?: string[];
  readonly allowOrigin?: string[];
  readonly log: string;
}

/** Serves a memory until it is told to end; then finishes what it began. */
export async function run(options: ServeCommandOptions, terminal: Terminal): Promise<void> {
  const { host, port, allowHost: hosts = [], allowOrigin: origins = [] } = options;
  const log = pino({ level: options.log, base: null }, pino.destination({ dest: 2, sync: true }));
  await withMemory(options, { create: true }, async (memory) => {
    // The one writer's place is taken now, not with the first write: whoever comes second should know at once.
    await memory.writer();
    const viewer = await viewerFolder(() => terminal.note("building the viewer, once"));
    const serving = await serve(memory, { host, port, hosts, origins, log, viewer });
    terminal.line(
      { url: serving.url, memory: memory.folder },
      () => `loci serves ${memory.folder} at ${serving.url}`,
    );
    await new Promise<void>((resolve) => {
      if (terminal.signal.aborted) resolve();
      else terminal.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await serving.close();
  });
}
