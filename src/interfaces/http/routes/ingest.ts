import { createRoute } from "@hono/zod-openapi";
import {
  captionsSchema,
  commitSchema,
  detectionsSchema,
  factSchema,
  writeSchema,
} from "../../../schema/index.ts";
import type { App, ServerContext } from "../context.ts";
import { jsonBody, jsonReply, PROBLEMS, send, storedSchema } from "../spec.ts";

/** Writes by robots and people; an answer means that the write is on the disk. */
export function ingestRoutes(app: App, context: ServerContext): void {
  const middleware = context.require("write");
  const kept = { 200: jsonReply(commitSchema, "It is on the disk"), ...PROBLEMS };

  const facts = createRoute({
    method: "post",
    path: "/v1/facts",
    summary: "Remember a fact with a place and a time",
    middleware,
    request: { body: jsonBody(factSchema) },
    responses: { 200: jsonReply(storedSchema, "As it is remembered"), ...PROBLEMS },
  });
  app.openapi(facts, async (c) => {
    const fact = c.req.valid("json");
    const key = fact.key ?? c.req.header("idempotency-key");
    return send(c, await context.face(c).remember({ ...fact, ...(key !== undefined && { key }) }));
  });

  const detections = createRoute({
    method: "post",
    path: "/v1/detections",
    summary: "What a detector saw, lifted to 3D; the same look again changes nothing",
    middleware,
    request: { body: jsonBody(detectionsSchema) },
    responses: kept,
  });
  app.openapi(detections, async (c) => send(c, await context.face(c).ingestDetections(c.req.valid("json"))));

  const captions = createRoute({
    method: "post",
    path: "/v1/captions",
    summary: "Sentences about places and times; the same one again changes nothing",
    middleware,
    request: { body: jsonBody(captionsSchema) },
    responses: kept,
  });
  app.openapi(captions, async (c) => send(c, await context.face(c).ingestCaptions(c.req.valid("json"))));

  const records = createRoute({
    method: "post",
    path: "/v1/records",
    summary: "One atomic write of records, sightings and frames of the map",
    middleware,
    request: { body: jsonBody(writeSchema) },
    responses: kept,
  });
  app.openapi(records, async (c) => send(c, await context.face(c).write(c.req.valid("json"))));
}
