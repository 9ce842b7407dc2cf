import type { CoreFace } from "../compose/face-core.ts";
import type { CallOptions } from "../memory/port.ts";
import type { HttpClient } from "./http-client.ts";
import { shaped, shapes } from "./shape.ts";

/** Facts in, questions and searches, records out, forgetting: over HTTP. */
export function remoteCore(client: HttpClient): CoreFace {
  const read = (path: string, body: unknown, call: CallOptions = {}) =>
    client.json({ method: "POST", path, body, isRepeatable: true, signal: call.signal });
  const get = (path: string) => client.json({ method: "GET", path });
  return {
    remember: (fact) =>
      shaped(
        // With an id and a time it is the same fact when it is said twice.
        client.json({
          method: "POST",
          path: "/v1/facts",
          body: fact,
          isRepeatable: fact.id !== undefined && fact.time !== undefined,
        }),
        shapes.record,
      ),
    write: (batch, call = {}) =>
      shaped(
        client.json({
          method: "POST",
          path: "/v1/records",
          body: batch,
          isRepeatable: (batch.sightings ?? []).length === 0,
          signal: call.signal,
        }),
        shapes.commit,
      ),
    search: (query, call) => shaped(read("/v1/search", query, call), shapes.found),
    ask: (question, settings = {}, call) =>
      shaped(read("/v1/ask", { question, ...settings }, call), shapes.answer),
    conversation: (settings = {}) => {
      let conversation: string | undefined;
      return {
        ask: async (question, call = {}) => {
          const body = { question, ...settings, ...(conversation !== undefined && { conversation }) };
          const answer = await client.json({
            method: "POST",
            path: "/v1/conversations",
            body,
            signal: call.signal,
          });
          return shaped(Promise.resolve(answer), shapes.answer);
        },
      };
    },
    list: (query, call) => shaped(read("/v1/list", query, call), shapes.listed),
    record: (id) => client.maybe(shaped(get(`/v1/records/${encodeURIComponent(id)}`), shapes.record)),
    history: (id) => shaped(get(`/v1/records/${encodeURIComponent(id)}/history`), shapes.records),
    blob: (ref) =>
      client.maybe(client.bytes({ method: "GET", path: `/v1/blobs/${encodeURIComponent(ref)}` })),
    stats: () => shaped(get("/v1/stats"), shapes.object),
    forget: (selection) =>
      shaped(client.json({ method: "POST", path: "/v1/forget", body: selection }), shapes.forgotten),
    // Connections are kept by the runtime and let go when they are idle.
    close: async () => undefined,
  };
}
