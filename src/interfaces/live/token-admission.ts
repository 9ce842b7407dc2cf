import type { IncomingMessage } from "node:http";
import type { Access } from "../http/access.ts";
import type { FoxgloveOptions } from "./foxglove-server.ts";
import { isLoopback } from "./loopback.ts";

/**
 * Admits viewers by the tokens of the HTTP server: as `?token=loci_…` in the address, since viewers have no field for a
 * header, or as a bearer. While there never were tokens, this machine is the owner and all others are refused.
 */
export function byTokens(access: Access): NonNullable<FoxgloveOptions["admit"]> {
  return async (request) => {
    access.refresh();
    if (access.isOpen) return isLoopback(request.socket.remoteAddress ?? "") ? {} : undefined;
    const caller = access.admit(tokenOf(request));
    if (!caller?.scopes.some((scope) => scope === "read" || scope === "admin")) return undefined;
    return { principal: { id: caller.actor.id, labels: caller.actor.labels } };
  };
}

function tokenOf({ url, headers }: IncomingMessage): string {
  const asked = URL.canParse(url ?? "", "ws://here")
    ? new URL(url!, "ws://here").searchParams.get("token")
    : null;
  return asked ?? headers.authorization?.replace(/^bearer /i, "") ?? "";
}
