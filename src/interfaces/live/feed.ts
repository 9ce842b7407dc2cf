import type { WebSocket } from "ws";
import { followMemory, type Memory } from "../../compose.ts";
import type { ReaderOptions } from "../../index.ts";
import { Channels } from "./channel.ts";
import { FoxgloveClient, type ORDERS } from "./foxglove-client.ts";

export interface FeedOptions {
  readonly schemas: Readonly<Record<string, object>>;
  readonly hello: object;
  readonly sceneId?: string | undefined;
  readonly orders?: typeof ORDERS | undefined;
  readonly onError: (error: unknown) => void;
}

/** All viewers of a memory, grouped by their rights; nothing is read for rights without a viewer. */
export class Feeds {
  readonly #memory: Memory;
  readonly #options: FeedOptions;
  readonly #feeds = new Map<string, Feed>();
  readonly #ending = new Set<Promise<void>>();

  constructor(memory: Memory, options: FeedOptions) {
    this.#memory = memory;
    this.#options = options;
  }

  /** Without a view, viewers get the memory as given. */
  join(socket: WebSocket, view: ReaderOptions): void {
    const key = JSON.stringify(view);
    const feed = this.#feeds.get(key) ?? this.#open(key, view);
    feed.join(socket, (left) => {
      if (left > 0) return;
      this.#feeds.delete(key);
      const ended = feed.close().finally(() => this.#ending.delete(ended));
      this.#ending.add(ended);
    });
  }

  #open(key: string, view: ReaderOptions): Feed {
    const isGiven = key === "{}";
    const shown = isGiven ? this.#memory : this.#memory.as(view);
    const feed = new Feed(shown, this.#options, async () => (isGiven ? undefined : shown.close()));
    this.#feeds.set(key, feed);
    return feed;
  }

  check(): void {
    for (const feed of this.#feeds.values()) feed.check();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#ending, ...Array.from(this.#feeds.values(), (feed) => feed.close())]);
  }
}

/** One view of a memory and all its viewers; it is followed for as long as there is one. */
class Feed {
  readonly #options: FeedOptions;
  readonly #channels: Channels;
  readonly #clients = new Set<FoxgloveClient>();
  readonly #stop = new AbortController();
  readonly #following: Promise<void>;
  readonly #release: () => Promise<void>;

  constructor(memory: Memory, options: FeedOptions, release: () => Promise<void>) {
    const { schemas, sceneId, onError } = options;
    this.#options = options;
    this.#release = release;
    this.#channels = new Channels(schemas);
    this.#following = followMemory(memory, {
      ...(sceneId !== undefined && { sceneId }),
      signal: this.#stop.signal,
      onTold: (told) => {
        const opened = this.#channels.put(told);
        for (const client of this.#clients) {
          if (opened) client.advertise([opened]);
          client.pump();
        }
      },
      onGone: (topic) => this.#channels.clear(topic),
    }).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) onError(error);
    });
  }

  /** Adds a viewer until it leaves; `onLeft` receives how many remain. */
  join(socket: WebSocket, onLeft: (left: number) => void): void {
    const { hello, orders } = this.#options;
    const client = new FoxgloveClient(socket, this.#channels.byId, hello, orders);
    this.#clients.add(client);
    socket.on("close", () => {
      this.#clients.delete(client);
      onLeft(this.#clients.size);
    });
  }

  check(): void {
    for (const client of this.#clients) client.check();
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#following;
    await this.#release();
  }
}
