import { ERROR_CODES, type ErrorCode, LociError } from "../schema/core.ts";

/** How to reach a remote memory. */
export interface ConnectOptions {
  /** From `loci token add`; none for a local server without tokens. */
  readonly token?: string;
  /** Timeout of one attempt of one call; default 60 s. */
  readonly timeoutMs?: number;
  /** Most retries of a repeatable call when the server does not answer; default 3. */
  readonly retries?: number;
  readonly fetch?: typeof globalThis.fetch;
}

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the server's address, such as /v1/search. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** JSON, the parts of a form, or bytes. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Timeout of one attempt, where the call takes longer than others. */
  readonly timeoutMs?: number;
  /** Idempotent, so that it is retried. Default: GET, PUT and DELETE are. */
  readonly isRepeatable?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** The response. */
export interface Reply {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Empty if the server sent none. */
  readonly etag: string;
}

const TIMEOUT_MS = 60_000;
const RETRIES = 3;
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 5_000;
/** Most bytes accepted in one response. */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_PROBLEM_BYTES = 64 * 1024;

/** One server over HTTP: time-outs, retries, and errors restored to their original codes. */
export class HttpClient {
  readonly #base: URL;
  readonly #options: ConnectOptions;

  constructor(url: string, options: ConnectOptions = {}) {
    this.#base = checkedUrl(url);
    this.#options = options;
  }

  /** The server, for messages. */
  get address(): string {
    return this.#base.origin;
  }

  async json(call: Call): Promise<unknown> {
    const bytes = await this.bytes(call);
    try {
      return bytes.length === 0 ? undefined : JSON.parse(new TextDecoder().decode(bytes));
    } catch (cause) {
      throw new LociError("source-unavailable", `${this.address} answered with something that is not JSON`, {
        cause,
      });
    }
  }

  /** The body of a response; undefined if the server says that it does not exist. */
  async maybe<T>(read: Promise<T>): Promise<T | undefined> {
    return read.catch((error: unknown) => {
      if (error instanceof LociError && error.code === "unknown-id") return undefined;
      throw error;
    });
  }

  async bytes(call: Call): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.reply(call)).bytes;
  }

  /** A whole response, with its ETag. */
  async reply(call: Call): Promise<Reply> {
    const repeatable = call.isRepeatable ?? call.method !== "POST";
    const most = repeatable ? (this.#options.retries ?? RETRIES) : 0;
    for (let tried = 0; ; tried++) {
      try {
        return await this.#once(call);
      } catch (error) {
        if (tried >= most || !mayPass(error)) throw error;
        await waited(tried, call.signal);
      }
    }
  }

  /** A streaming response: the reader ends it by its signal. */
  async stream(call: Call): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#send(call, call.signal);
    if (response.body === null) throw this.#silent(undefined);
    return response.body;
  }

  async #once(call: Call): Promise<Reply> {
    const timeout = AbortSignal.timeout(call.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS);
    const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]);
    const response = await this.#send(call, signal);
    try {
      const bytes = await readAtMost(response, MAX_BYTES);
      return { bytes, etag: (response.headers.get("etag") ?? "").replaceAll('"', "") };
    } catch (cause) {
      throw this.#failure(cause, call.signal);
    }
  }

  async #send(call: Call, signal: AbortSignal | undefined): Promise<Response> {
    const url = new URL(`${this.#base.pathname.replace(/\/$/, "")}${call.path}`, this.#base);
    for (const [name, value] of Object.entries(call.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const { token, fetch = globalThis.fetch } = this.#options;
    const isRaw = call.body instanceof FormData || call.body instanceof Uint8Array;
    let response: Response;
    try {
      response = await fetch(url, {
        method: call.method,
        // A token must not be forwarded to another server.
        redirect: "error",
        headers: {
          ...(call.body === undefined || isRaw ? {} : { "content-type": "application/json" }),
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...call.headers,
        },
        ...(call.body === undefined
          ? {}
          : { body: isRaw ? (call.body as FormData | Uint8Array<ArrayBuffer>) : JSON.stringify(call.body) }),
        ...(signal === undefined ? {} : { signal }),
      });
    } catch (cause) {
      throw this.#failure(cause, call.signal);
    }
    if (!response.ok) throw await this.#refusal(response);
    return response;
  }

  #failure(cause: unknown, wanted: AbortSignal | undefined): LociError {
    if (cause instanceof LociError) return cause;
    if (wanted?.aborted) return new LociError("aborted", "the call was aborted", { cause: wanted.reason });
    return this.#silent(cause);
  }

  #silent(cause: unknown): LociError {
    return new LociError(
      "source-unavailable",
      `the memory's server at ${this.address} does not answer; check that it runs and that the address is right`,
      { cause },
    );
  }

  async #refusal(response: Response): Promise<LociError> {
    const bytes = await readAtMost(response, MAX_PROBLEM_BYTES).catch(() => new Uint8Array());
    try {
      return this.problem(JSON.parse(new TextDecoder().decode(bytes)), response.status);
    } catch {
      // Not a problem document of ours; only the status is known.
      return this.problem(undefined, response.status);
    }
  }

  /** An RFC 9457 problem as the original error. */
  problem(said: unknown, status = 500): LociError {
    const problem = (said ?? {}) as { code?: unknown; detail?: unknown };
    const code = ERROR_CODES.find((known) => known === problem.code) ?? codeOf(status);
    const detail = typeof problem.detail === "string" ? problem.detail : `${this.address} answered ${status}`;
    return new LociError(code, detail, { cause: { status } });
  }
}

/** Whether a call never reached a server, so that it cannot have had any effect. */
export function wasNeverSent(error: unknown): boolean {
  let cause: unknown = error;
  for (let depth = 0; depth < 5 && cause instanceof Error; depth++) {
    if ("code" in cause && (cause.code === "ECONNREFUSED" || cause.code === "ENOENT")) return true;
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return false;
}

/** Errors worth a retry: no connection, or a busy server. */
function mayPass(error: unknown): boolean {
  if (!(error instanceof LociError)) return false;
  const { status } = (error.cause ?? {}) as { status?: number };
  return status === undefined ? error.code === "source-unavailable" : status === 503 || status === 429;
}

/** Exponential back-off with jitter. */
export async function waited(tried: number, signal: AbortSignal | undefined): Promise<void> {
  const longest = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** tried);
  const { setTimeout } = await import("node:timers/promises");
  await setTimeout(
    longest * (0.5 + Math.random() / 2),
    undefined,
    signal === undefined ? {} : { signal },
  ).catch((cause: unknown) => {
    throw new LociError("aborted", "the call was aborted", { cause });
  });
}

function codeOf(status: number): ErrorCode {
  if (status === 401 || status === 403) return "access-denied";
  if (status === 404) return "unknown-id";
  if (status === 413) return "limit-exceeded";
  return status >= 500 || status === 429 ? "source-unavailable" : "invalid-input";
}

async function readAtMost(response: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > most) throw new LociError("limit-exceeded", `an answer has at most ${most} bytes`);
    parts.push(part);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function checkedUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !["http:", "https:"].includes(parsed.protocol) || parsed.username !== "")
    throw new LociError("invalid-input", `expected a server as http://HOST:PORT, got "${url.slice(0, 100)}"`);
  return parsed;
}
