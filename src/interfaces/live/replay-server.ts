import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { WebSocket, WebSocketServer } from "ws";
import type { Replay, ReplayChannel } from "../../compose.ts";
import { framed, framedTime, MAX_SUBSCRIPTIONS, parseRequest } from "./foxglove-protocol.ts";
import { admission, listening } from "./foxglove-server.ts";

export interface ReplayOptions {
  /** Default 8765, as foxglove_bridge's own; 0 takes any free port. */
  readonly port?: number;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Seconds of the recording in one second; default 1. */
  readonly speed?: number;
  /** From the beginning again after the end, with the same stamps. */
  readonly loop?: boolean;
  /** Begins with the first subscription instead of at once. */
  readonly wait?: boolean;
  readonly signal?: AbortSignal;
  /** What it calls itself to viewers. */
  readonly name?: string;
}

/** How a replay went. */
export interface ReplaySummary {
  /** Messages played, counted once whoever listened. */
  readonly messages: number;
  readonly sent: number;
  /** Messages that viewers were too slow for. */
  readonly dropped: number;
  readonly viewers: number;
  readonly rounds: number;
}

export interface RunningReplay {
  readonly url: string;
  readonly port: number;
  /** Resolves when the recording has ended and every viewer has been told, or the signal has fired. */
  readonly done: Promise<ReplaySummary>;
  close(): Promise<void>;
}

const PORT = 8_765;
const MAX_CLIENTS = 32;
/** As foxglove_bridge (send_buffer_limit): a viewer with more unsent bytes misses messages. */
const FULL_BYTES = 10_000_000;
const TIME_EVERY_MS = 50;
/** Messages of a topic that every new subscription gets, as from a transient-local publisher. */
const LATCHED = 1_000;
/** How long a viewer may take to read what is left for it. */
const FAREWELL_MS = 30_000;
const POLL_MS = 20;
/** `END_REASON` of the listener in src/sensors/foxglove: it does not connect again. */
const END = { code: 1000, reason: "the recording has ended" } as const;
const WARNING = 1;
const BINARY_SCHEMAS = ["protobuf", "flatbuffer"];

interface Viewer {
  readonly socket: WebSocket;
  readonly subscriptions: Map<number, string>;
}

/** Serves a recording as foxglove_bridge serves a robot: its channels, bytes and times. */
export async function startReplay(replay: Replay, options: ReplayOptions = {}): Promise<RunningReplay> {
  const { host = "127.0.0.1", port = PORT, signal } = options;
  const server = await listening(host, port, async (request, clients) => {
    const admitted = clients < MAX_CLIENTS ? await admission(request, {}) : 503;
    return typeof admitted === "number" ? admitted : undefined;
  });
  const stop = new AbortController();
  const playing = new Player(
    replay,
    options,
    server,
    AbortSignal.any([stop.signal, ...(signal ? [signal] : [])]),
  );
  const done = playing.play();
  done.catch(() => {});
  const bound = (server.address() as AddressInfo).port;
  return {
    url: `ws://${host.includes(":") ? `[${host}]` : host}:${bound}`,
    port: bound,
    done,
    close: async () => {
      stop.abort();
      await done.catch(() => {});
    },
  };
}

class Player {
  readonly #replay: Replay;
  readonly #options: ReplayOptions;
  readonly #server: WebSocketServer;
  readonly #signal: AbortSignal;
  readonly #channels: readonly { readonly id: number; readonly channel: ReplayChannel }[];
  readonly #viewers = new Set<Viewer>();
  readonly #latched = new Map<string, Uint8Array[]>();
  readonly #begun = Promise.withResolvers<void>();
  #nowUs: number;
  #messages = 0;
  #sent = 0;
  #dropped = 0;
  #seen = 0;
  #rounds = 0;

