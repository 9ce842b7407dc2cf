import { isIP } from "node:net";
import type { MiddlewareHandler } from "hono";
import type { Access, Caller } from "./access.ts";
import type { Env } from "./context.ts";
import { problem, problemResponse } from "./problem.ts";

export interface AdmissionOptions {
  readonly access: Access;
  /** Names by which this server may be called beside localhost and plain addresses. */
  readonly hosts: readonly string[];
  /** Pages that may call it from a browser beside its own. */
  readonly origins: readonly string[];
  /** Nobody comes in without a token, on loopback neither. */
  readonly isPrivate?: boolean;
}

/** Everything on loopback belongs to whoever owns the machine, as long as there are no tokens. */
const OWNER: Caller = { actor: { id: "owner", labels: "*" }, scopes: ["read", "write", "admin"] };

/** How often the file of tokens is looked at. */
const REFRESH_MS = 1_000;

/**
 * Who may come in. A page on the web can make a browser call us under a name that it points here (DNS rebinding): hence
 * only plain addresses, localhost and names we were told. A page of another origin is refused, asked or not.
 */
export function admission({
  access,
  hosts,
  origins,
  isPrivate = false,
}: AdmissionOptions): MiddlewareHandler<Env> {
  let lookedAt = 0;
  return async (c, next) => {
    const host = hostOf(c.req.header("host"));
    if (host === undefined || !(host === "localhost" || isIP(host) > 0 || hosts.includes(host)))
      return refuse(403, "this server does not answer to that name (Host)");
    const origin = c.req.header("origin");
    if (origin !== undefined && origin !== `http://${c.req.header("host")}` && !origins.includes(origin))
      return refuse(403, "pages of that origin may not call this server (Origin)");
    const now = performance.now();
    if (now - lookedAt > REFRESH_MS) {
      lookedAt = now;
      access.refresh();
    }
    const caller = callerOf(
      c.req.header("authorization"),
      access,
      !isPrivate && isLoopback(host, c.env.incoming.socket.remoteAddress),
    );
    if (caller === undefined) {
      return refuse(401, "this needs a token: Authorization: Bearer loci_…", {
        "www-authenticate": 'Bearer realm="loci"',
      });
    }
    c.set("caller", caller);
    await next();
  };
}

function callerOf(given: string | undefined, access: Access, loopback: boolean): Caller | undefined {
  if (given === undefined) return access.isOpen && loopback ? OWNER : undefined;
  const [, token] = /^Bearer ([\w-]{1,256})$/i.exec(given) ?? [];
  return token === undefined ? undefined : access.admit(token);
}

function refuse(status: 401 | 403, detail: string, headers: Readonly<Record<string, string>> = {}): Response {
  return problemResponse(problem(status, "access-denied", detail), headers);
}

/** The name in a Host header, without its port and brackets. */
function hostOf(header: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::\d{1,5})?$/i.exec(header ?? "");
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

function isLoopback(host: string, remote: string | undefined): boolean {
  const own = (address: string) => address === "::1" || /^(?:::ffff:)?127\.\d+\.\d+\.\d+$/.test(address);
  return (host === "localhost" || own(host)) && remote !== undefined && own(remote);
}
