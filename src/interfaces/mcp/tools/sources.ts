import { z } from "zod";
import type { SourceStatus } from "../../../compose.ts";
import { quoted } from "../../../operations/world-text.ts";
import { PROFILE_NAMES, WHEN_BEHIND } from "../../../schema/constants.ts";
import { plainResult } from "../answer.ts";
import { id, type Tool, tool, words } from "../tool.ts";

/** Characters of an address, and pictures a second. */
const SOURCE_CHARS = 1_024;
const MOST_HZ = 60;

/** Robots and recordings that the memory takes in by itself. */
const sources = tool({
  name: "sources",
  description: "Robots and recordings that are being taken in: state, frames, delay from picture to answer.",
  does: "read",
  input: z.strictObject({}),
  async run(_, { face }) {
    const all = await face.sources();
    const lines = all.map(lineOf);
    return plainResult(lines.length === 0 ? "Nothing is being taken in." : lines.join("\n"), {
      sources: all,
    });
  },
});

const startSource = tool({
  name: "start_source",
  description: "Begin to take a robot or a recording in. The same again changes nothing.",
  does: "write",
  needs: ["admin"],
  input: z.strictObject({
    source: words(SOURCE_CHARS).describe("foxglove://HOST:PORT, rosbridge://HOST:PORT, or a file there"),
    agent: id.optional(),
    scene: id.optional(),
    rateHz: z.number().positive().max(MOST_HZ).optional(),
    whenBehind: z.enum(WHEN_BEHIND).optional(),
    profile: z.enum(PROFILE_NAMES).optional(),
  }),
  async run({ agent, rateHz, ...request }, { face }) {
    const read = {
      ...(agent !== undefined && { agentId: agent }),
      ...(rateHz !== undefined && { rateHz }),
    };
    const hasRead = Object.keys(read).length > 0;
    const status = await face.startSource({ ...request, ...(hasRead && { read }) });
    return plainResult(lineOf(status), { source: status });
  },
});

const stopSource = tool({
  name: "stop_source",
  description: "Stop taking a source in; what was taken in stays.",
  does: "write",
  needs: ["admin"],
  input: z.strictObject({ id: id.describe("as sources gives it") }),
  async run({ id: wanted }, { face }) {
    const status = await face.stopSource(wanted);
    return plainResult(lineOf(status), { source: status });
  },
});

/** Where nothing was taken in yet only the first can be begun: every tool costs an agent attention. */
export function sourceTools(hasSources: boolean): readonly Tool[] {
  return hasSources ? [sources, startSource, stopSource] : [startSource];
}

function lineOf({
  id: name,
  state,
  frames,
  latencyMs,
  dropped,
  waits,
  problem,
  later,
}: SourceStatus): string {
  const lost = Object.values(dropped).reduce((sum, count) => sum + count, 0);
  const late = latencyMs === null ? "" : `, ${latencyMs.median} ms to the answer`;
  const again = later.waiting > 0 ? `, ${later.waiting} to be looked at again` : "";
  const why = waits ?? problem?.message;
  return `[${name}] ${state}: ${frames.taken} of ${frames.came} frames, ${lost} dropped${late}${again}${why === undefined ? "" : `: ${quoted(why)}`}`;
}
