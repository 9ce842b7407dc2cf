import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

/** One connection, as a script sees it. */
export interface ScriptedPeer {
  say(message: object): void;
  text(message: string): void;
  raw(bytes: Buffer): void;
  /** On every subscription of the topic; `atS` is the server's time. */
  publish(topic: string, atS: number, data: Buffer): void;
  publishAt(topic: string, timeNs: bigint, data: Buffer): void;
  publishOn(subscription: number, atS: number, data: Buffer): void;
  /** Once so many channels have been subscribed to, counted from the beginning. */
  subscribed(count: number): Promise<void>;
  end(code: number, reason: string): Promise<void>;
  /** Answers nothing any more, not even pings. */
  freeze(): void;
}

export interface ScriptedServer {
  readonly url: string;
  close(): Promise<void>;
}

/** A loopback server of Foxglove's protocol that does what a script says, once for each connection. */
export async function startScripted(script: (peer: ScriptedPeer) => Promise<void>): Promise<ScriptedServer> {
  const server = new WebSocketServer({
    port: 0,
    host: "127.0.0.1",
    autoPong: false,
    handleProtocols: () => "foxglove.websocket.v1",
  });
  await new Promise<void>((resolve) => server.once("listening", resolve));
  server.on("connection", (socket) => {
    socket.on("error", () => {});
    void script(peerOf(socket));
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `foxglove://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of server.clients) socket.terminate();
        server.close(() => resolve());
      }),
  };
}

function peerOf(socket: WebSocket): ScriptedPeer {
  const topics = new Map<number, string>();
  const subscriptions = new Map<number, string>();
  let count = 0;
  let isFrozen = false;
  let wake = () => {};
  socket.on("ping", () => {
    if (!isFrozen) socket.pong();
  });
  const say = (message: object) => {
    const { op, channels = [] } = message as { op: string; channels?: { id: number; topic: string }[] };
    if (op === "advertise") for (const { id, topic } of channels) topics.set(id, topic);
    socket.send(JSON.stringify(message));
  };
  socket.on("message", (data) => {
    const request = JSON.parse(String(data));
    for (const { id, channelId } of request.subscriptions ?? []) {
      subscriptions.set(id, topics.get(channelId) ?? "");
      count++;
    }
    for (const id of request.subscriptionIds ?? []) subscriptions.delete(id);
    wake();
  });
  say({ op: "serverInfo", name: "script", capabilities: [], metadata: {} });
  const publishOn = (subscription: number, timeNs: bigint, data: Buffer) => {
    const head = Buffer.alloc(13);
    head[0] = 1;
    head.writeUInt32LE(subscription, 1);
    head.writeBigUInt64LE(timeNs, 5);
    socket.send(Buffer.concat([head, data]));
  };
  const publishAt = (topic: string, timeNs: bigint, data: Buffer) => {
    for (const [id, name] of subscriptions) if (name === topic) publishOn(id, timeNs, data);
  };
  const nanoseconds = (atS: number) => BigInt(Math.round(atS * 1e6)) * 1_000n;
  return {
    say,
    text: (message) => socket.send(message),
    raw: (bytes) => socket.send(bytes),
    publish: (topic, atS, data) => publishAt(topic, nanoseconds(atS), data),
    publishAt,
    publishOn: (subscription, atS, data) => publishOn(subscription, nanoseconds(atS), data),
    subscribed: async (atLeast) => {
      while (count < atLeast)
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    },
    end: async (code, reason) => {
      socket.close(code, reason);
      await new Promise((resolve) => socket.once("close", resolve));
    },
    freeze: () => {
      isFrozen = true;
    },
  };
}
