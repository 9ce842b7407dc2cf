import type { AccountsFace } from "../compose/face-accounts.ts";
import type { CallOptions } from "../memory/port.ts";
import type { HttpClient } from "./http-client.ts";
import { shaped, shapes } from "./shape.ts";

/** Lives, timelines and routes, over HTTP. */
export function remoteAccounts(client: HttpClient): AccountsFace {
  const read = (path: string, body: unknown, { signal }: CallOptions = {}) =>
    client.json({ method: "POST", path, body, isRepeatable: true, signal });
  return {
    life: (thing, query = {}, { signal } = {}) => {
      const path = `/v1/life/${encodeURIComponent(thing)}`;
      return shaped(client.json({ method: "GET", path, query, signal }), shapes.life);
    },
    timeline: (query = {}, call) => shaped(read("/v1/timeline", query, call), shapes.object),
    diff: (query, call) => shaped(read("/v1/diff", query, call), shapes.object),
    coverage: (query = {}, call) => shaped(read("/v1/coverage", query, call), shapes.coverage),
    route: (query, call) => shaped(read("/v1/route", query, call), shapes.route),
    goal: (query, call) => shaped(read("/v1/goal", query, call), shapes.object),
  };
}
