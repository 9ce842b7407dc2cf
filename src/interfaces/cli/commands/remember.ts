import type { Vec3 } from "../../../index.ts";
import { type MemoryOptions, withMemory } from "../open.ts";
import type { Terminal } from "../terminal.ts";

interface Options extends MemoryOptions {
  readonly at?: Vec3;
  readonly time?: number;
  readonly until?: number;
  readonly topic?: string;
  readonly author?: string;
  readonly labels?: string[];
}

export async function run(
  { at, time, until, topic, author, labels, ...options }: Options,
  terminal: Terminal,
  text: string,
): Promise<void> {
  const record = await withMemory(options, { create: true }, (memory) =>
    memory.remember(text, {
      ...(at && { at }),
      ...(time !== undefined && { time }),
      ...(until !== undefined && { until }),
      ...(topic !== undefined && { topic }),
      ...(author !== undefined && { author }),
      ...(labels && { labels }),
    }),
  );
  terminal.result(record, () => `remembered as ${record.id}`);
}
