import type { Interval } from "../geometry/index.ts";
import type { Belief } from "./belief.ts";

/** A stretch of time with both ends. */
export interface Span extends Interval {
  readonly toUs: number;
}

/** From the first look that is remembered to now. */
export function extentOf(memory: Belief): Promise<Span> {
  return memory.once("extent", () => readExtent(memory));
}

async function readExtent(memory: Belief): Promise<Span> {
  const first = async (kinds: readonly ("observation" | "caption" | "state")[]) =>
    (await memory.search({ kinds, rank: "earliest", limit: 1 }))[0]?.record.validFromUs;
  const fromUs = (await first(["observation"])) ?? (await first(["caption", "state"])) ?? memory.nowUs;
  return { fromUs: Math.min(fromUs, memory.nowUs), toUs: memory.nowUs + 1 };
}
