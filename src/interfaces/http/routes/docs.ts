import { readFileSync } from "node:fs";
import type { App, ServerContext } from "../context.ts";

const FOLDER = new URL("../docs/", import.meta.url);
const INFO = {
  openapi: "3.1.0",
  info: {
    title: "Loci",
    version: "1",
    description:
      "A 4D memory for embodied agents: what was seen, where and when. Times are microseconds since the epoch or ISO 8601, lengths metres, angles radians. Errors are problem+json (RFC 9457) with a stable code.",
  },
  security: [{ token: [] }],
};

/**
 * The description of every route, and a page that shows it; both reveal nothing of the memory and contact no other
 * server.
 */
export function docsRoutes(app: App, _: ServerContext): void {
  app.openAPIRegistry.registerComponent("securitySchemes", "token", { type: "http", scheme: "bearer" });
  let description: string | undefined;
  app.get("/v1/openapi.json", (c) => {
    // Made once, when every route has been added.
    description ??= JSON.stringify(app.getOpenAPI31Document(INFO));
    return c.body(description, 200, { "content-type": "application/json" });
  });
  const file = (path: string, name: string, type: string) =>
    app.get(path, (c) =>
      c.body(readFileSync(new URL(name, FOLDER), "utf8"), 200, {
        "content-type": `${type}; charset=utf-8`,
        "content-security-policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'",
      }),
    );
  file("/docs", "page.html", "text/html");
  file("/docs/page.js", "page.js", "text/javascript");
  file("/docs/page.css", "page.css", "text/css");
}
