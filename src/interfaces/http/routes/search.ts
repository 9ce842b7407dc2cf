import { createRoute, z } from "@hono/zod-openapi";
import { hitSchema, searchQuerySchema } from "../../../schema/index.ts";
import type { App, ServerContext } from "../context.ts";
import { jsonBody, jsonReply, PROBLEMS, send } from "../spec.ts";

/** Search by meaning, place and time at once. */
export function searchRoutes(app: App, context: ServerContext): void {
  const search = createRoute({
    method: "post",
    path: "/v1/search",
    summary: "Search by meaning, place and time at once",
    middleware: context.require("read"),
    request: { body: jsonBody(searchQuerySchema) },
    responses: {
      200: jsonReply(
        z.object({ hits: z.array(hitSchema), plan: z.looseObject({ driver: z.string() }) }),
        "What was found, best first",
      ),
      ...PROBLEMS,
    },
  });
  app.openapi(search, async (c) => send(c, await context.face(c).search(c.req.valid("json"))));
}
