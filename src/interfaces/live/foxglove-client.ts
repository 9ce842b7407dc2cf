import type { WebSocket } from "ws";
import { z } from "zod";
import type { Channel } from "./channel.ts";

/** Beyond so much that the system has not taken yet, a viewer gets nothing new. */
const FULL_BYTES = 4 * 1024 * 1024;
const PATIENCE_MS = 30_000;
const MAX_SUBSCRIPTIONS = 1_024;
/** After so many that cannot be understood, one does not listen any more. */
const MAX_MISTAKES = 20;
const MESSAGE_DATA = 1;
const HEAD_BYTES = 13;
const WARNING = 1;

const number = z.int().min(0).max(0xffff_ffff);
const requestSchema = z.discriminatedUnion("op", [
  z.object({
    op: z.literal("subscribe"),
    subscriptions: z.array(z.object({ id: number, channelId: number })).max(MAX_SUBSCRIPTIONS),
  }),
  z.object({ op: z.literal("unsubscribe"), subscriptionIds: z.array(number).max(MAX_SUBSCRIPTIONS) }),
]);

/** One viewer: what it asked for, and how far it has come with each. */
export class FoxgloveClient {
  readonly #socket: WebSocket;
  readonly #channels: ReadonlyMap<number, Channel>;
  readonly #subscriptions = new Map<number, { readonly channel: Channel; next: number }>();
  #mistakes = 0;
  #isAlive = true;
  #tookMs = Date.now();

  constructor(socket: WebSocket, channels: ReadonlyMap<number, Channel>, hello: object) {
    this.#socket = socket;
    this.#channels = channels;
    this.#say(hello);
    this.advertise([...channels.values()]);
    socket.on("message", (data, isBinary) => this.#hear(data, isBinary));
    socket.on("pong", () => {
      this.#isAlive = true;
    });
    // What went wrong ends in "close", which the server hears.
    socket.on("error", () => {});
  }

  advertise(channels: readonly Channel[]): void {
    if (channels.length > 0)
      this.#say({ op: "advertise", channels: channels.map(({ advertised }) => advertised) });
  }

  /** Sends what is new, as far as the viewer keeps up. */
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

  /** Now and then: lets go whoever does not answer or does not take what it asked for. */
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
    const mistake = isBinary
      ? "this server only tells: nothing can be published to it"
      : this.#obey(String(data));
    this.pump();
    if (mistake === undefined) return;
    this.#say({ op: "status", level: WARNING, message: mistake });
    if (++this.#mistakes >= MAX_MISTAKES) this.#socket.close(1008, "too much that is not understood");
  }

  /** Does what a viewer says; returns what is wrong with it. */
  #obey(text: string): string | undefined {
    const request = requestSchema.safeParse(parsed(text));
    if (!request.success) return "expected subscribe or unsubscribe, in JSON";
    if (request.data.op === "unsubscribe") {
      for (const id of request.data.subscriptionIds) this.#subscriptions.delete(id);
      return undefined;
    }
    const mistakes = request.data.subscriptions.map(({ id, channelId }) => this.#subscribe(id, channelId));
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The protocol's one binary message: opcode, subscription, nanoseconds, and what is told. */
function framed(subscription: number, timeUs: number, payload: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + payload.length);
  frame.writeUInt8(MESSAGE_DATA, 0);
  frame.writeUInt32LE(subscription, 1);
  frame.writeBigUInt64LE(BigInt(Math.max(0, timeUs)) * 1_000n, 5);
  payload.copy(frame, HEAD_BYTES);
  return frame;
}
