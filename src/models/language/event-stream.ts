import { z } from "zod";
import { LANGUAGE_LIMITS } from "./language-model.ts";

const deltaSchema = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: z.string().nullish(),
        delta: z
          .object({
            content: z.string().nullish(),
            refusal: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z
                    .int()
                    .min(0)
                    .max(LANGUAGE_LIMITS.toolCallsPerAnswer - 1)
                    .default(0),
                  id: z.string().nullish(),
                  function: z
                    .object({ name: z.string().nullish(), arguments: z.string().nullish() })
                    .nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
      }),
    )
    .default([]),
  usage: z.unknown().optional(),
});

interface StreamedCall {
  id: string;
  function: { name: string; arguments: string };
}

/**
 * A fetch that reads a server's event stream to its end and returns the JSON document that the server would have sent
 * without streaming. So limits, retries and errors work as in every other call. A stream without an end marker was
 * truncated, and counts as a lost connection.
 */
export function streamingFetch(
  fetch: typeof globalThis.fetch,
  onText: (soFar: string) => void,
  maxBytes: number,
): typeof globalThis.fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.ok || !response.headers.get("content-type")?.includes("text/event-stream")) return response;
    const whole = await readEvents(response, onText, maxBytes);
    return new Response(whole, { status: 200, headers: { "content-type": "application/json" } });
  };
}

async function readEvents(
  response: Response,
  onText: (soFar: string) => void,
  maxBytes: number,
): Promise<string> {
  const decoder = new TextDecoder();
  const calls: StreamedCall[] = [];
  let [pending, content, refusal, bytes] = ["", "", "", 0];
  let finish: string | null = null;
  let usage: unknown;
  let done = false;
  const take = (line: string) => {
    if (!line.startsWith("data:")) return;
    const data = line.slice(5).trim();
    if (data === "[DONE]") {
      done = true;
      return;
    }
    if (data === "") return;
    const event = deltaSchema.parse(JSON.parse(data));
    if (event.usage != null) usage = event.usage;
    const [choice] = event.choices;
    if (choice?.finish_reason != null) finish = choice.finish_reason;
    refusal += choice?.delta?.refusal ?? "";
    for (const part of choice?.delta?.tool_calls ?? []) addCall(calls, part);
    const more = choice?.delta?.content ?? "";
    if (more === "") return;
    content += more;
    onText(content);
  };
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // The caller's own limit then refuses the whole answer with its own message.
    if (bytes > maxBytes) return " ".repeat(maxBytes + 1);
    pending += decoder.decode(chunk, { stream: true });
    const lines = pending.split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) take(line.trimEnd());
  }
  take(pending);
  if (!done && finish === null) throw new Error("the stream was cut half-way");
  const message = {
    role: "assistant",
    content,
    ...(refusal === "" ? {} : { refusal }),
    ...(calls.length === 0 ? {} : { tool_calls: calls.filter((call) => call !== undefined) }),
  };
  return JSON.stringify({ choices: [{ message, finish_reason: finish }], usage });
}

function addCall(
  calls: StreamedCall[],
  part: {
    index: number;
    id?: string | null | undefined;
    function?: { name?: string | null | undefined; arguments?: string | null | undefined } | null | undefined;
  },
): void {
  calls[part.index] ??= { id: "", function: { name: "", arguments: "" } };
  const call = calls[part.index]!;
  call.id += part.id ?? "";
  call.function.name += part.function?.name ?? "";
  call.function.arguments += part.function?.arguments ?? "";
}
