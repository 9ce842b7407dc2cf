import type { ServerResponse } from "node:http";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { TypedResponse } from "hono";
import { LociError } from "../../schema/core.ts";
import { callerIdOf } from "./access.ts";
import type { RequestContext, ServerContext } from "./context.ts";
import { problemOf } from "./problem.ts";

/** One event of a stream; with an id, a returning client resumes after it. */
export interface SseEvent {
  readonly id?: string | number;
  readonly event?: string;
  /** One line; JSON has no other. */
  readonly data: string;
}

/** The source of a stream: events after the last one that the client has, until the signal ends. */
export type SseSource = (lastEventId: string | undefined, signal: AbortSignal) => AsyncIterable<SseEvent>;

/** A disconnected client returns after this. */
const RETRY_MS = 2_000;
const HELLO = Buffer.from(`retry: ${RETRY_MS}\n\n`);
const BEAT = Buffer.from(":\n\n");

const open = new WeakMap<ServerContext, Map<string, number>>();

/**
 * A stream of server-sent events. Nothing is queued for a client: the next event is requested when the last one was
 * taken, so a slow client waits at the source and not in memory. A client that reads nothing within the limit is
 * disconnected; any end of its response or of its grant ends the source.
 */
export function sse(
  c: RequestContext,
  context: ServerContext,
  source: SseSource,
): Response & TypedResponse<never, 200, "json"> {
  const { outgoing } = c.env;
  const { ended } = c.get("caller");
  const leave = enter(context, callerIdOf(c.get("caller")));
  const ending = new AbortController();
  const end = () => ending.abort();
  outgoing.once("close", end);
  ended?.addEventListener("abort", end);
  context.shutdown.addEventListener("abort", end);
  const life = setTimeout(end, context.limits.streamMs);
  const lastEventId = c.req.header("last-event-id") || undefined;
  outgoing.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
    "x-accel-buffering": "no",
    // The connection is not reused: it ends with the stream.
    connection: "close",
  });
  void pump(outgoing, source(lastEventId, ending.signal), ending.signal, context)
    .catch((error: unknown) => context.log.warn({ err: error }, "a stream failed"))
    .finally(() => {
      clearTimeout(life);
      context.shutdown.removeEventListener("abort", end);
      ended?.removeEventListener("abort", end);
      end();
      leave();
      outgoing.end();
    });
  // Only this very object is known to the adaptor: one made here would be sent.
  return RESPONSE_ALREADY_SENT as Response & TypedResponse<never, 200, "json">;
}

/** How many are open, in all and of one caller. */
function enter(context: ServerContext, caller: string): () => void {
  const counts = open.get(context) ?? new Map<string, number>();
  open.set(context, counts);
  const own = counts.get(caller) ?? 0;
  const all = [...counts.values()].reduce((sum, n) => sum + n, 0);
  if (all >= context.limits.streams || own >= context.limits.streamsOfOne)
    throw new LociError(
      "overloaded",
      "as many streams are open as this server keeps; close some, or try again",
    );
  counts.set(caller, own + 1);
  return () => {
    const left = counts.get(caller)! - 1;
    if (left === 0) counts.delete(caller);
    else counts.set(caller, left);
  };
}

async function pump(
  outgoing: ServerResponse,
  events: AsyncIterable<SseEvent>,
  signal: AbortSignal,
  { limits }: ServerContext,
): Promise<void> {
  const client = new Client(outgoing, limits.streamWriteMs);
  const beat = setInterval(() => client.beat(), limits.streamBeatMs);
  try {
    await client.write(HELLO);
    for await (const event of events) {
      if (signal.aborted) return;
      await client.write(bytesOf(event));
    }
  } catch (error) {
    if (!signal.aborted)
      await client.write(bytesOf({ event: "problem", data: JSON.stringify(problemOf(error)) }));
  } finally {
    clearInterval(beat);
    client.end();
  }
}

/** The same event goes to many clients: it is encoded once. */
const encoded = new WeakMap<SseEvent, Buffer>();

function bytesOf(event: SseEvent): Buffer {
  let bytes = encoded.get(event);
  if (bytes === undefined) {
    const { id, event: name, data } = event;
    const head = `${id === undefined ? "" : `id: ${id}\n`}${name === undefined ? "" : `event: ${name}\n`}`;
    bytes = Buffer.from(`${head}data: ${data}\n\n`);
    encoded.set(event, bytes);
  }
  return bytes;
}

/** The client of a response: it takes what is written, or its connection is closed. */
class Client {
  readonly #outgoing: ServerResponse;
  readonly #withinMs: number;
  #late: NodeJS.Timeout | undefined;
  #taken: (() => void) | undefined;
  readonly #go = () => {
    clearTimeout(this.#late);
    this.#late = undefined;
    this.#taken?.();
    this.#taken = undefined;
  };

  constructor(outgoing: ServerResponse, withinMs: number) {
    this.#outgoing = outgoing;
    this.#withinMs = withinMs;
    outgoing.on("drain", this.#go);
    outgoing.once("close", this.#go);
  }

  /** Resolves when there is room for more, or the client has left. */
  async write(bytes: Buffer): Promise<void> {
    if (!this.#put(bytes)) await new Promise<void>((resolve) => (this.#taken = resolve));
  }

  /** A heartbeat, sent when nothing else is waiting. */
  beat(): void {
    if (this.#late === undefined) this.#put(BEAT);
  }

  end(): void {
    clearTimeout(this.#late);
    this.#outgoing.off("drain", this.#go);
  }

  #put(bytes: Buffer): boolean {
    if (this.#outgoing.destroyed || this.#outgoing.writableEnded) return true;
    if (this.#outgoing.write(bytes)) return true;
    this.#late ??= setTimeout(() => this.#outgoing.destroy(), this.#withinMs);
    return false;
  }
}
