import { isIP } from "node:net";
import type { HonoRequest, MiddlewareHandler } from "hono";
import type { Logger } from "pino";
import { METADATA_PATH } from "../mcp/metadata.ts";
import type { Access, Caller } from "./access.ts";
import type { Env } from "./context.ts";
import { problem, problemResponse } from "./problem.ts";

export interface AdmissionOptions {
  readonly log: Logger;
  readonly access: Access;
  /** Names by which this server may be called beside localhost and plain addresses. */
  readonly hosts: readonly string[];
  /** Pages that may call it from a browser beside its own. */
  readonly origins: readonly string[];
  /** Every request needs a token, on loopback too. */
  readonly isPrivate?: boolean;
}

/** How often the file of tokens is looked at. */
const REFRESH_MS = 1_000;

/**
 * Checks the Host and Origin of a request. A web page can make a browser call us under a name that it points here (DNS
 * rebinding): hence only plain addresses, localhost and configured names. A page of another origin is refused, also
 * where it only shows a picture of ours or runs a file, for which browsers send no Origin.
 */
export function calledRightly({ hosts, origins }: AdmissionOptions): MiddlewareHandler<Env> {
  return async (c, next) => {
    const host = hostOf(c.req.header("host"));
    if (host === undefined || !(host === "localhost" || isIP(host) > 0 || hosts.includes(host)))
      return refuse(403, "this server does not answer to that name (Host)");
    const origin = c.req.header("origin");
    const own = `http://${c.req.header("host")}`;
    if (origin === undefined && isForAnotherPage(c.req))
      return refuse(403, "pages of other sites may not use what this server tells (Sec-Fetch-Site)");
    if (origin === undefined || origin === own) return next();
    if (!origins.includes(origin))
      return refuse(403, "pages of that origin may not call this server (Origin)");
    // A browser's preflight request.
    if (c.req.method === "OPTIONS") return c.body(null, 204, allowed(origin));
    await next();
    for (const [name, value] of Object.entries(allowed(origin))) c.res.headers.set(name, value);
  };
}

/**
 * Whether a browser sends this request for a page of another site or port, by its Fetch Metadata headers. Following a
 * link to the viewer or the docs does not count. Clients that are not browsers send no such headers.
 */
function isForAnotherPage(request: HonoRequest): boolean {
  const site = request.header("sec-fetch-site");
  if (site === undefined || site === "same-origin" || site === "none") return false;
  const isLink =
    request.header("sec-fetch-mode") === "navigate" && request.header("sec-fetch-dest") === "document";
  return !(isLink && request.method === "GET" && !request.path.startsWith("/v1/"));
}

function allowed(origin: string): Record<string, string> {
  return {
    "cross-origin-resource-policy": "cross-origin",
    "access-control-allow-origin": origin,
    "access-control-allow-methods": "GET, POST, PUT, DELETE",
    "access-control-allow-headers": "authorization, content-type, idempotency-key, last-event-id, range",
    vary: "origin",
  };
}

/** Identifies the caller by its token; on loopback, where there never were tokens, it is the owner. */
export function identified({ access, log, isPrivate = false }: AdmissionOptions): MiddlewareHandler<Env> {
  let lookedAt = 0;
  return async (c, next) => {
    const now = performance.now();
    if (now - lookedAt > REFRESH_MS) {
      try {
        access.refresh();
        lookedAt = now;
      } catch (error) {
        log.error({ err: error }, "the file of tokens cannot be read: nobody is let in");
        return refuse(403, "nobody is let in at the moment");
      }
    }
    const { remoteAddress } = c.env.incoming.socket;
    const isLocal = !isPrivate && isLoopback(hostOf(c.req.header("host")), remoteAddress);
    const caller = callerOf(c.req.header("authorization"), access, isLocal);
    if (caller === undefined) {
      return refuse(401, "this needs a token: Authorization: Bearer loci_…", {
        "www-authenticate": challengeOf(c.req.url),
      });
    }
    c.set("caller", caller);
    await next();
  };
}

function callerOf(given: string | undefined, access: Access, loopback: boolean): Caller | undefined {
  if (given === undefined) return loopback ? access.owner : undefined;
  const [, token] = /^Bearer ([\w-]{1,256})$/i.exec(given) ?? [];
  return token === undefined ? undefined : access.admit(token);
}

function refuse(status: 401 | 403, detail: string, headers: Readonly<Record<string, string>> = {}): Response {
  return problemResponse(problem(status, "access-denied", detail), headers);
}

/** Tells MCP clients where the use of tokens is described (RFC 9728). */
function challengeOf(url: string): string {
  const { origin, pathname } = new URL(url);
  const about = pathname === "/mcp" ? `, resource_metadata="${origin}${METADATA_PATH}/mcp"` : "";
  return `Bearer realm="loci"${about}`;
}

/** The name in a Host header, without its port and brackets. */
function hostOf(header: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::\d{1,5})?$/i.exec(header ?? "");
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

function isLoopback(host: string | undefined, remote: string | undefined): boolean {
  const own = (address: string) => address === "::1" || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);
  if (host === undefined || remote === undefined) return false;
  return (host === "localhost" || own(host)) && own(remote);
}
