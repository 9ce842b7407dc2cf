import type { TypedResponse } from "hono";
import { problemOf } from "./problem.ts";

/** An answer in parts, each asked for when the client has taken the one before; a failure is the last of them. */
export function streamed(
  events: AsyncGenerator<{ readonly event: string; readonly data: string }>,
): Response & TypedResponse<never, 200, "json"> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(stream) {
      const tell = (event: string, data: string) =>
        stream.enqueue(encoder.encode(`event: ${event}\ndata: ${data}\n\n`));
      try {
        const { done, value } = await events.next();
        if (done) stream.close();
        else tell(value.event, value.data);
      } catch (error) {
        tell("problem", JSON.stringify(problemOf(error)));
        stream.close();
      }
    },
    cancel: async () => void (await events.return(undefined)),
  });
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
  return new Response(body, { headers }) as Response & TypedResponse<never, 200, "json">;
}