  constructor(replay: Replay, options: ReplayOptions, server: WebSocketServer, signal: AbortSignal) {
    this.#replay = replay;
    this.#options = options;
    this.#server = server;
    this.#signal = signal;
    this.#nowUs = replay.startUs;
    this.#channels = replay.channels.map((channel, i) => ({ id: i + 1, channel }));
    server.on("connection", (socket) => this.#join(socket));
  }

  async play(): Promise<ReplaySummary> {
    const clock = setInterval(() => this.#tellTime(), TIME_EVERY_MS);
    const stopped = new Promise<void>((resolve) => {
      if (this.#signal.aborted) resolve();
      this.#signal.addEventListener("abort", () => resolve(), { once: true });
    });
    try {
      if (this.#options.wait) await Promise.race([this.#begun.promise, stopped]);
      do {
        await this.#playOnce();
        this.#rounds++;
      } while (this.#options.loop && !this.#signal.aborted);
    } finally {
      clearInterval(clock);
      await this.#farewell();
    }
    const [messages, sent, dropped] = [this.#messages, this.#sent, this.#dropped];
    return { messages, sent, dropped, viewers: this.#seen, rounds: this.#rounds };
  }

  async #playOnce(): Promise<void> {
    const { speed = 1 } = this.#options;
    const { startUs } = this.#replay;
    const startMs = performance.now();
    this.#latched.clear();
    this.#nowUs = startUs;
    for await (const { topic, timeUs, data } of this.#replay.messages()) {
      const dueMs = startMs + (timeUs - startUs) / 1_000 / speed;
      for (let leftMs = dueMs - performance.now(); leftMs > 1; leftMs = dueMs - performance.now()) {
        this.#nowUs = Math.max(this.#nowUs, Math.floor(timeUs - leftMs * 1_000 * speed));
        await pause(Math.min(leftMs, TIME_EVERY_MS), undefined, { signal: this.#signal }).catch(() => {});
        if (this.#signal.aborted) return;
      }
      // A file of small messages must not keep the process from its sockets.
      if (this.#messages % 256 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (this.#signal.aborted) return;
      this.#nowUs = Math.max(this.#nowUs, timeUs);
      this.#messages++;
      if (isLatched(topic)) this.#latch(topic, data);
      for (const viewer of this.#viewers) this.#send(viewer, topic, timeUs, data);
    }
  }

  #join(socket: WebSocket): void {
    const viewer: Viewer = { socket, subscriptions: new Map() };
    this.#viewers.add(viewer);
    this.#seen++;
    // Errors end in "close".
    socket.on("error", () => {});
    socket.on("close", () => this.#viewers.delete(viewer));
    const say = (message: object) => socket.send(JSON.stringify(message));
    say({
      op: "serverInfo",
      name: this.#options.name ?? "loci replay",
      capabilities: ["time"],
      supportedEncodings: [...new Set(this.#channels.map(({ channel }) => channel.encoding))],
      metadata: {},
      sessionId: randomUUID(),
    });
    say({ op: "advertise", channels: this.#channels.map(advertised) });
    socket.on("message", (data, isBinary) => {
      const mistake = isBinary ? "a recording takes no messages" : this.#obey(viewer, String(data));
      if (mistake !== undefined) say({ op: "status", level: WARNING, message: mistake });
    });
  }

  #obey({ socket, subscriptions }: Viewer, text: string): string | undefined {
    const request = parseRequest(text);
    if (!request) return "expected subscribe or unsubscribe, in JSON";
    if (request.op === "unsubscribe") {
      for (const id of request.subscriptionIds) subscriptions.delete(id);
      return undefined;
    }
    let mistake: string | undefined;
    for (const { id, channelId } of request.subscriptions) {
      const found = this.#channels[channelId - 1];
      if (!found) mistake = `there is no channel ${channelId}`;
      else if (subscriptions.has(id) || subscriptions.size >= MAX_SUBSCRIPTIONS)
        mistake = `subscription ${id} is there already, or there are too many`;
      else {
        subscriptions.set(id, found.channel.topic);
        for (const data of this.#latched.get(found.channel.topic) ?? [])
          socket.send(framed(id, this.#nowUs, data));
        this.#begun.resolve();
      }
    }
    return mistake;
  }

  #send({ socket, subscriptions }: Viewer, topic: string, timeUs: number, data: Uint8Array): void {
    for (const [id, name] of subscriptions) {
      if (name !== topic) continue;
      if (socket.bufferedAmount > FULL_BYTES || socket.readyState !== socket.OPEN) this.#dropped++;
      else {
        socket.send(framed(id, timeUs, data));
        this.#sent++;
      }
    }
  }

  #latch(topic: string, data: Uint8Array): void {
    const kept = this.#latched.get(topic) ?? [];
    this.#latched.set(topic, kept);
    kept.push(data.slice());
    if (kept.length > LATCHED) kept.shift();
  }

  #tellTime(): void {
    const frame = framedTime(this.#nowUs);
    for (const { socket } of this.#viewers)
      if (socket.readyState === socket.OPEN && socket.bufferedAmount < FULL_BYTES) socket.send(frame);
  }

  /** Tells every viewer that it is over, once it has all that was sent. */
  async #farewell(): Promise<void> {
    const isStopped = this.#signal.aborted;
    for (const { socket } of this.#viewers)
      if (isStopped) socket.close(1001, "stopped");
      else socket.close(END.code, END.reason);
    const untilMs = performance.now() + (isStopped ? 10 * POLL_MS : FAREWELL_MS);
    while (this.#viewers.size > 0 && performance.now() < untilMs) await pause(POLL_MS);
    for (const { socket } of this.#viewers) socket.terminate();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

/** Topics that ROS publishes once for all who come later. */
function isLatched(topic: string): boolean {
  return topic.endsWith("tf_static");
}

function advertised({ id, channel }: { readonly id: number; readonly channel: ReplayChannel }) {
  const { topic, type, encoding, schemaEncoding, schema } = channel;
  const bytes = Buffer.from(schema);
  return {
    id,
    topic,
    encoding,
    schemaName: type,
    schemaEncoding,
    schema: bytes.toString(BINARY_SCHEMAS.includes(schemaEncoding) ? "base64" : "utf8"),
  };
}
