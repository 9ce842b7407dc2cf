import { createRoute, z } from "@hono/zod-openapi";
import type { App, ServerContext } from "../context.ts";

/** Counts of what the caller can see. */
export function statsRoutes(app: App, context: ServerContext): void {
  const stats = createRoute({
    method: "get",
    path: "/v1/stats",
    summary: "Counts of what the caller can see",
    middleware: context.require("read"),
    responses: {
      200: {
        description: "Counts and times",
        content: {
          "application/json": { schema: z.looseObject({ records: z.record(z.string(), z.int()) }) },
        },
      },
    },
  });
  app.openapi(stats, async (c) => c.json({ ...(await context.face(c).stats()) }, 200));
}
