import type { SourcesFace } from "../compose/face-sources.ts";
import type { HttpClient } from "./http-client.ts";
import { shaped, shapes } from "./shape.ts";

/** What a memory behind a server takes in by itself, and its upkeep. */
export function remoteSources(client: HttpClient): SourcesFace {
  const path = "/v1/sources";
  return {
    sources: () => shaped(client.json({ method: "GET", path }), shapes.list),
    startSource: (request) =>
      shaped(client.json({ method: "POST", path, body: request, isRepeatable: true }), shapes.named),
    stopSource: (id) =>
      shaped(client.json({ method: "DELETE", path: `${path}/${encodeURIComponent(id)}` }), shapes.named),
    retain: (limits) =>
      shaped(
        client.json({ method: "POST", path: "/v1/retain", body: limits, timeoutMs: RETAIN_MS }),
        shapes.object,
      ),
  };
}

/** A memory of gigabytes takes minutes. */
const RETAIN_MS = 3_600_000;
