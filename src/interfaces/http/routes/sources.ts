import { createRoute, z } from "@hono/zod-openapi";
import { sourceRequestSchema, sourceStatusSchema } from "../../../compose.ts";
import { idSchema, retainSchema } from "../../../schema/index.ts";
import type { App, ServerContext } from "../context.ts";
import { jsonBody, jsonReply, NOT_FOUND, PROBLEMS, send } from "../spec.ts";

const retainedSchema = z.object({
  bytesBefore: z.int(),
  bytesAfter: z.int(),
  isWithinBudget: z.boolean(),
  merged: z.int(),
  forgotten: z.int(),
  rounds: z.int(),
});

/**
 * Robots and recordings that the server takes in by itself, and the upkeep of the memory meanwhile. Starting one makes the
 * server connect or read files, so it is for admins.
 */
export function sourceRoutes(app: App, context: ServerContext): void {
  const status = z.object(sourceStatusSchema.shape).openapi("Source");

  const list = createRoute({
    method: "get",
    path: "/v1/sources",
    summary: "Robots and recordings that are taken in, and how they are doing",
    middleware: context.require("read"),
    responses: {
      200: jsonReply(z.array(status), "The sources; none where a label is not held"),
      ...PROBLEMS,
    },
  });
  app.openapi(list, async (c) => send(c, await context.face(c).sources()));

  const start = createRoute({
    method: "post",
    path: "/v1/sources",
    summary: "Begin to take a robot or a recording in; the same again changes nothing",
    middleware: context.require("admin"),
    request: { body: jsonBody(sourceRequestSchema) },
    responses: { 200: jsonReply(status, "It has begun"), ...PROBLEMS },
  });
  app.openapi(start, async (c) => send(c, await context.face(c).startSource(c.req.valid("json"))));

  const stop = createRoute({
    method: "delete",
    path: "/v1/sources/{id}",
    summary: "Stop a source, after the frame that it is at",
    middleware: context.require("admin"),
    request: { params: z.object({ id: idSchema }) },
    responses: { 200: jsonReply(status, "How it ended"), ...NOT_FOUND, ...PROBLEMS },
  });
  app.openapi(stop, async (c) => send(c, await context.face(c).stopSource(c.req.valid("param").id)));

  const retain = createRoute({
    method: "post",
    path: "/v1/retain",
    summary:
      "Give up the least valuable records until the memory is within limits; reading and taking in go on",
    middleware: context.require("admin"),
    request: { body: jsonBody(retainSchema) },
    responses: { 200: jsonReply(retainedSchema, "What went"), ...PROBLEMS },
  });
  app.openapi(retain, async (c) => send(c, await context.face(c).retain(c.req.valid("json"))));
}
