import { createRoute, z } from "@hono/zod-openapi";
import type { App, ServerContext } from "../context.ts";

const health = createRoute({
  method: "get",
  path: "/health",
  summary: "Whether the server takes requests; tells nothing of the memory",
  security: [],
  responses: {
    200: {
      description: "It does",
      content: { "application/json": { schema: z.object({ status: z.literal("ok") }) } },
    },
    503: {
      description: "It is ending",
      content: { "application/json": { schema: z.object({ status: z.literal("ending") }) } },
    },
  },
});

/** Open to all: load balancers hold no tokens. */
export function healthRoutes(app: App, { shutdown }: ServerContext): void {
  app.openapi(health, (c) =>
    shutdown.aborted ? c.json({ status: "ending" as const }, 503) : c.json({ status: "ok" as const }, 200),
  );
}
