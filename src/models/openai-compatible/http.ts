import { setTimeout as pause } from "node:timers/promises";
import { LociError } from "../../schema/index.ts";

/** How to reach the server. The key leaves this file only in the request's header. */
export interface Wire {
  readonly id: string;
  readonly url: string;
  readonly apiKey: string | null;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly pauseMs: number;
  readonly maxPauseMs: number;
  readonly maxReplyBytes: number;
  readonly fetch: typeof globalThis.fetch;
  readonly random: () => number;
}

const RETRIED_STATUSES = new Set([408, 429, 500, 502, 503, 504]);
const DETAIL_CHARS = 200;
const ERROR_BODY_BYTES = 16_384;

/** A failure that a retry may fix, and how long the server asked to wait before it. */
class Passing {
  readonly error: LociError;
  readonly waitMs: number | null;

  constructor(error: LociError, waitMs: number | null = null) {
    this.error = error;
    this.waitMs = waitMs;
  }
}

/** Posts until there is an answer, the retries are used up, or the signal aborts. Returns the parsed JSON. */
export async function postJson(
  wire: Wire,
  body: object,
  closed: AbortSignal,
  signal?: AbortSignal,
): Promise<unknown> {
  const text = JSON.stringify(body);
  const stop = signal ? AbortSignal.any([closed, signal]) : closed;
  for (let attempt = 0; ; attempt++) {
    try {
      return await postOnce(wire, text, stop);
    } catch (failure) {
      if (stop.aborted) throw stopped(wire, closed, signal);
      if (!(failure instanceof Passing)) throw failure;
      const doubled = Math.min(wire.maxPauseMs, wire.pauseMs * 2 ** attempt);
      const waitMs = failure.waitMs ?? doubled * (0.5 + 0.5 * wire.random());
      // If the server asks for a longer wait than allowed, there is no retry: the caller decides what to do instead.
      if (attempt >= wire.retries || waitMs > wire.maxPauseMs) throw failure.error;
      await pause(waitMs, undefined, { signal: stop }).catch(() => {
        throw stopped(wire, closed, signal);
      });
    }
  }
}

async function postOnce(wire: Wire, body: string, stop: AbortSignal): Promise<unknown> {
  const limit = AbortSignal.timeout(wire.timeoutMs);
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    ...(wire.apiKey === null ? {} : { authorization: `Bearer ${wire.apiKey}` }),
  };
  let status: number;
  let headersOf: Headers;
  let bytes: Uint8Array;
  try {
    // A redirect would send the texts to an address that was not configured.
    const signal = AbortSignal.any([stop, limit]);
    const response = await wire.fetch(wire.url, { method: "POST", headers, body, signal, redirect: "error" });
    status = response.status;
    headersOf = response.headers;
    bytes = await readAtMost(wire, response, response.ok ? wire.maxReplyBytes : ERROR_BODY_BYTES);
  } catch (error) {
    if (error instanceof LociError) throw error;
    const what = limit.aborted
      ? `no answer within ${wire.timeoutMs} ms`
      : `no connection: ${reasonOf(error)}`;
    throw new Passing(
      new LociError("model-unavailable", `${wire.id}: ${what} from ${wire.url}`, { cause: error }),
    );
  }
  if (status < 200 || status > 299) throw refusal(wire, status, headersOf, new TextDecoder().decode(bytes));
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new LociError(
      "model-failed",
      `${wire.id}: expected JSON from ${wire.url}, got ${bytes.length} bytes that are none`,
    );
  }
}

/** The body, up to the limit. An error's body is only read for its first words, so it is truncated, not refused. */
async function readAtMost(wire: Wire, response: Response, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the stream, and with it the connection.
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= limit) continue;
    if (!response.ok) break;
    throw new LociError(
      "limit-exceeded",
      `${wire.id}: expected at most ${limit} bytes in an answer, got more`,
    );
  }
  return Buffer.concat(chunks);
}

function refusal(wire: Wire, status: number, headers: Headers, body: string): Passing | LociError {
  const name = `${wire.id}: ${wire.url} answered ${status}`;
  // A server's message about a bad key may quote it, masked or not.
  if (status === 401 || status === 403) {
    const had = wire.apiKey === null ? "no key was given" : "the given key was refused";
    return new LociError("model-unavailable", `${name}: ${had}`);
  }
  const detail = detailOf(wire, body);
  if (RETRIED_STATUSES.has(status)) {
    const code = status === 500 ? "model-failed" : "model-unavailable";
    return new Passing(new LociError(code, `${name}${detail}`), retryAfterMs(headers.get("retry-after")));
  }
  const code = status === 404 ? "model-unavailable" : "model-failed";
  return new LociError(code, `${name}${detail}`);
}

/** The server's own words, short, on one line, and never with the key in them. */
function detailOf(wire: Wire, body: string): string {
  const found = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(body)?.[1] ?? body;
  const hidden = wire.apiKey === null ? found : found.replaceAll(wire.apiKey, "[key]");
  const line = hidden.replaceAll(/\s+/g, " ").trim().slice(0, DETAIL_CHARS);
  return line === "" ? "" : `: ${line}`;
}

/** How long a server asks to wait, by its header: seconds, or a date. */
export function retryAfterMs(value: string | null): number | null {
  if (value === null) return null;
  const seconds = Number(value);
  const waitMs = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(value) - Date.now();
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null;
}

function stopped(wire: Wire, closed: AbortSignal, signal: AbortSignal | undefined): LociError {
  if (closed.aborted) return new LociError("model-unavailable", `${wire.id}: closed before it answered`);
  return new LociError("aborted", "the call was aborted", { cause: signal?.reason });
}

/** fetch says only "fetch failed"; the reason is in its cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
}
