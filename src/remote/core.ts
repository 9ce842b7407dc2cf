import type { AskCall } from "../compose/ask.ts";
import type { CoreFace, SaidLines } from "../compose/face-core.ts";
import type { CallOptions } from "../memory/port.ts";
import { type AnswerRecord, type AskSettings, blobRefSchema, idSchema, LociError } from "../schema/index.ts";
import { eventsOnce } from "./event-stream.ts";
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
        // With a key and a time, sending it twice stores the same fact.
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
    ask: (question, settings = {}, call) => answer(client, "/v1/ask", { question, ...settings }, call),
    conversation: (settings = {}) => {
      let begun: Promise<string> | undefined;
      return {
        ask: async (question, call) => {
          begun ??= begin(client, settings);
          const path = `/v1/conversations/${await begun}/questions`;
          return answer(client, path, { question }, call);
        },
      };
    },
    list: (query, call) => shaped(read("/v1/list", query, call), shapes.listed),
    // An id that cannot be valid is not requested.
    record: async (id) =>
      idSchema.safeParse(id).success
        ? client.maybe(shaped(get(`/v1/records/${id}`), shapes.record))
        : undefined,
    history: async (id) =>
      idSchema.safeParse(id).success ? shaped(get(`/v1/records/${id}/history`), shapes.records) : [],
    blob: async (ref) =>
      blobRefSchema.safeParse(ref).success
        ? client.maybe(client.bytes({ method: "GET", path: `/v1/blobs/${ref}` }))
        : undefined,
    stats: () => shaped(get("/v1/stats"), shapes.object),
    forget: (selection) =>
      shaped(client.json({ method: "POST", path: "/v1/forget", body: selection }), shapes.forgotten),
    saidByName: async (ids) =>
      (
        await shaped<{ said: SaidLines[] }>(
          client.json({ method: "POST", path: "/v1/forget/said", body: { ids }, isRepeatable: true }),
          shapes.said,
        )
      ).said,
    audit: ({ limit } = {}) =>
      shaped(client.json({ method: "GET", path: "/v1/audit", query: { limit } }), shapes.list),
    // The runtime keeps connections and closes idle ones.
    close: async () => undefined,
  };
}

async function begin(client: HttpClient, settings: AskSettings): Promise<string> {
  const begun = client.json({ method: "POST", path: "/v1/conversations", body: settings });
  return (await shaped<{ id: string }>(begun, shapes.named)).id;
}

/** Asks a question; if the caller wants its readings before the answer, the response is streamed. */
async function answer(
  client: HttpClient,
  path: string,
  body: unknown,
  { signal, onReadings }: AskCall = {},
): Promise<AnswerRecord> {
  // A question may be repeated, but not within a conversation, where the second would build on the first.
  const call = { method: "POST", path, body, signal, isRepeatable: path === "/v1/ask" } as const;
  if (onReadings === undefined) return shaped(client.json(call), shapes.answer);
  const readings: string[] = [];
  for await (const { event, data } of eventsOnce(client, call)) {
    const value: unknown = JSON.parse(data);
    if (event === "problem") throw client.problem(value);
    if (event === "reading")
      readings.push((await shaped<{ reading: string }>(Promise.resolve(value), shapes.reading)).reading);
    else if (readings.length > 0) onReadings(readings.splice(0));
    if (event === "answer") return shaped(Promise.resolve(value), shapes.answer);
  }
  throw new LociError("source-unavailable", `${client.address} ended before it had answered`);
}
