import { createRoute, z } from "@hono/zod-openapi";
import {
  feedSceneSchema,
  groundListSchema,
  LociError,
  mapChunkQuerySchema,
  parseOrThrow,
  sceneQuerySchema,
  statesQuerySchema,
  waysQuerySchema,
} from "../../../schema/index.ts";
import type { App, RequestContext, ServerContext } from "../context.ts";

/** Query strings carry numbers as text. */
const level = z.coerce.number().pipe(mapChunkQuerySchema.shape.level.unwrap()).optional();
const limit = z.coerce.number().pipe(statesQuerySchema.shape.limit.unwrap()).optional();
const stepM = z.coerce.number().pipe(waysQuerySchema.shape.stepM.unwrap()).optional();
const versions = z
  .enum(["true", "false"])
  .transform((said) => said === "true")
  .optional();
const moment = z
  .string()
  .transform((said) => (/^-?\d+$/.test(said) ? Number(said) : said))
  .pipe(waysQuerySchema.shape.from.unwrap())
  .optional();

/** A block of columns: see docs/feed.md. */
const block = {
  description: "A block of columns (docs/feed.md)",
  content: { "application/vnd.loci.block": { schema: z.string().meta({ format: "binary" }) } },
};
const unchanged = { description: "It is still what If-None-Match names" };
const params = z.object({ id: z.string().max(160) });

/** The data for a 4D viewer. */
export function feedRoutes(app: App, context: ServerContext): void {
  const read = { method: "get", middleware: context.require("read") } as const;

  const scene = createRoute({
    ...read,
    path: "/v1/feed",
    summary: "Rooms, span, revision and the chunks of the map",
    request: { query: sceneQuerySchema },
    responses: {
      200: { description: "What there is", content: { "application/json": { schema: feedSceneSchema } } },
      304: unchanged,
    },
  });
  app.openapi(scene, async (c) => {
    const found = await context.face(c).scene(c.req.valid("query"), { signal: context.signalOf(c) });
    return tagged(c, { etag: await digestOf(found), body: JSON.stringify(found), type: "application/json" });
  });

  const chunk = createRoute({
    ...read,
    path: "/v1/feed/map/{id}",
    summary: "One chunk of the map: coloured surface points",
    request: { params, query: z.strictObject({ ...mapChunkQuerySchema.shape, level }) },
    responses: { 200: block, 304: unchanged },
  });
  app.openapi(chunk, async (c) => {
    const call = { signal: context.signalOf(c) };
    const found = await context.face(c).mapChunk(c.req.valid("param").id, c.req.valid("query"), call);
    return tagged(c, blockOf(found));
  });

  const grounds = createRoute({
    ...read,
    path: "/v1/feed/ground",
    summary: "The storeys of the maps",
    request: { query: sceneQuerySchema },
    responses: {
      200: { description: "Lowest first", content: { "application/json": { schema: groundListSchema } } },
    },
  });
  app.openapi(grounds, async (c) => c.json(await context.face(c).grounds(c.req.valid("query")), 200));

  const ground = createRoute({
    ...read,
    path: "/v1/feed/ground/{id}",
    summary: "One storey from above: seen and unseen ground, walls, when it was last looked at",
    request: { params, query: sceneQuerySchema },
    responses: { 200: block, 304: unchanged },
  });
  app.openapi(ground, async (c) =>
    tagged(c, blockOf(await context.face(c).ground(c.req.valid("param").id, c.req.valid("query")))),
  );

  const states = createRoute({
    ...read,
    path: "/v1/feed/states",
    summary: "The states of things as columns: a page of all, or what changed since a revision",
    request: { query: z.strictObject({ ...statesQuerySchema.shape, versions, limit }) },
    responses: { 200: block },
  });
  app.openapi(states, async (c) => {
    const bytes = await context
      .face(c)
      .stateColumns(parseOrThrow(statesQuerySchema, c.req.valid("query"), "query"), {
        signal: context.signalOf(c),
      });
    return binary(bytes);
  });

  const ways = createRoute({
    ...read,
    path: "/v1/feed/ways",
    summary: "Where agents and people went, with the agents' cameras, as columns",
    request: { query: z.strictObject({ ...waysQuerySchema.shape, from: moment, to: moment, stepM }) },
    responses: { 200: block },
  });
  app.openapi(ways, async (c) =>
    binary(await context.face(c).wayColumns(c.req.valid("query"), { signal: context.signalOf(c) })),
  );
}

interface Body {
  readonly etag: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly type: string;
}

function blockOf(found: { etag: string; bytes: Uint8Array<ArrayBuffer> } | undefined): Body {
  if (found === undefined) throw new LociError("unknown-id", "there is nothing here by this name");
  return { etag: found.etag, body: found.bytes, type: "application/vnd.loci.block" };
}

/** Sent again only when changed; a client with a copy asks each time, since it may be hidden from it by now. */
function tagged(c: RequestContext, { etag, body, type }: Body): Response {
  const headers = { etag: `"${etag}"`, "cache-control": "private, no-cache", vary: "authorization" };
  const held = c.req.header("if-none-match")?.split(/\s*,\s*/) ?? [];
  if (held.some((one) => one.replace(/^W\//, "") === headers.etag))
    return new Response(null, { status: 304, headers });
  return new Response(body, { headers: { ...headers, "content-type": type } });
}

function binary(bytes: Uint8Array<ArrayBuffer>): Response {
  return new Response(bytes, { headers: { "content-type": "application/vnd.loci.block" } });
}

async function digestOf(value: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Buffer.from(digest).toString("hex").slice(0, 24);
}
