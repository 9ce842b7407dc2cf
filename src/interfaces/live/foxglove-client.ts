import type { WebSocket } from "ws";
import type { Channel } from "./channel.ts";
import { framed, MAX_SUBSCRIPTIONS, parseRequest } from "./foxglove-protocol.ts";

/** Above this many unsent bytes, a viewer gets nothing new. */
const FULL_BYTES = 4 * 1024 * 1024;
const PATIENCE_MS = 30_000;
/** After this many invalid messages a viewer is disconnected. */
const MAX_MISTAKES = 20;
/**
 * What one viewer may request in a while, messages and the subscriptions in them: each is answered with all that its
 * channel keeps. Enough to subscribe to everything at once, and to change subscriptions now and then.
 */
export const ORDERS = { most: 1_100, everyMs: 4_000 };
const WARNING = 1;

/** One viewer: its subscriptions, and how far each has been sent. */
export class FoxgloveClient {
  readonly #socket: WebSocket;
  readonly #channels: ReadonlyMap<number, Channel>;
  readonly #subscriptions = new Map<number, { readonly channel: Channel; next: number }>();
  readonly #orders: typeof ORDERS;
  #ordered = 0;
  #pause: NodeJS.Timeout | undefined;
  /** Heard while it has to wait; no more than one read of the socket brings. */
  #held: [data: unknown, isBinary: boolean][] = [];
  #mistakes = 0;
  #isAlive = true;
  #tookMs = Date.now();

  constructor(
    socket: WebSocket,
    channels: ReadonlyMap<number, Channel>,
    hello: object,
    orders: typeof ORDERS = ORDERS,
  ) {
    this.#socket = socket;
    this.#orders = orders;
    this.#channels = channels;
    this.#say(hello);
    this.advertise([...channels.values()]);
    socket.on("message", (data, isBinary) => this.#hear(data, isBinary));
    socket.on("close", () => clearTimeout(this.#pause));
    socket.on("pong", () => {
      this.#isAlive = true;
    });
    // Errors end in "close", which the server handles.
    socket.on("error", () => {});
  }

  advertise(channels: readonly Channel[]): void {
    if (channels.length > 0)
      this.#say({ op: "advertise", channels: channels.map(({ advertised }) => advertised) });
  }

  /** Sends new messages, as far as the viewer keeps up. */
  pump(): void {
    for (const [id, subscription] of this.#subscriptions) {
      for (;;) {
        if (this.#socket.readyState !== this.#socket.OPEN || this.#socket.bufferedAmount > FULL_BYTES) return;
        const message = subscription.channel.after(subscription.next);
        if (message === undefined) break;
        subscription.next = message.next;
        this.#socket.send(framed(id, message.timeUs, message.payload), (error) => {
          if (error) return;
          this.#tookMs = Date.now();
          this.pump();
        });
      }
    }
  }

  /** Called periodically: disconnects clients that do not answer or do not read what they subscribed to. */
  check(): void {
    const isStuck = this.#socket.bufferedAmount > 0 && Date.now() - this.#tookMs > PATIENCE_MS;
    if (!this.#isAlive || isStuck) {
      this.#socket.terminate();
      return;
    }
    if (this.#socket.bufferedAmount === 0) this.#tookMs = Date.now();
    this.#isAlive = false;
    this.#socket.ping();
  }

  #hear(data: unknown, isBinary: boolean): void {
    if (this.#ordered >= this.#orders.most) {
      this.#held.push([data, isBinary]);
      return;
    }
    this.#pause ??= setTimeout(() => this.#goOn(), this.#orders.everyMs).unref();
    this.#ordered++;
    const mistake = isBinary
      ? "this server only tells: nothing can be published to it"
      : this.#obey(String(data));
    if (this.#ordered >= this.#orders.most) this.#socket.pause();
    this.pump();
    if (mistake === undefined) return;
    this.#say({ op: "status", level: WARNING, message: mistake });
    if (++this.#mistakes >= MAX_MISTAKES) this.#socket.close(1008, "too much that is not understood");
  }

  /** After a pause: handles the deferred messages, and new ones. */
  #goOn(): void {
    this.#pause = undefined;
    this.#ordered = 0;
    for (const [data, isBinary] of this.#held.splice(0)) this.#hear(data, isBinary);
    if (this.#ordered < this.#orders.most) this.#socket.resume();
  }

  /** Carries out a viewer's request; returns the error, if any. */
  #obey(text: string): string | undefined {
    const request = parseRequest(text);
    if (!request) return "expected subscribe or unsubscribe, in JSON";
    if (request.op === "unsubscribe") {
      for (const id of request.subscriptionIds) this.#subscriptions.delete(id);
      return undefined;
    }
    this.#ordered += request.subscriptions.length;
    const mistakes = request.subscriptions.map(({ id, channelId }) => this.#subscribe(id, channelId));
    return mistakes.find((mistake) => mistake !== undefined);
  }

  #subscribe(id: number, channelId: number): string | undefined {
    const channel = this.#channels.get(channelId);
    if (channel === undefined) return `there is no channel ${channelId}`;
    if (this.#subscriptions.has(id)) return `subscription ${id} is there already`;
    if (this.#subscriptions.size >= MAX_SUBSCRIPTIONS)
      return `there are ${MAX_SUBSCRIPTIONS} subscriptions already`;
    this.#subscriptions.set(id, { channel, next: 0 });
    return undefined;
  }

  #say(message: object): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}
