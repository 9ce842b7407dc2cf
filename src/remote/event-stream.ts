import { createParser, type EventSourceMessage } from "eventsource-parser";
import { LociError } from "../schema/core.ts";
import { type Call, type HttpClient, waited } from "./http-client.ts";

/** A server sends something at least every half of this; a longer silence means that it is gone. */
const SILENCE_MS = 60_000;
/** Of one event. */
const MAX_BUFFER_CHARS = 16 * 1024 * 1024;
/** Attempts in a row without any event. */
const MAX_TRIES = 10;

export interface StreamOptions {
  readonly lastEventId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly silenceMs?: number;
}

/**
 * The events of a server, in order. A broken or silent connection is reopened after the last event seen, so nothing
 * is missed. It ends by its signal, or when the reader stops.
 */
export async function* events(
  client: HttpClient,
  call: Call,
  { lastEventId, signal, silenceMs = SILENCE_MS }: StreamOptions = {},
): AsyncGenerator<EventSourceMessage> {
  let last = lastEventId;
  for (let tried = 0; ; tried++) {
    try {
      for await (const event of connection(client, call, last, signal, silenceMs)) {
        tried = 0;
        if (event.id !== undefined && event.id !== "") last = event.id;
        if (event.event === "problem") throw client.problem(JSON.parse(event.data));
        yield event;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (!(error instanceof LociError) || error.code !== "source-unavailable" || tried >= MAX_TRIES)
        throw error;
    }
    await waited(tried, signal).catch(() => undefined);
    if (signal?.aborted) return;
  }
}

/** The events of one response; if it breaks off, the call has failed. */
export function eventsOnce(client: HttpClient, call: Call): AsyncGenerator<EventSourceMessage> {
  return connection(client, call, undefined, call.signal, SILENCE_MS);
}

/** One connection until it ends. */
async function* connection(
  client: HttpClient,
  call: Call,
  lastEventId: string | undefined,
  signal: AbortSignal | undefined,
  silenceMs: number,
): AsyncGenerator<EventSourceMessage> {
  const ended = new AbortController();
  const both = signal === undefined ? ended.signal : AbortSignal.any([signal, ended.signal]);
  let watchdog = setTimeout(() => ended.abort(), silenceMs);
  const ready: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => ready.push(event), maxBufferSize: MAX_BUFFER_CHARS });
  try {
    const stream = await client.stream({
      ...call,
      signal: both,
      headers: {
        accept: "text/event-stream",
        ...call.headers,
        ...(lastEventId === undefined ? {} : { "last-event-id": lastEventId }),
      },
    });
    const text = new TextDecoder();
    for await (const chunk of stream) {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => ended.abort(), silenceMs);
      parser.feed(text.decode(chunk, { stream: true }));
      yield* ready.splice(0);
    }
  } catch (cause) {
    if (signal?.aborted) throw new LociError("aborted", "the call was aborted", { cause: signal.reason });
    if (cause instanceof LociError && cause.code !== "aborted") throw cause;
    throw new LociError("source-unavailable", `the events of ${client.address} broke off`, { cause });
  } finally {
    clearTimeout(watchdog);
    ended.abort();
  }
}
