import { createRoute, z } from "@hono/zod-openapi";
import { listRuns, openRun } from "../../../compose.ts";
import { LociError, POLICIES, RUN_ENDS, timeUsSchema } from "../../../schema/index.ts";
import type { App, RequestContext, ServerContext } from "../context.ts";
import { jsonReply, NOT_FOUND, PROBLEMS, send } from "../spec.ts";

const summarySchema = z.object({
  id: z.string(),
  question: z.string(),
  task: z.enum(["answer", "navigate"]),
  policy: z.enum(POLICIES),
  startedUs: timeUsSchema,
  /** Null if it was interrupted, or is still running. */
  end: z.enum(RUN_ENDS).nullable(),
  why: z.string().nullable(),
  steps: z.int().nullable(),
});
const runSchema = z.object({
  /** As they were recorded: `run`, then `map` and `step` in turn, at last `end`. */
  lines: z.array(z.looseObject({ kind: z.enum(["run", "map", "step", "end"]) })),
});

/**
 * Recorded explorations beside the memory, for replays. A run reveals everything that its robot knew, so it exists only
 * for callers that hold every label.
 */
export function runRoutes(app: App, context: ServerContext): void {
  const middleware = context.require("read");
  const { folder } = context.memory;
  const seesAll = (c: RequestContext) => c.get("caller").actor.labels === "*";

  const list = createRoute({
    method: "get",
    path: "/v1/runs",
    summary: "Explorations that were recorded, the latest first",
    middleware,
    responses: { 200: jsonReply(z.object({ runs: z.array(summarySchema) }), "The runs"), ...PROBLEMS },
  });
  app.openapi(list, async (c) => send(c, { runs: seesAll(c) ? await listRuns(folder) : [] }));

  const one = createRoute({
    method: "get",
    path: "/v1/runs/{id}",
    summary: "One of them whole: the floor as it was known, frontiers, decisions, memories, step by step",
    middleware,
    request: { params: z.object({ id: z.string().max(256) }) },
    responses: { 200: jsonReply(runSchema, "The run"), ...NOT_FOUND, ...PROBLEMS },
  });
  app.openapi(one, async (c) => {
    const { id } = c.req.valid("param");
    if (!seesAll(c)) throw new LociError("unknown-id", `no run "${id}" was recorded`);
    return send(c, { lines: await openRun(folder, id) });
  });
}
