import type { LoopMemory } from "./loop-memory.ts";
import { failed, type MemoryTool, type ToolResult } from "./tool.ts";
import { look } from "./tools-look.ts";
import { query } from "./tools-query.ts";
import { changes, room, route } from "./tools-room.ts";
import { keySearches, search } from "./tools-search.ts";

const named = (tools: readonly MemoryTool[]): ReadonlyMap<string, MemoryTool> =>
  new Map(tools.map((tool) => [tool.spec.name, tool]));

/** Every question that a model may put to the memory; none of them writes. */
export const TOOLS: ReadonlyMap<string, MemoryTool> = named([search, query, room, changes, look, route]);

/** The same with the loop's own key searches: a listing of a room's things stands for a room. */
const ALL: ReadonlyMap<string, MemoryTool> = new Map([
  ...TOOLS,
  ...named(keySearches),
  ["describe_region", room],
]);

/** One call, as a model or the loop itself makes it. */
export interface Call {
  readonly tool: string;
  readonly input: unknown;
}

export interface CallResult extends ToolResult {
  readonly call: Call;
  /** Why it was not run. */
  readonly refused?: "repeated call" | "unknown tool" | "too many calls";
}

const CALLS_PER_ROUND = 8;
const CALLS_IN_ALL = 40;

/** Runs calls in their order: each kind of call once, so many a round, so many in all. */
export class ToolRunner {
  readonly #memory: LoopMemory;
  readonly #made = new Set<string>();
  readonly #log: { tool: string; input: unknown; found: number; added: number }[] = [];
  /** Numbers that the memory counted. */
  readonly counts = new Set<number>();

  constructor(memory: LoopMemory) {
    this.#memory = memory;
  }

  /** Every call that was run, for the trace. */
  log(): readonly { tool: string; input: unknown; found: number; added: number }[] {
    return this.#log;
  }

  async run(calls: readonly Call[]): Promise<CallResult[]> {
    const results: CallResult[] = [];
    // Lines name rooms by ids that an answer may cite.
    await this.#memory.regions();
    for (const [n, call] of calls.entries()) {
      const refused = this.#refusal(call, n);
      if (refused) {
        results.push({ ...failed(REASONS[refused]), call, refused });
        continue;
      }
      this.#made.add(keyOf(call));
      const result = await ALL.get(call.tool)!.run(call.input, this.#memory);
      if (result.count !== undefined) this.counts.add(result.count);
      this.#log.push({ ...call, found: result.found, added: result.added });
      results.push({ ...result, call });
    }
    return results;
  }

  #refusal(call: Call, place: number): CallResult["refused"] {
    if (!ALL.has(call.tool)) return "unknown tool";
    if (this.#made.has(keyOf(call))) return "repeated call";
    return place >= CALLS_PER_ROUND || this.#made.size >= CALLS_IN_ALL ? "too many calls" : undefined;
  }
}

const REASONS = {
  "unknown tool": `there is no such tool; there are ${[...TOOLS.keys()].join(", ")}`,
  "repeated call": "this was asked before; its result stands above",
  "too many calls": "no more calls in this round",
} as const;

export function callText({ tool, input }: Call): string {
  return `${tool} ${JSON.stringify(input)}`;
}

/** Equal calls have equal keys, whatever the order of their fields. */
function keyOf({ tool, input }: Call): string {
  const plain = JSON.stringify(input, (_name, value: unknown) =>
    value !== null && typeof value === "object" && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return `${tool} ${plain}`;
}
