import type { TypedResponse } from "hono";
import type { RequestContext } from "./context.ts";
import { problemOf } from "./problem.ts";

/** An answer in parts: each is told as it is known, as an event of its own; a failure is the last one. */
export function streamed(
  c: RequestContext,
  work: (tell: (event: string, data: unknown) => void) => Promise<void>,
): Response & TypedResponse<never, 200, "json"> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(stream) {
      // Nothing is told to a client that went away; the work itself ends by the request's signal.
      let isOpen = true;
      c.env.outgoing.once("close", () => {
        isOpen = false;
      });
      const tell = (event: string, data: unknown) => {
        if (isOpen) stream.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
      };
      try {
        await work(tell);
      } catch (error) {
        tell("problem", problemOf(error));
      }
      if (isOpen) stream.close();
    },
  });
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
  return new Response(body, { headers }) as Response & TypedResponse<never, 200, "json">;
}
