import { setTimeout as pause } from "node:timers/promises";
import { type RawData, WebSocket } from "ws";
import { LIMITS, LociError } from "../../schema/index.ts";
import { type RosTopic, topicOf } from "../ros/message-source.ts";
import {
  type Channel,
  DEFAULT_PORT,
  END_CODE,
  END_REASON,
  MESSAGE_DATA,
  parseBinary,
  parseSaid,
  SUBPROTOCOLS,
} from "./protocol.ts";

/** What is called with the server's messages. */
export interface Listener {
  /** `topic` is as its channel describes it now; `timeUs` is when the server received the message, if that is sensible. */
  message(topic: RosTopic, timeUs: number | undefined, data: Uint8Array): void;
  /** The server's clock. */
  time(timeUs: number): void;
  /** Something that could not be used. */
  skip(what: string, why: string): void;
}

export interface FoxgloveLinkOptions {
  readonly url: string;
  /** How often the first connection is tried. */
  readonly tries?: number | undefined;
  /** The first pause between attempts; each next one is twice as long, up to eight seconds. */
  readonly pauseMs?: number | undefined;
  /** How long a lost server is waited for. */
  readonly waitMs?: number | undefined;
  /** Longer messages end the connection, and it is made again. */
  readonly messageBytes?: number | undefined;
  /** A server that answers nothing for this long is lost. */
  readonly silenceMs?: number | undefined;
}

const TRIES = 5;
const PAUSE_MS = 500;
const MAX_PAUSE_MS = 8_000;
const CONNECT_MS = 5_000;
/** A robot that is carried to another room and comes back. */
const WAIT_MS = 600_000;
const SILENCE_MS = 20_000;
/** Channels are advertised one by one after the greeting: they are complete when none has come for this long. */
const SETTLED_MS = 300;
const SETTLE_AT_MOST_MS = 3_000;
const CHANNELS = 4_096;
/** How ws says that a message is longer than we take. */
const TOO_LONG = "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH";

/** foxglove://host:port; default port 8765. */
export function foxgloveAddress(source: string): string {
  const text = source.replace(/^foxglove:/, "ws:");
  if (!URL.canParse(text) || new URL(text).hostname === "")
    throw new LociError("invalid-input", `expected foxglove://HOST:PORT, got "${source.slice(0, 128)}"`);
  const url = new URL(text);
  if (url.port === "") url.port = String(DEFAULT_PORT);
  return url.href;
}

/**
 * A listener of a Foxglove WebSocket server, such as foxglove_bridge. It subscribes by topic name, so that a server
 * that starts again and numbers its channels anew goes on where it was.
 */
export class FoxgloveLink {
  readonly #options: FoxgloveLinkOptions;
  readonly #channels = new Map<number, { readonly channel: Channel; readonly topic: RosTopic }>();
  readonly #subscriptions = new Map<number, RosTopic>();
  readonly #byChannel = new Map<number, number>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #closing = new AbortController();
  #wanted: ReadonlyMap<string, RosTopic["known"]> = new Map();
  #listener: Listener | undefined;
  #socket: WebSocket | undefined;
  #nextSubscription = 1;
  #heardMs = 0;
  #onAdvertised: () => void = () => {};
  /** What the server calls itself, and what it can do. */
  name = "";
  capabilities: readonly string[] = [];
  readonly parameters = new Map<string, unknown>();
  reconnects = 0;
  /** Nothing waits here: messages are handed on as they come. */
  readonly dropped = 0;

  private constructor(options: FoxgloveLinkOptions) {
    this.#options = options;
    // A link that nobody waits for may end with an error.
    this.#ended.promise.catch(() => {});
  }

