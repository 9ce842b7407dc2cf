import { createRoute, z } from "@hono/zod-openapi";
import { auditEntrySchema, forgetSchema, idSchema } from "../../../schema/index.ts";
import type { App, ServerContext } from "../context.ts";
import { jsonBody, jsonReply, NOT_FOUND, PROBLEMS, send } from "../spec.ts";

const reportSchema = z.looseObject({
  forgotten: z.array(z.object({ id: idSchema, kind: z.string(), versions: z.int() })),
  /** Whether nothing of it can be in any file any more. */
  wiped: z.boolean(),
});

/** Deletion for good, and the record of who did it. */
export function forgetRoutes(app: App, context: ServerContext): void {
  const middleware = context.require("admin");

  const forget = createRoute({
    method: "post",
    path: "/v1/forget",
    summary: "Forget records with all that was derived from them, for good",
    middleware,
    request: { body: jsonBody(forgetSchema) },
    responses: { 200: jsonReply(reportSchema, "What went"), ...NOT_FOUND, ...PROBLEMS },
  });
  app.openapi(forget, async (c) => send(c, await context.face(c).forget(c.req.valid("json"))));

  const audit = createRoute({
    method: "get",
    path: "/v1/audit",
    summary: "Who forgot or corrected what, newest first",
    middleware,
    request: { query: z.object({ limit: z.coerce.number().int().min(1).max(10_000).default(100) }) },
    responses: { 200: jsonReply(z.array(auditEntrySchema), "The latest entries"), ...PROBLEMS },
  });
  app.openapi(audit, async (c) => send(c, await context.face(c).audit(c.req.valid("query"))));
}
