import { createRoute } from "@hono/zod-openapi";
import { listedSchema, listQuerySchema } from "../../../schema/index.ts";
import type { App, ServerContext } from "../context.ts";
import { jsonBody, jsonReply, PROBLEMS, send } from "../spec.ts";

/** Things, rooms, people, changes or a way as plain rows, by the operators that answer questions. */
export function listingRoutes(app: App, context: ServerContext): void {
  const list = createRoute({
    method: "post",
    path: "/v1/list",
    summary: "Things, rooms, people, changes or a way as plain rows",
    middleware: context.require("read"),
    request: { body: jsonBody(listQuerySchema) },
    responses: { 200: jsonReply(listedSchema, "The rows, and one line about them"), ...PROBLEMS },
  });
  app.openapi(list, async (c) =>
    send(c, await context.face(c).list(c.req.valid("json"), { signal: context.signalOf(c) })),
  );
}
