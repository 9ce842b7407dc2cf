import { z } from "zod";
import { type SourceStatus, sourceStatusSchema } from "../compose/sources/request.ts";
import { operation, type Told } from "./operation.ts";
import { runningSources } from "./running-sources.ts";
import { quoted } from "./telling.ts";

export const namedStatusSchema = z.object(sourceStatusSchema.shape).meta({ id: "Source" });

/** Sources that are taken in, with those that have ended; none for an actor that does not hold every label. */
export const sources = operation({
  summary: "Robots and recordings that are taken in, and how they are doing",
  scope: "read",
  isOfHolder: true,
  input: z.strictObject({}),
  output: z.array(namedStatusSchema),
  http: { method: "get", path: "/v1/sources", says: "The sources; none where a label is not held" },
  run: async ({ memory, actor }): Promise<SourceStatus[]> =>
    actor.labels === "*" ? (runningSources(memory)?.list() ?? []) : [],
  tell: (all) => ({
    summary: all.length === 0 ? "Nothing is being taken in." : all.map(lineOf).join("\n"),
    data: { sources: all },
  }),
});

export function tellSource(status: SourceStatus): Told {
  return { summary: lineOf(status), data: { source: status } };
}

function lineOf({ id, state, frames, latencyMs, dropped, waits, problem }: SourceStatus): string {
  const lost = Object.values(dropped).reduce((sum, count) => sum + count, 0);
  const late = latencyMs === null ? "" : `, ${latencyMs.median} ms to the answer`;
  const why = waits ?? problem?.message;
  return `[${id}] ${state}: ${frames.taken} of ${frames.came} frames, ${lost} dropped${late}${why === undefined ? "" : `: ${quoted(why)}`}`;
}
