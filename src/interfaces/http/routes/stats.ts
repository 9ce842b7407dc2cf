import { createRoute, z } from "@hono/zod-openapi";
import type { App, ServerContext } from "../context.ts";
import { jsonReply, PROBLEMS, send } from "../spec.ts";

/** Counts of what the caller can see. */
export function statsRoutes(app: App, context: ServerContext): void {
  const stats = createRoute({
    method: "get",
    path: "/v1/stats",
    summary: "Counts of what the caller can see",
    middleware: context.require("read"),
    responses: {
      200: jsonReply(z.looseObject({ records: z.record(z.string(), z.int()) }), "Counts and times"),
      ...PROBLEMS,
    },
  });
  app.openapi(stats, async (c) => send(c, await context.face(c).stats()));
}
