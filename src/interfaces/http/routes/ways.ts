import { createRoute } from "@hono/zod-openapi";
import { goalQuerySchema, goalSchema, routeQuerySchema, routeSchema } from "../../../schema/index.ts";
import type { App, ServerContext } from "../context.ts";
import { jsonBody, jsonReply, NOT_FOUND, PROBLEMS, send } from "../spec.ts";

/** How to get somewhere: a line to follow, and where to stand. */
export function wayRoutes(app: App, context: ServerContext): void {
  const middleware = context.require("read");

  const route = createRoute({
    method: "post",
    path: "/v1/route",
    summary: "The way to a point, a record or what words mean, as a line with rooms and doors",
    middleware,
    request: { body: jsonBody(routeQuerySchema) },
    responses: { 200: jsonReply(routeSchema, "The way"), ...NOT_FOUND, ...PROBLEMS },
  });
  app.openapi(route, async (c) =>
    send(c, await context.face(c).route(c.req.valid("json"), { signal: context.signalOf(c) })),
  );

  const goal = createRoute({
    method: "post",
    path: "/v1/goal",
    summary: "Where a robot has to stand to see a thing, or in a room",
    middleware,
    request: { body: jsonBody(goalQuerySchema) },
    responses: { 200: jsonReply(goalSchema, "The goal"), ...NOT_FOUND, ...PROBLEMS },
  });
  app.openapi(goal, async (c) =>
    send(c, await context.face(c).goal(c.req.valid("json"), { signal: context.signalOf(c) })),
  );
}
