import { createMcpHandler, type McpHttpHandler } from "@modelcontextprotocol/server";
import { sourceStates } from "../../compose.ts";
import type { App, RequestContext, ServerContext } from "../http/context.ts";
import { isLong, longJson } from "../http/long-bodies.ts";
import { makeMcpServer, TOOLS } from "./server.ts";
import { explorationTools } from "./tools/explore.ts";
import { sourceTools } from "./tools/sources.ts";

/** Bytes of one request; a fact is far smaller. */
const MAX_REQUEST_BYTES = 1_048_576;
const MAX_SUBSCRIPTIONS = 64;

/**
 * `/mcp` on the app: both eras of the protocol, a server made for each request, with the rights of the token's holder.
 * Host, Origin and tokens were checked before.
 */
export function mcpRoutes(app: App, context: ServerContext, tools = TOOLS): void {
  const handler: McpHttpHandler = createMcpHandler(
    ({ authInfo }) => {
      // The one field that both eras pass on unchanged.
      const c = authInfo?.extra?.["request"] as RequestContext;
      const { scopes, actor } = c.get("caller");
      const { explores } = context;
      const offered = [
        ...tools,
        ...(explores ? explorationTools(explores, actor) : []),
        ...sourceTools(sourceStates(context.memory).length > 0),
      ];
      return makeMcpServer({
        face: context.face(c),
        tools: offered,
        owner: actor.grant ?? actor.id,
        may: (scope) => scopes.includes(scope) || scopes.includes("admin"),
      });
    },
    {
      maxRequestBodySize: MAX_REQUEST_BYTES,
      maxSubscriptions: MAX_SUBSCRIPTIONS,
      onerror: (error) => context.log.warn({ err: error }, "mcp"),
    },
  );
  context.shutdown.addEventListener("abort", () => void handler.close(), { once: true });
  app.all("/mcp", async (c) => {
    const { actor, scopes } = c.get("caller");
    // Longer ones the handler refuses unread.
    const isRead = isLong(c) && Number(c.req.header("content-length")) <= MAX_REQUEST_BYTES;
    const parsedBody = isRead ? await longJson(c, context.limits) : undefined;
    return handler.fetch(c.req.raw, {
      ...(isRead && { parsedBody }),
      authInfo: { token: "", clientId: actor.grant ?? actor.id, scopes: [...scopes], extra: { request: c } },
    });
  });
}