  /** Connects, and waits until the server has listed its channels. */
  static async open(options: FoxgloveLinkOptions): Promise<FoxgloveLink> {
    const link = new FoxgloveLink(options);
    const { tries = TRIES, pauseMs = PAUSE_MS } = options;
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          await link.#connect();
          break;
        } catch (error) {
          if (!(error instanceof LociError) || error.code !== "source-unavailable" || attempt >= tries)
            throw error;
          await pause(backoff(pauseMs, attempt));
        }
      }
      await link.#settled();
    } catch (error) {
      await link.close();
      throw error;
    }
    return link;
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** One entry per topic that the server offers. */
  topics(): RosTopic[] {
    return [...new Map([...this.#channels.values()].map(({ topic }) => [topic.name, topic])).values()];
  }

  /** Listens to these topics, and no longer to others; may be called again. */
  listen(topics: readonly RosTopic[], listener: Listener): void {
    this.#wanted = new Map(topics.map(({ name, known }) => [name, known]));
    this.#listener = listener;
    this.#subscribe();
  }

  /** Resolves when the server has ended or `close` was called; rejects when it is lost for good. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Asks for the robot's parameters; they are in `parameters` when they come. */
  askParameters(): void {
    if (this.capabilities.includes("parameters"))
      this.#say({ op: "getParameters", parameterNames: [], id: "loci" });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#ended.resolve();
    this.#socket?.terminate();
  }

  async #connect(): Promise<void> {
    const { url, messageBytes = LIMITS.blobBytes } = this.#options;
    const socket = new WebSocket(url, SUBPROTOCOLS, {
      maxPayload: messageBytes,
      handshakeTimeout: CONNECT_MS,
      perMessageDeflate: false,
    });
    const greeted = Promise.withResolvers<void>();
    greeted.promise.catch(() => {});
    const timer = setTimeout(() => greeted.reject(foreign(url, "no greeting in 5 s")), CONNECT_MS);
    const giveUp = () => greeted.reject(new LociError("aborted", "closed while connecting"));
    this.#closing.signal.addEventListener("abort", giveUp, { once: true });
    let isTooLong = false;
    let closed: { readonly code: number; readonly reason: string } | undefined;
    socket.on("error", (error: Error & { code?: string }) => {
      isTooLong = error.code === TOO_LONG;
      greeted.reject(this.#refusal(error));
    });
    socket.on("close", (code, reason) => {
      closed = { code, reason: reason.toString() };
      greeted.reject(foreign(url, "it hung up before its greeting"));
      if (isTooLong)
        this.#listener?.skip(
          "a message",
          `it was longer than ${messageBytes} bytes, and ended the connection`,
        );
      this.#lost(socket, closed);
    });
    socket.on("message", (data, isBinary) => {
      this.#heardMs = performance.now();
      const said = isBinary ? undefined : parseSaid(bytesOf(data).toString("utf8"));
      if (said?.op === "serverInfo") {
        this.name = said.name;
        this.capabilities = said.capabilities;
        greeted.resolve();
      } else this.#hear(bytesOf(data), isBinary, said);
    });
    socket.on("pong", () => {
      this.#heardMs = performance.now();
    });
    this.#channels.clear();
    this.#subscriptions.clear();
    this.#byChannel.clear();
    try {
      await greeted.promise;
    } catch (error) {
      socket.terminate();
      throw error;
    } finally {
      clearTimeout(timer);
      this.#closing.signal.removeEventListener("abort", giveUp);
    }
    this.#socket = socket;
    this.#watch(socket);
    // It may have been lost between its greeting and now.
    if (closed) this.#lost(socket, closed);
  }

  /** A network that is gone does not say so: without an answer to pings the connection is given up. */
  #watch(socket: WebSocket): void {
    const { silenceMs = SILENCE_MS } = this.#options;
    this.#heardMs = performance.now();
    const timer = setInterval(() => {
      if (performance.now() - this.#heardMs > silenceMs) socket.terminate();
      else socket.ping();
    }, silenceMs / 4).unref();
    socket.on("close", () => clearInterval(timer));
  }

  #lost(socket: WebSocket, { code, reason }: { readonly code: number; readonly reason: string }): void {
    if (this.#socket !== socket || this.#closing.signal.aborted) return;
    this.#socket = undefined;
    if (code === END_CODE && reason === END_REASON) {
      this.#ended.resolve();
      return;
    }
    void this.#reconnect();
  }

  async #reconnect(): Promise<void> {
    const { pauseMs = PAUSE_MS, waitMs = WAIT_MS, url } = this.#options;
    const { signal } = this.#closing;
    const untilMs = performance.now() + waitMs;
    for (let attempt = 1; !signal.aborted; attempt++) {
      await pause(backoff(pauseMs, attempt), undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      try {
        await this.#connect();
        this.reconnects++;
        this.#subscribe();
        return;
      } catch (cause) {
        if (performance.now() < untilMs) continue;
        this.#ended.reject(
          new LociError("source-unavailable", `the server at ${url} was lost and did not come back`, {
            cause,
          }),
        );
        return;
      }
    }
  }

  /** Until no channel has been advertised for a while. */
  async #settled(): Promise<void> {
    const endMs = performance.now() + SETTLE_AT_MOST_MS;
    for (;;) {
      const isMore = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), SETTLED_MS);
        this.#onAdvertised = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
      this.#onAdvertised = () => {};
      if (!isMore || performance.now() > endMs) return;
    }
  }

  #hear(bytes: Uint8Array, isBinary: boolean, said: ReturnType<typeof parseSaid>): void {
    if (isBinary) {
      this.#take(bytes);
      return;
    }
    switch (said?.op) {
      case "advertise":
        for (const channel of said.channels) this.#advertised(channel);
        this.#subscribe();
        this.#onAdvertised();
        break;
      case "unadvertise":
        for (const id of said.channelIds) this.#forget(id);
        break;
      case "parameterValues":
        for (const { name, value } of said.parameters) this.parameters.set(name, value);
        break;
    }
  }

  #take(bytes: Uint8Array): void {
    const message = parseBinary(bytes);
    if (!message) {
      // Answers to services and assets are not for us; an operation that is cut off is damage.
      if (bytes.length === 0 || bytes[0]! <= 2) this.#listener?.skip("a message", "it was cut off");
      return;
    }
    const us = Number(message.timeNs / 1000n);
    const timeUs = us > 0 && us <= LIMITS.timeUs ? us : undefined;
    if (message.op !== MESSAGE_DATA) {
      if (timeUs !== undefined) this.#listener?.time(timeUs);
      return;
    }
    const topic = this.#subscriptions.get(message.subscription);
    if (topic) this.#listener?.message(topic, timeUs, message.data);
  }

  #advertised(channel: Channel): void {
    // A number that is used again without a farewell is a new channel.
    if (this.#channels.has(channel.id)) this.#forget(channel.id);
    if (this.#channels.size >= CHANNELS) return;
    const { topic, schemaName, encoding, schema, schemaEncoding = "" } = channel;
    const bytes = Buffer.from(schema, schemaEncoding === "protobuf" ? "base64" : "utf8");
    const wire = { encoding, schemaEncoding, schema: bytes };
    this.#channels.set(channel.id, { channel, topic: topicOf(topic, schemaName, encoding, null, wire) });
  }

  #forget(id: number): void {
    this.#channels.delete(id);
    const subscription = this.#byChannel.get(id);
    if (subscription === undefined) return;
    this.#byChannel.delete(id);
    this.#subscriptions.delete(subscription);
    this.#say({ op: "unsubscribe", subscriptionIds: [subscription] });
  }

  /** Subscribes to what is wanted and not subscribed, and ends what is not wanted. */
  #subscribe(): void {
    if (!this.isConnected) return;
    const subscriptions: { id: number; channelId: number }[] = [];
    for (const [channelId, { topic }] of this.#channels) {
      const isWanted = topic.known !== undefined && this.#wanted.get(topic.name) === topic.known;
      const subscription = this.#byChannel.get(channelId);
      if (isWanted && subscription === undefined) {
        const id = this.#nextSubscription++;
        this.#subscriptions.set(id, topic);
        this.#byChannel.set(channelId, id);
        subscriptions.push({ id, channelId });
      } else if (!isWanted && subscription !== undefined) {
        this.#byChannel.delete(channelId);
        this.#subscriptions.delete(subscription);
        this.#say({ op: "unsubscribe", subscriptionIds: [subscription] });
      }
    }
    if (subscriptions.length > 0) this.#say({ op: "subscribe", subscriptions });
  }

  #say(message: object): void {
    if (this.isConnected) this.#socket?.send(JSON.stringify(message));
  }

  /** Why there is no connection, in one line. */
  #refusal(error: Error & { code?: string }): LociError {
    const { url } = this.#options;
    if (/Unexpected server response|subprotocol|Sec-WebSocket|Parse Error/i.test(error.message))
      return foreign(url, error.message);
    return new LociError(
      "source-unavailable",
      `expected a foxglove_bridge at ${url}, got no connection (${error.code ?? error.message}); start it with: ros2 launch foxglove_bridge foxglove_bridge_launch.xml`,
      { cause: error },
    );
  }
}

function foreign(url: string, why: string): LociError {
  return new LociError(
    "invalid-input",
    `expected the Foxglove WebSocket protocol at ${url}, got another one: ${why} (a rosbridge is rosbridge://HOST:PORT)`,
  );
}

function backoff(pauseMs: number, attempt: number): number {
  return Math.min(MAX_PAUSE_MS, pauseMs * 2 ** (attempt - 1));
}

function bytesOf(data: RawData): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
}
