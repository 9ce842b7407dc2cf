import type { Memory } from "../compose/memory.ts";
import { Sources } from "../compose/sources/index.ts";
import type { SourceStatus } from "../compose/sources/request.ts";
import { LociError } from "../schema/core.ts";
import type { OperationContext } from "./context.ts";
import { liveFramesOf } from "./frames.ts";

const running = new WeakMap<Memory, Sources>();

/** The sources of a memory, if any was begun. */
export function runningSources(memory: Memory): Sources | undefined {
  return running.get(memory);
}

/** The sources of a memory, shared by all that ask for them; they end with it. */
export function wholeSources({ memory, actor }: OperationContext): Sources {
  if (actor.labels !== "*")
    throw new LociError("access-denied", "sources are for those who hold every label");
  let sources = running.get(memory);
  if (sources === undefined) {
    sources = new Sources(memory, () => liveFramesOf(memory));
    running.set(memory, sources);
    memory.ending.add(() => stopSources(memory));
  }
  return sources;
}

/** How the sources of a memory are doing, for those who ask whether it does its work. */
export function sourceStates(memory: Memory): SourceStatus[] {
  return running.get(memory)?.list() ?? [];
}

/** Ends all sources of a memory within seconds; call it before its frames are finished. */
export async function stopSources(memory: Memory): Promise<void> {
  await running.get(memory)?.close();
}
