import { createRoute, z } from "@hono/zod-openapi";
import {
  coverageQuerySchema,
  coverageSchema,
  diffQuerySchema,
  diffSchema,
  lifeQuerySchema,
  lifeSchema,
  thingRefSchema,
  timelineQuerySchema,
  timelineSchema,
} from "../../../schema/index.ts";
import type { App, ServerContext } from "../context.ts";
import { jsonBody, jsonReply, NOT_FOUND, PROBLEMS, send } from "../spec.ts";

/** The life of a thing, what happened when, what differs between two times, and what was looked at. */
export function lifeRoutes(app: App, context: ServerContext): void {
  const middleware = context.require("read");

  const life = createRoute({
    method: "get",
    path: "/v1/life/{thing}",
    summary: "The life of a thing by its id or by words: stays, who saw it, what happened to it, pictures",
    middleware,
    request: {
      params: z.object({ thing: thingRefSchema }),
      query: z.strictObject({
        ...lifeQuerySchema.shape,
        pictures: z.coerce.number().pipe(lifeQuerySchema.shape.pictures.unwrap()).optional(),
      }),
    },
    responses: { 200: jsonReply(lifeSchema, "Its life"), ...NOT_FOUND, ...PROBLEMS },
  });
  app.openapi(life, async (c) => {
    const call = { signal: context.signalOf(c) };
    return send(c, await context.face(c).life(c.req.valid("param").thing, c.req.valid("query"), call));
  });

  const timeline = createRoute({
    method: "post",
    path: "/v1/timeline",
    summary: "Events counted over a span in equal steps, with how often somebody looked",
    middleware,
    request: { body: jsonBody(timelineQuerySchema) },
    responses: { 200: jsonReply(timelineSchema, "Counts, and the latest events"), ...PROBLEMS },
  });
  app.openapi(timeline, async (c) =>
    send(c, await context.face(c).timeline(c.req.valid("json"), { signal: context.signalOf(c) })),
  );

  const diff = createRoute({
    method: "post",
    path: "/v1/diff",
    summary: "What differs between two times: appeared, found, gone, moved, changed",
    middleware,
    request: { body: jsonBody(diffQuerySchema) },
    responses: { 200: jsonReply(diffSchema, "What differs"), ...PROBLEMS },
  });
  app.openapi(diff, async (c) =>
    send(c, await context.face(c).diff(c.req.valid("json"), { signal: context.signalOf(c) })),
  );

  const coverage = createRoute({
    method: "post",
    path: "/v1/coverage",
    summary: "What of the ground was looked at, room by room, and when last",
    middleware,
    request: { body: jsonBody(coverageQuerySchema) },
    responses: { 200: jsonReply(coverageSchema, "Floors and rooms"), ...PROBLEMS },
  });
  app.openapi(coverage, async (c) =>
    send(c, await context.face(c).coverage(c.req.valid("json"), { signal: context.signalOf(c) })),
  );
}
