import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { LociError } from "../../schema/index.ts";
import { decodeCbor } from "./cbor.ts";

export interface LinkOptions {
  /** ws:// or wss:// */
  readonly url: string;
  /** How often in a row a lost connection is reopened before giving up. */
  readonly tries?: number | undefined;
  /** The first pause between attempts; each next one is twice as long, up to eight seconds. */
  readonly pauseMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A topic to subscribe to, with the least interval between messages in milliseconds. */
export interface Subscription {
  readonly topic: string;
  readonly type: string;
  readonly everyMs: number;
}

const TRIES = 5;
const PAUSE_MS = 500;
const MAX_PAUSE_MS = 8_000;
const CONNECT_MS = 5_000;
const ANSWER_MS = 5_000;
/** Most messages waiting for processing: beyond this the oldest are dropped, since a robot does not wait. */
const WAITING = 256;
const TEXT_CHARS = 64 * 1024 * 1024;

const DEFAULT_PORT = 9090;

/** rosbridge://host:port and ws://host:port are the same; default port 9090. */
export function rosbridgeAddress(source: string): string {
  const text = source.replace(/^rosbridge:/, "ws:");
  if (!URL.canParse(text) || !/^wss?:/.test(text))
    throw new LociError("invalid-input", `expected rosbridge://HOST:PORT, got "${source.slice(0, 128)}"`);
  const url = new URL(text);
  if (url.port === "" && url.protocol === "ws:") url.port = String(DEFAULT_PORT);
  return url.href;
}

/** Any rosbridge message; each kind uses some of these fields. */
export interface Said {
  readonly op?: unknown;
  readonly id?: unknown;
  readonly topic?: unknown;
  readonly msg?: unknown;
  readonly values?: unknown;
  readonly result?: unknown;
  readonly status?: unknown;
  readonly level?: unknown;
}

/** A message published through rosbridge. */
export interface Published {
  readonly topic: string;
  readonly message: unknown;
}

/** One connection to a rosbridge server, protocol 2: JSON, and CBOR if the server supports it. */
export class RosbridgeLink {
  readonly #options: LinkOptions;
  #socket: WebSocket | undefined;
  readonly #waiting: Published[] = [];
  #wake: () => void = () => {};
  readonly #heard = new Map<string, (said: Said | undefined) => void>();
  /** Bridges identify goals by id alone, on any connection, so ids must be unique across clients. */
  readonly #name = `loci-${randomUUID().slice(0, 8)}`;
  #calls = 0;
  #isClosed = false;
  /** Messages dropped because they came faster than they were processed. */
  dropped = 0;
  /** Connections that were lost and reopened. */
  reconnects = 0;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** Calls a service and waits for its answer; source-unavailable if none comes in time. */
  async call(service: string): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    // If the request could not be sent, no caller awaits the answer.
    promise.catch(() => {});
    const fail = (what: string) =>
      reject(new LociError("source-unavailable", `rosbridge ${what} ${service}`));
    const done = await this.ask({ op: "call_service", service, args: {} }, (said) => {
      if (said === undefined) fail("was lost before it answered");
      else if (said.op !== "service_response") return;
      else if (said.result === false) fail("has no service");
      else resolve(said.values);
    });
    const timer = setTimeout(() => fail("does not answer"), ANSWER_MS);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      done.forget();
    }
  }

  /** Sends a message; connects first if needed, within the bounds. */
  async send(message: object): Promise<void> {
    (await this.connected()).send(JSON.stringify(message));
  }

  /** Sends a message and delivers every reply to it, until unsubscribed; undefined once the connection is lost. */
  async ask(
    message: object,
    onSaid: (said: Said | undefined) => void,
  ): Promise<{ readonly id: string; readonly forget: () => void }> {
    const id = `${this.#name}-${++this.#calls}`;
    this.#heard.set(id, onSaid);
    const forget = () => void this.#heard.delete(id);
    try {
      await this.send({ ...message, id });
    } catch (error) {
      forget();
      throw error;
    }
    return { id, forget };
  }

  /**
   * Messages published on the topics, until the signal fires or the connection is lost for good, which is an error. A
   * lost connection is reopened and the topics are subscribed again.
   */
  async *listen(subscriptions: readonly Subscription[]): AsyncGenerator<Published> {
    const { signal } = this.#options;
    signal?.addEventListener("abort", this.#ring, { once: true });
    try {
      while (!signal?.aborted && !this.#isClosed) {
        const wasOpen = this.#socket?.readyState === WebSocket.OPEN;
        const socket = await this.connected().catch((error: unknown) => {
          if (signal?.aborted || this.#isClosed) return undefined;
          throw error;
        });
        if (!socket) return;
        if (!wasOpen || !this.#subscribed.has(socket)) this.#subscribe(socket, subscriptions);
        while (socket.readyState === WebSocket.OPEN || this.#waiting.length > 0) {
          const next = this.#waiting.shift();
          if (next) yield next;
          else
            await new Promise<void>((resolve) => {
              this.#wake = resolve;
              if (this.#waiting.length > 0 || signal?.aborted || socket.readyState !== WebSocket.OPEN)
                resolve();
            });
          if (signal?.aborted || this.#isClosed) return;
        }
        this.reconnects++;
      }
    } finally {
      signal?.removeEventListener("abort", this.#ring);
    }
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#socket?.close();
    this.#ring();
  }

  readonly #subscribed = new WeakSet<WebSocket>();
  readonly #ring = (): void => this.#wake();

  #subscribe(socket: WebSocket, subscriptions: readonly Subscription[]): void {
    this.#subscribed.add(socket);
    for (const { topic, type, everyMs } of subscriptions)
      socket.send(
        JSON.stringify({
          op: "subscribe",
          id: `loci:${topic}`,
          topic,
          type,
          compression: "cbor",
          throttle_rate: everyMs,
          queue_length: everyMs > 0 ? 1 : 100,
        }),
      );
  }

  /** The open connection, or a new one within the bounds. */
  async connected(): Promise<WebSocket> {
    if (this.#socket?.readyState === WebSocket.OPEN) return this.#socket;
    const { url, tries = TRIES, pauseMs = PAUSE_MS, signal } = this.#options;
    for (let attempt = 0; attempt < tries; attempt++) {
      if (attempt > 0)
        await pause(Math.min(MAX_PAUSE_MS, pauseMs * 2 ** (attempt - 1)), undefined, {
          ...(signal && { signal }),
          ref: true,
        }).catch(() => {});
      if (signal?.aborted || this.#isClosed) break;
      const socket = await this.#open(url);
      if (socket) {
        this.#socket = socket;
        return socket;
      }
    }
    throw new LociError(
      "source-unavailable",
      `expected a rosbridge server at ${url}, got no connection in ${tries} tries; start it with: ros2 launch rosbridge_server rosbridge_websocket_launch.xml`,
    );
  }

  async #open(url: string): Promise<WebSocket | undefined> {
    const socket = new WebSocket(url);
    socket.binaryType = "arraybuffer";
    const opened = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), CONNECT_MS);
      const settle = (isOpen: boolean) => {
        clearTimeout(timer);
        resolve(isOpen);
      };
      socket.addEventListener("open", () => settle(true), { once: true });
      socket.addEventListener("error", () => settle(false), { once: true });
      socket.addEventListener("close", () => settle(false), { once: true });
      this.#options.signal?.addEventListener("abort", () => settle(false), { once: true });
    });
    if (!opened) {
      socket.close();
      return undefined;
    }
    socket.addEventListener("message", ({ data }) => this.#take(data));
    socket.addEventListener("close", () => {
      this.#ring();
      for (const onSaid of this.#heard.values()) onSaid(undefined);
    });
    socket.addEventListener("error", this.#ring);
    return socket;
  }

  /** An invalid message is skipped: the next one follows soon. */
  #take(data: unknown): void {
    let said: Said;
    try {
      if (typeof data === "string" && data.length > TEXT_CHARS) return;
      const parsed =
        typeof data === "string" ? JSON.parse(data) : decodeCbor(new Uint8Array(data as ArrayBuffer));
      if (typeof parsed !== "object" || parsed === null) return;
      said = parsed;
    } catch {
      this.dropped++;
      return;
    }
    if (said.op !== "publish" && typeof said.id === "string") this.#heard.get(said.id)?.(said);
    if (said.op !== "publish" || typeof said.topic !== "string") return;
    this.#waiting.push({ topic: said.topic, message: said.msg });
    if (this.#waiting.length > WAITING) {
      this.#waiting.shift();
      this.dropped++;
    }
    this.#ring();
  }
}
