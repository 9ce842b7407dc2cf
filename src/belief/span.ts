import type { Interval } from "../geometry/index.ts";
import type { MemoryReader, SearchRequest } from "../memory/index.ts";
import type { Stored } from "../schema/core.ts";
import type { MemorySearch } from "./memory-search.ts";
import { SEARCH } from "./settings/search.ts";

/** A stretch of time with both ends. */
export interface Span extends Interval {
  readonly toUs: number;
}

/** From the first observation to now. */
export function extentOf(memory: MemorySearch): Promise<Span> {
  return memory.once("extent", () => readExtent(memory));
}

async function readExtent(memory: MemorySearch): Promise<Span> {
  const first = async (kinds: readonly ("observation" | "caption" | "state")[]) =>
    (await memory.search({ kinds, rank: "earliest", limit: 1 }))[0]?.record.validFromUs;
  const fromUs = (await first(["observation"])) ?? (await first(["caption", "state"])) ?? memory.nowUs;
  return { fromUs: Math.min(fromUs, memory.nowUs), toUs: memory.nowUs + 1 };
}

const OBSERVED = ["observation", "state", "event", "detection"] as const;

/**
 * The time that a memory has observed: from its first record to its last, without notes, since people write them at any
 * later time. "Now" is its end. A memory of only notes ends with the last of them; null for an empty one.
 */
export async function observedSpan(reader: MemoryReader): Promise<Span | null> {
  const [first, last] = [await endOf(reader, "earliest"), await endOf(reader, "latest")];
  return first && last && { fromUs: first.validFromUs, toUs: last.validToUs ?? last.validFromUs };
}

async function endOf(reader: MemoryReader, rank: "earliest" | "latest") {
  const search = async (request: SearchRequest) =>
    (await reader.search({ ...request, rank })).hits.map(({ record }) => record);
  const ends = await search({ limit: SEARCH.mostNotes });
  const isNote = (record: Stored) => record.kind === "caption" && record.source === "human";
  return (
    ends.find((record) => !isNote(record)) ??
    (await search({ kinds: OBSERVED, limit: 1 }))[0] ??
    ends[0] ??
    null
  );
}
