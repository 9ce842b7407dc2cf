import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { App } from "../context.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The page connects to this server alone, and no site may frame it. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * The viewer's files, which reveal nothing of the memory: they are public, and the page then asks for a token. Without
 * a folder the server has no viewer.
 */
export function viewerRoutes(app: App, folder: string | undefined): void {
  if (folder === undefined || !existsSync(join(folder, "index.html"))) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(folder.length).replaceAll("\\", "/").replace(/^\/?/, "/");
    const bytes = readFileSync(file);
    const packed = gzipSync(bytes);
    // Names of assets change with their content.
    const cache = path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    const headers = { "content-type": type, "cache-control": cache, "content-security-policy": POLICY };
    app.get(path === "/index.html" ? "/" : path, (c) => {
      const isPacked = /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
      return isPacked
        ? c.body(packed, 200, { ...headers, "content-encoding": "gzip", vary: "accept-encoding" })
        : c.body(bytes, 200, { ...headers, vary: "accept-encoding" });
    });
  }
}
