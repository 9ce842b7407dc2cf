import type { FeedFace } from "../compose/face-feed.ts";
import type { Call, HttpClient } from "./http-client.ts";
import { shaped, shapes } from "./shape.ts";

/** The data feed of a 4D viewer, over HTTP. */
export function remoteFeed(client: HttpClient): FeedFace {
  const get = (path: string, query: Call["query"] = {}, signal?: AbortSignal): Call => ({
    method: "GET",
    path,
    query,
    signal,
  });
  return {
    scene: (query, { signal } = {}) => shaped(client.json(get("/v1/feed", query, signal)), shapes.object),
    mapChunk: (id, query, { signal } = {}) =>
      client.maybe(client.reply(get(`/v1/feed/map/${encodeURIComponent(id)}`, query, signal))),
    stateColumns: (query, { signal } = {}) => client.bytes(get("/v1/feed/states", query, signal)),
    wayColumns: (query, { signal } = {}) => client.bytes(get("/v1/feed/ways", query, signal)),
    grounds: (query, { signal } = {}) =>
      shaped(client.json(get("/v1/feed/ground", query, signal)), shapes.list),
    ground: (id, query, { signal } = {}) =>
      client.maybe(client.reply(get(`/v1/feed/ground/${encodeURIComponent(id)}`, query, signal))),
  };
}
