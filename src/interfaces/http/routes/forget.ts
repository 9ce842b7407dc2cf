import { createRoute, z } from "@hono/zod-openapi";
import { auditEntrySchema, forgetSchema, idSchema } from "../../../schema/index.ts";
import type { App, ServerContext } from "../context.ts";
import { jsonBody, jsonReply, NOT_FOUND, PROBLEMS, send } from "../spec.ts";

const reportSchema = z.looseObject({
  forgotten: z.array(z.object({ id: idSchema, kind: z.string(), versions: z.int() })),
  /** Whether no file can contain any of it any more. */
  wiped: z.boolean(),
  /** Deleted lines of what people said, because they refer to it by a name that people gave it. */
  said: z.int(),
});
const idsSchema = forgetSchema.pick({ ids: true });
const saidSchema = z.object({ said: z.array(z.object({ id: idSchema, lines: z.array(z.string()) })) });

/** Permanent deletion, and the record of its author. */
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

  const said = createRoute({
    method: "post",
    path: "/v1/forget/said",
    summary:
      "What people said of records by name, which goes with them when they are forgotten; changes nothing",
    middleware,
    request: { body: jsonBody(idsSchema) },
    responses: { 200: jsonReply(saidSchema, "Notes, and the lines that would go"), ...PROBLEMS },
  });
  app.openapi(said, async (c) =>
    send(c, { said: await context.face(c).saidByName(c.req.valid("json").ids) }),
  );

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
