import { createRoute, z } from "@hono/zod-openapi";
import { blobRefSchema, idSchema, LociError } from "../../../schema/index.ts";
import { blobResponse } from "../blob-response.ts";
import type { App, RequestContext, ServerContext } from "../context.ts";
import { NOT_FOUND, PROBLEMS } from "../spec.ts";

const byId = z.object({ id: idSchema });
const bytes = {
  description: "The bytes, or the asked part of them",
  content: { "*/*": { schema: z.any() } },
};

/** Pictures and other blobs, whole or in parts. */
export function pictureRoutes(app: App, context: ServerContext): void {
  const middleware = context.require("read");

  const blob = createRoute({
    method: "get",
    path: "/v1/blobs/{ref}",
    summary: "A picture or other blob by its sha-256; takes ranges",
    middleware,
    request: { params: z.object({ ref: blobRefSchema }) },
    responses: { 200: bytes, 206: bytes, ...NOT_FOUND, ...PROBLEMS },
  });
  app.openapi(blob, async (c) => blobOf(c, c.req.valid("param").ref));

  const picture = createRoute({
    method: "get",
    path: "/v1/views/{id}/picture",
    summary: "The picture of a view; takes ranges",
    middleware,
    request: { params: byId, query: z.object({ overlay: z.enum(["true", "false"]).optional() }) },
    responses: { 200: bytes, 206: bytes, ...NOT_FOUND, ...PROBLEMS },
  });
  app.openapi(picture, async (c) => {
    const view = found(await context.face(c).record(c.req.valid("param").id));
    const wanted = c.req.valid("query").overlay === "true" ? "overlay" : "thumb";
    return blobOf(c, found(view.kind === "view" ? view[wanted] : undefined));
  });

  const blobOf = async (c: RequestContext, ref: string) =>
    blobResponse(c.req.raw.headers, ref, found(await context.face(c).blob(ref)));
}

/** Missing and hidden records get the same answer, in the same words. */
function found<T>(value: T | undefined): T {
  if (value === undefined) throw new LociError("unknown-id", "there is nothing here by this name");
  return value;
}
