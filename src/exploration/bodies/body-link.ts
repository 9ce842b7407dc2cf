import { LociError, throwIfAborted } from "../../schema/index.ts";

/** A message is at most this long: a look with its pictures in base64. */
const MAX_CHARS = 64 * 1024 * 1024;

interface Waiting {
  readonly hear: (said: { readonly id: number }) => void;
  readonly fail: (error: LociError) => void;
}

export interface CallOptions {
  /** Longest silence about the call. */
  readonly silentMs: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One WebSocket to a body: calls by number, answers by the same number. It does not reconnect: a body that was lost on
 * its way may stand anywhere, so the call that it interrupts fails and so does every later one.
 */
export class BodyLink {
  readonly #socket: WebSocket;
  readonly #url: string;
  readonly #waiting = new Map<number, Waiting>();
  #next = 1;
  #ended: LociError | undefined;

  private constructor(socket: WebSocket, url: string) {
    this.#socket = socket;
    this.#url = url;
    socket.addEventListener("message", ({ data }) => this.#hear(data));
    const lost = () => this.#end("closed the connection");
    socket.addEventListener("close", lost);
    socket.addEventListener("error", lost);
  }

  static async open(url: string, { silentMs, signal }: CallOptions): Promise<BodyLink> {
    throwIfAborted(signal);
    if (!/^wss?:\/\//.test(url))
      throw new LociError(
        "invalid-input",
        `expected a body at ws://HOST:PORT or wss://HOST:PORT, got "${url.slice(0, 128)}"`,
      );
    const socket = new WebSocket(url);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (why: string) =>
      reject(
        new LociError("source-unavailable", `no body answers at ${url}: ${why}; start one, see docs/body.md`),
      );
    const timer = setTimeout(() => fail(`nothing within ${silentMs / 1000} s`), silentMs);
    const onAbort = () => reject(new LociError("aborted", "stopped while connecting to the body"));
    signal?.addEventListener("abort", onAbort, { once: true });
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => fail("the connection was refused"));
    socket.addEventListener("close", () => fail("it closed the connection"));
    try {
      await promise;
      return new BodyLink(socket, url);
    } catch (error) {
      socket.close();
      throw error;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /**
   * Calls the body. `hear` is given each message about the call and returns the result, or undefined to wait on.
   * `onAbort` is told the call's number; the call then goes on until the body answers or falls silent.
   */
  call<T>(
    message: { readonly op: string } & Readonly<Record<string, unknown>>,
    { silentMs, signal }: CallOptions,
    hear: (said: { readonly id: number }) => T | undefined,
    onAbort?: (id: number) => void,
  ): Promise<T> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (signal?.aborted) return Promise.reject(new LociError("aborted", "stopped before the body was asked"));
    const id = this.#next++;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const silent = () =>
      reject(
        new LociError(
          "source-unavailable",
          `the body at ${this.#url} said nothing about "${message.op}" for ${silentMs / 1000} s`,
        ),
      );
    let timer = setTimeout(silent, silentMs);
    const aborted = () => {
      if (onAbort) onAbort(id);
      else reject(new LociError("aborted", `stopped while the body was asked for "${message.op}"`));
    };
    signal?.addEventListener("abort", aborted, { once: true });
    this.#waiting.set(id, {
      hear: (said) => {
        clearTimeout(timer);
        timer = setTimeout(silent, silentMs);
        const result = hear(said);
        if (result !== undefined) resolve(result);
      },
      fail: reject,
    });
    this.#socket.send(JSON.stringify({ id, ...message }));
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", aborted);
      this.#waiting.delete(id);
    });
  }

  /** Says something that has no answer. */
  tell(message: Readonly<Record<string, unknown>>): void {
    if (!this.#ended) this.#socket.send(JSON.stringify(message));
  }

  close(): void {
    this.#ended ??= new LociError("source-unavailable", "the connection to the body was closed");
    this.#socket.close();
  }

  #hear(data: unknown): void {
    const said = messageIn(data);
    if (typeof said === "string") {
      this.#end(said);
      return;
    }
    // Without a call that waits for it, it answers one that was given up already.
    const waiting = typeof said.id === "number" ? this.#waiting.get(said.id) : undefined;
    try {
      waiting?.hear(said as { readonly id: number });
    } catch (error) {
      this.#end(error instanceof LociError ? error.message : "sent what cannot be read");
    }
  }

  #end(why: string): void {
    this.#ended ??= new LociError("source-unavailable", `the body at ${this.#url} ${why}`);
    for (const { fail } of this.#waiting.values()) fail(this.#ended);
    this.#socket.close();
  }
}

/** The message, or what is wrong with it. */
function messageIn(data: unknown): { readonly id?: unknown } | string {
  if (typeof data !== "string") return "sent a binary message, expected JSON";
  if (data.length > MAX_CHARS) return `sent a message of ${data.length} characters, at most ${MAX_CHARS}`;
  try {
    const said: unknown = JSON.parse(data);
    return typeof said === "object" && said !== null ? said : "sent something that is no object";
  } catch {
    return "sent something that is not JSON";
  }
}
