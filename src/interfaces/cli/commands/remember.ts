import type { Vec3 } from "../../../index.ts";
import { ulidSource } from "../../../schema/core.ts";
import { type MemoryOptions, orThroughServer, withMemory } from "../open.ts";
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
  const fact = {
    ...(at && { at }),
    time: time ?? Date.now() * 1000,
    ...(until !== undefined && { until }),
    ...(topic !== undefined && { topic }),
    ...(author !== undefined && { author }),
    ...(labels && { labels }),
  };
  const record = await orThroughServer(
    options,
    () => withMemory(options, { create: true }, (memory) => memory.remember(text, fact)),
    // With an id of our own it is stored once, however often it is sent.
    (face) => face.remember({ ...fact, text, id: ulidSource()() }),
  );
  terminal.result(record, () => `remembered as ${record.id}`);
}
