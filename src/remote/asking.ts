import type { AskCall } from "../compose/ask.ts";
import type { Talk } from "../operations/index.ts";
import { type AnswerRecord, type AskSettings, LociError } from "../schema/index.ts";
import { eventsOnce } from "./event-stream.ts";
import type { HttpClient } from "./http-client.ts";
import { shaped, shapes } from "./shape.ts";

export function ask(
  client: HttpClient,
  question: string,
  settings: AskSettings,
  call?: AskCall,
): Promise<AnswerRecord> {
  return answer(client, "/v1/ask", { question, ...settings }, call);
}

/** A conversation that begins with its first question. */
export function conversation(client: HttpClient, settings: AskSettings): Talk {
  let begun: Promise<string> | undefined;
  return {
    ask: async (question, call) => {
      begun ??= begin(client, settings);
      return answer(client, `/v1/conversations/${await begun}/questions`, { question }, call);
    },
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
