import { createRoute, z } from "@hono/zod-openapi";
import {
  correctionSchema,
  correctionsQuerySchema,
  correctRequestSchema,
  idSchema,
  nameRequestSchema,
} from "../../../schema/index.ts";
import type { App, ServerContext } from "../context.ts";
import { jsonBody, jsonReply, NOT_FOUND, PROBLEMS, send } from "../spec.ts";

/** Statements by people about things, rooms and places, and their retraction. */
export function correctionsRoutes(app: App, context: ServerContext): void {
  const middleware = context.require("write");
  const said = { 200: jsonReply(correctionSchema, "What was said"), ...NOT_FOUND, ...PROBLEMS };

  const correct = createRoute({
    method: "post",
    path: "/v1/corrections",
    summary: "“That is a printer”: says what kind of thing or room something is",
    middleware,
    request: { body: jsonBody(correctRequestSchema) },
    responses: said,
  });
  app.openapi(correct, async (c) => send(c, await context.face(c).correct(c.req.valid("json"))));

  const name = createRoute({
    method: "post",
    path: "/v1/names",
    summary: "“This is the charging dock”: gives a thing, a room or a place a name to be asked for by",
    middleware,
    request: { body: jsonBody(nameRequestSchema) },
    responses: said,
  });
  app.openapi(name, async (c) => send(c, await context.face(c).name(c.req.valid("json"))));

  const undo = createRoute({
    method: "post",
    path: "/v1/corrections/{id}/undo",
    summary: "Takes back a correction or a name",
    middleware,
    request: { params: z.object({ id: idSchema }) },
    responses: said,
  });
  app.openapi(undo, async (c) => send(c, await context.face(c).undo(c.req.valid("param").id)));

  const list = createRoute({
    method: "get",
    path: "/v1/corrections",
    summary: "What was said, the latest first; what was undone too",
    middleware: context.require("read"),
    request: {
      query: z.object({
        limit: z.coerce.number().pipe(correctionsQuerySchema.shape.limit.unwrap()).optional(),
      }),
    },
    responses: { 200: jsonReply(z.array(correctionSchema), "Corrections and names"), ...PROBLEMS },
  });
  app.openapi(list, async (c) => send(c, await context.face(c).corrections(c.req.valid("query"))));
}
