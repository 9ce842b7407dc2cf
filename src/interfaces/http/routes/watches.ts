import { createRoute, z } from "@hono/zod-openapi";
import {
  idSchema,
  LociError,
  type WatchRequest,
  watchEventSchema,
  watchRequestSchema,
  watchSchema,
} from "../../../schema/index.ts";
import type { App, ServerContext } from "../context.ts";
import { jsonBody, jsonReply, NOT_FOUND, PROBLEMS, send } from "../spec.ts";
import { sse } from "../sse.ts";

const byId = z.object({ id: idSchema });

/**
 * An expression contains expressions, and a schema cannot describe that without a name for it; the memory checks the
 * whole.
 */
const bodySchema = z.strictObject({
  ...watchRequestSchema.shape,
  expression: z.union([z.string(), z.looseObject({ op: z.string() })]).optional(),
});

/** Standing queries: created, listed, ended, and streamed. A reader may watch what it may read. */
export function watchesRoutes(app: App, context: ServerContext): void {
  const middleware = context.require("read");
  const watch = createRoute({
    method: "post",
    path: "/v1/watches",
    summary: "Be told when something comes to be so: a question or an expression, and when to tell",
    middleware: [middleware, context.once],
    request: { body: jsonBody(bodySchema) },
    responses: {
      200: jsonReply(
        watchSchema.extend({ secret: z.string().optional() }),
        "The watch; the secret that signs its webhook is told only now",
      ),
      ...PROBLEMS,
    },
  });
  app.openapi(watch, async (c) => {
    const call = { signal: context.signalOf(c) };
    return send(c, await context.face(c).watch(c.req.valid("json") as WatchRequest, call));
  });

  const list = createRoute({
    method: "get",
    path: "/v1/watches",
    summary: "One's standing queries",
    middleware,
    responses: { 200: jsonReply(z.array(watchSchema), "The watches"), ...PROBLEMS },
  });
  app.openapi(list, async (c) => send(c, await context.face(c).watches()));

  const end = createRoute({
    method: "delete",
    path: "/v1/watches/{id}",
    summary: "End a standing query",
    middleware,
    request: { params: byId },
    responses: { 200: jsonReply(watchSchema, "What it was"), ...NOT_FOUND, ...PROBLEMS },
  });
  app.openapi(end, async (c) => send(c, await context.face(c).unwatch(c.req.valid("param").id)));

  const events = createRoute({
    method: "get",
    path: "/v1/watches/{id}/events",
    summary: "The events of a standing query as they happen; Last-Event-ID resumes",
    middleware,
    request: { params: byId, query: z.object({ after: z.coerce.number().int().min(0).optional() }) },
    responses: {
      200: {
        description: "Server-sent events “watch”; the id of each is its number",
        content: { "text/event-stream": { schema: watchEventSchema } },
      },
      ...NOT_FOUND,
      ...PROBLEMS,
    },
  });
  app.openapi(events, async (c) => {
    const { id } = c.req.valid("param");
    const face = context.face(c);
    if (!(await face.watches()).some((one) => one.id === id))
      throw new LociError("unknown-id", `there is no watch "${id}"`);
    return sse(c, context, async function* (last, signal) {
      const after = last === undefined ? c.req.valid("query").after : Number(last);
      const known = after === undefined || !Number.isSafeInteger(after) ? {} : { after };
      for await (const event of face.watchEvents(id, known, { signal }))
        yield { id: event.number, event: "watch", data: JSON.stringify(event) };
    });
  });
}
