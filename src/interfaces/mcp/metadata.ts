import type { App, RequestContext } from "../http/context.ts";

/** Where clients that were refused learn what this server is and how tokens are given to it (RFC 9728). */
export const METADATA_PATH = "/.well-known/oauth-protected-resource";

/** Open to all: a client without a token reads here what it needs. */
export function metadataRoutes(app: App): void {
  const metadata = (c: RequestContext) =>
    c.json({
      resource: new URL("/mcp", c.req.url).href,
      resource_name: "Loci: a 4D memory",
      scopes_supported: ["read", "write", "admin"],
      bearer_methods_supported: ["header"],
    });
  app.get(METADATA_PATH, metadata);
  app.get(`${METADATA_PATH}/mcp`, metadata);
}
