import type { SearchKeys } from "../../models/prompts/index.ts";
import { LIMITS } from "../../schema/core.ts";
import type { LoopMemory } from "./loop-memory.ts";
import { HITS, MOST_HITS } from "./tool.ts";
import type { Call, CallResult, ToolRunner } from "./tools.ts";

const ANCHORS = 3;
const NEAR_M = 2;
const DIRECTION_M = 5;
/** Nothing is wider than this; then the siblings and the whole scene have been looked at. */
export const WIDEST = 3;

/**
 * The searches that R⁴'s keys stand for, at a width (docs/formulas.md#rounds): each step doubles the number of hits and the radius,
 * triples the time, takes weaker likenesses, then neighbouring rooms, then no room at all. An anchor ("near the table")
 * is found first, and up to three that fit are looked around in parallel.
 */
export async function searchByKeys(
  keys: SearchKeys,
  question: string,
  memory: LoopMemory,
  runner: ToolRunner,
): Promise<CallResult[]> {
  const { level } = memory;
  const limit = Math.min(MOST_HITS, HITS * 2 ** level);
  const scope = { ...(await roomOf(keys, memory)), ...timeOf(keys, level), limit };
  const timed = "from" in scope || "to" in scope;
  const calls: Call[] = keys.semantic.flatMap((text) => [
    { tool: "search_objects", input: { text, ...scope } },
    { tool: "search_text", input: { text, ...timeOf(keys, level), limit } },
  ]);
  if (keys.direction) {
    const input = { id: "me", direction: keys.direction, radiusM: DIRECTION_M * 2 ** level, limit };
    calls.push({ tool: "search_near", input });
  }
  if (keys.at) {
    const { z: up, ...point } = keys.at;
    const radiusM = (keys.withinM ?? NEAR_M) * 2 ** level;
    calls.push({ tool: "search_near", input: { ...point, ...(up != null && { z: up }), radiusM, limit } });
  }
  if (keys.semantic.length === 0 && timed) {
    const { from = 1e10, to = 0 } = timeOf(keys, level);
    calls.push({ tool: "search_time", input: { from, to, limit } });
  }
  if (keys.semantic.length === 0)
    for (const room of roomsIn(keys)) calls.push({ tool: "describe_region", input: { room } });
  const results = keys.near ? await around(keys, keys.near, limit, memory, runner) : [];
  if (calls.length === 0 && results.length === 0) {
    calls.push({ tool: "search_text", input: { text: question.slice(0, 500), limit } });
    calls.push({ tool: "search_objects", input: { text: question.slice(0, 500), limit } });
  }
  return [...results, ...(await runner.run(calls))];
}

/** The things around those that match the anchor. */
async function around(
  keys: SearchKeys,
  anchor: string,
  limit: number,
  memory: LoopMemory,
  runner: ToolRunner,
): Promise<CallResult[]> {
  const found = await runner.run([
    { tool: "search_objects", input: { text: anchor, limit: ANCHORS * 2 ** memory.level } },
  ]);
  // Shown just now and in the order of the search; the tool has put them into the book.
  const likely = await memory.search({ kinds: ["state"], limit: ANCHORS }, anchor);
  const anchors = await memory.eachOnce(likely, { fromUs: -LIMITS.timeUs, toUs: memory.nowUs + 1 });
  const radiusM = (keys.withinM ?? NEAR_M) * 2 ** memory.level;
  const calls = anchors.map(({ id }) => ({ tool: "search_near", input: { id, radiusM, limit } }));
  return [...found, ...(await runner.run(calls))];
}

/** The rooms that the keys name. */
export function roomsIn({ room }: Pick<SearchKeys, "room">): readonly string[] {
  return room == null ? [] : typeof room === "string" ? [room] : room;
}

/** The rooms asked for, those that the memory has. */
async function roomOf(keys: SearchKeys, memory: LoopMemory): Promise<{ room?: string | readonly string[] }> {
  if (memory.level >= WIDEST) return {};
  const known: string[] = [];
  for (const room of roomsIn(keys)) if ((await memory.regionsNamed(room)).length > 0) known.push(room);
  return known.length === 0 ? {} : { room: known.length === 1 ? known[0]! : known };
}

/** The time asked for, three times as long at every step: around its middle, or back from its open end. */
function timeOf(
  { fromAgoS, toAgoS, from: fromClock, to: toClock }: SearchKeys,
  level: number,
): { from?: number | string; to?: number | string } {
  const wider = 3 ** level;
  if (level >= WIDEST) return {};
  // A clock time is meant as it is said: beyond it only the whole time is wider.
  if (fromClock != null || toClock != null)
    return level > 1
      ? {}
      : { ...(fromClock != null && { from: fromClock }), ...(toClock != null && { to: toClock }) };
  if (fromAgoS == null) return toAgoS == null ? {} : { to: toAgoS / wider };
  if (toAgoS == null) return { from: fromAgoS * wider };
  const [from, to] = [Math.max(fromAgoS, toAgoS), Math.min(fromAgoS, toAgoS)];
  const more = ((from - to) * (wider - 1)) / 2;
  return { from: from + more, to: Math.max(0, to - more) };
}
