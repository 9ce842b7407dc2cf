import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Log, SceneUpdate } from "@foxglove/schemas";
import { type Channel, FoxgloveClient, type IWebSocket, type ServerInfo } from "@foxglove/ws-protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { z } from "zod";
import { type Memory, openMemory } from "../src/compose.ts";
import { thing } from "../src/exchange/testing/small-house.ts";
import { Access } from "../src/interfaces/http/access.ts";
import { type RunningFoxglove, startFoxglove } from "../src/interfaces/live/foxglove-server.ts";
import { byTokens } from "../src/interfaces/live/token-admission.ts";

let folder: string;
let memory: Memory;
let running: RunningFoxglove[];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-live-"));
  memory = await openMemory(folder, { embedder: "hashing:64" });
  running = [];
  await memory.write({
    frames: [
      {
        parent: "world",
        child: "sub-0",
        kind: "submap",
        transform: { p: { x: 1, y: 2, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } },
      },
    ],
    records: [
      ...thing("mug", { x: 1, y: 1, z: 1 }),
      ...thing("strongbox", { x: 2, y: 1, z: 1 }, { labels: ["vault"] }),
    ],
  });
});
afterEach(async () => {
  for (const server of running) await server.close();
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
});

async function serve(of: Memory = memory): Promise<RunningFoxglove> {
  const server = await startFoxglove(of, { port: 0 });
  running.push(server);
  return server;
}

/** A viewer by hand, which notes everything it is told, each message checked against the schema it was announced with. */
class Viewer {
  readonly socket: WebSocket;
  readonly channels = new Map<number, Channel>();
  readonly told: { topic: string; timeNs: bigint; value: unknown }[] = [];
  readonly said: { op: string; message?: string }[] = [];
  readonly #topics: ReadonlySet<string>;
  readonly #checks = new Map<number, z.ZodType>();

  constructor(
    url: string,
    protocols: string | string[],
    topics: readonly string[],
    headers: Record<string, string> = {},
  ) {
    this.#topics = new Set(topics);
    this.socket = new WebSocket(url, protocols, { headers });
    this.socket.on("message", (data: Buffer, isBinary) =>
      isBinary ? this.#take(data) : this.#hear(String(data)),
    );
  }

  #hear(text: string): void {
    const message = JSON.parse(text) as { op: string; channels?: Channel[] };
    this.said.push(message);
    if (message.op !== "advertise") return;
    for (const channel of message.channels!) {
      this.channels.set(channel.id, channel);
      this.#checks.set(channel.id, z.fromJSONSchema(JSON.parse(channel.schema)));
      if (this.#topics.has(channel.topic))
        this.socket.send(
          JSON.stringify({
            op: "subscribe",
            subscriptions: [{ id: channel.id + 100, channelId: channel.id }],
          }),
        );
    }
  }

  #take(data: Buffer): void {
    expect(data[0]).toBe(1);
    const channel = this.channels.get(data.readUInt32LE(1) - 100)!;
    const value: unknown = JSON.parse(data.subarray(13).toString());
    this.#checks.get(channel.id)!.parse(value);
    this.told.push({ topic: channel.topic, timeNs: data.readBigUInt64LE(5), value });
  }

  /** Resolves when the last thing told on a topic is so. */
  async until<T>(topic: string, isSo: (value: T) => boolean): Promise<T> {
    for (;;) {
      const last = this.told.findLast((each) => each.topic === topic)?.value as T | undefined;
      if (last !== undefined && isSo(last)) return last;
      await once(this.socket, "message");
    }
  }
}

const ids = ({ entities }: SceneUpdate) => entities.map(({ id }) => id).sort();
const THINGS = "/loci/things";

describe("a Foxglove server over a memory", () => {
  it("tells the client of the older protocol what is there, and then what comes", async () => {
    const { url } = await serve();
    const socket = new WebSocket(url, FoxgloveClient.SUPPORTED_SUBPROTOCOL);
    const client = new FoxgloveClient({ ws: socket as unknown as IWebSocket });
    const scenes: SceneUpdate[] = [];
    const info = new Promise<ServerInfo>((resolve) => client.on("serverInfo", resolve));
    client.on("advertise", (channels) => {
      for (const { id, topic } of channels) if (topic === THINGS) client.subscribe(id);
    });
    const seen = (isSo: (scene: SceneUpdate) => boolean) =>
      new Promise<SceneUpdate>((resolve) => {
        const look = () => {
          const scene = scenes.at(-1);
          if (scene && isSo(scene)) resolve(scene);
        };
        client.on("message", look);
        look();
      });
    client.on("message", ({ data }) =>
      scenes.push(JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString())),
    );
    expect(await info).toMatchObject({ name: "loci", capabilities: [] });
    const first = await seen(({ entities }) => entities.length === 2);
    expect(first.entities.find(({ id }) => id === "mug-state")!.cubes[0]!.pose.position).toEqual({
      x: 2,
      y: 3,
      z: 1,
    });
    await memory.write({ records: thing("lamp", { x: 0, y: 0, z: 1 }) });
    expect(ids(await seen(({ entities }) => entities.length === 3))).toContain("lamp-state");
    await memory.forget(["lamp-state"], "test");
    expect(ids(await seen(({ entities }) => entities.length === 2))).not.toContain("lamp-state");
    client.close();
  });

  it("speaks the newer protocol where both are offered, with the same messages", async () => {
    const { url } = await serve();
    const viewer = new Viewer(
      url,
      ["foxglove.websocket.v1", "foxglove.sdk.v1"],
      [THINGS, "/loci/events", "/loci/frames"],
    );
    await viewer.until<SceneUpdate>(THINGS, ({ entities }) => entities.length === 2);
    expect(viewer.socket.protocol).toBe("foxglove.sdk.v1");
    expect(viewer.said[0]).toMatchObject({ op: "serverInfo" });
    await memory.write({
      records: ["one", "two", "three"].map((word, n) => ({
        kind: "event" as const,
        id: `event-${n}`,
        type: "custom" as const,
        text: [word],
        validFromUs: 2_000_000_000 + n,
        validToUs: 2_000_000_001 + n,
      })),
    });
    await viewer.until<Log>("/loci/events", ({ message }) => message === "three");
    const events = viewer.told.filter(({ topic }) => topic === "/loci/events");
    expect(events.map(({ value }) => (value as Log).message)).toEqual(["one", "two", "three"]);
    expect(events[0]!.timeNs).toBe(2_000_000_000_000n);
    const late = new Viewer(url, "foxglove.sdk.v1", [THINGS, "/loci/events"]);
    await late.until<Log>("/loci/events", ({ message }) => message === "three");
    expect(ids(await late.until<SceneUpdate>(THINGS, () => true))).toEqual(["mug-state", "strongbox-state"]);
    viewer.socket.terminate();
    late.socket.terminate();
  });

  it("shows a guest only what a guest may see", async () => {
    const { url } = await serve(memory.as({ principal: { id: "guest", labels: [] } }));
    const viewer = new Viewer(url, "foxglove.sdk.v1", [THINGS]);
    await viewer.until<SceneUpdate>(THINGS, ({ entities }) => entities.length === 1);
    await memory.write({
      records: [
        ...thing("safe", { x: 2, y: 1, z: 1 }, { labels: ["vault"] }),
        ...thing("lamp", { x: 0, y: 0, z: 1 }),
      ],
    });
    const scene = await viewer.until<SceneUpdate>(THINGS, ({ entities }) => entities.length > 1);
    expect(ids(scene)).toEqual(["lamp-state", "mug-state"]);
    expect(JSON.stringify(viewer.told.map(({ value }) => value))).not.toMatch(/strongbox|safe/);
    viewer.socket.terminate();
  });

  it("keeps no queue for whoever stops reading, and goes on with the newest when they read again", async () => {
    const { url } = await serve();
    const crowd = Array.from({ length: 1_500 }, (_, n) => thing(`thing-${n}`, { x: n, y: 0, z: 0 })).flat();
    await memory.write({ records: crowd });
    const slow = new Viewer(url, "foxglove.sdk.v1", [THINGS]);
    const quick = new Viewer(url, "foxglove.sdk.v1", [THINGS]);
    await slow.until<SceneUpdate>(THINGS, ({ entities }) => entities.length >= 1_502);
    slow.socket.pause();
    const before = slow.told.length;
    const rounds = 12;
    for (let n = 0; n < rounds; n++) {
      await memory.write({ records: thing(`late-${n}`, { x: n, y: 9, z: 0 }) });
      // Each round is told to whoever keeps up.
      await quick.until<SceneUpdate>(THINGS, (scene) =>
        scene.entities.some(({ id }) => id === `late-${n}-state`),
      );
    }
    slow.socket.resume();
    const scene = await slow.until<SceneUpdate>(THINGS, ({ entities }) =>
      entities.some(({ id }) => id === `late-${rounds - 1}-state`),
    );
    expect(scene.entities).toHaveLength(1_502 + rounds);
    expect(slow.told.length - before).toBeLessThan(rounds);
    slow.socket.terminate();
    quick.socket.terminate();
  });

  it("refuses other protocols, other sites and other names", async () => {
    const { url } = await serve();
    const codeOf = async (protocols: string[], headers: Record<string, string>) => {
      const socket = new WebSocket(url, protocols, { headers });
      socket.on("error", () => {});
      const [, response] = (await once(socket, "unexpected-response")) as [unknown, { statusCode: number }];
      socket.terminate();
      return response.statusCode;
    };
    expect(await codeOf(["mqtt"], {})).toBe(400);
    expect(await codeOf([], {})).toBe(400);
    expect(await codeOf(["foxglove.sdk.v1"], { Origin: "https://evil.example" })).toBe(403);
    expect(await codeOf(["foxglove.sdk.v1"], { Origin: "null" })).toBe(403);
    expect(await codeOf(["foxglove.sdk.v1"], { Host: "rebound.example" })).toBe(403);
    await expect(startFoxglove(memory, { host: "0.0.0.0", port: 0 })).rejects.toMatchObject({
      code: "invalid-input",
    });
    const own = new Viewer(url, "foxglove.sdk.v1", [], { Origin: "https://app.foxglove.dev" });
    await once(own.socket, "open");
    own.socket.terminate();
  });

  it("asks `admit` whose eyes somebody has, and shows each what those see", async () => {
    const server = await startFoxglove(memory, {
      port: 0,
      admit: async ({ url }) => {
        if (url === "/?token=owner") return {};
        return url === "/?token=guest" ? { principal: { id: "guest", labels: [] } } : undefined;
      },
    });
    running.push(server);
    const refused = new WebSocket(server.url, "foxglove.sdk.v1");
    refused.on("error", () => {});
    const [, response] = (await once(refused, "unexpected-response")) as [unknown, { statusCode: number }];
    expect(response.statusCode).toBe(401);
    refused.terminate();
    for (const [token, seen] of [
      ["owner", ["mug-state", "strongbox-state"]],
      ["guest", ["mug-state"]],
      ["owner", ["mug-state", "strongbox-state"]],
    ] as const) {
      const viewer = new Viewer(`${server.url}/?token=${token}`, "foxglove.sdk.v1", [THINGS]);
      expect(ids(await viewer.until<SceneUpdate>(THINGS, () => true))).toEqual(seen);
      viewer.socket.close();
      await once(viewer.socket, "close");
    }
  });

  it("lets go of whoever may not look any more", async () => {
    let labels: string[] | undefined = ["vault"];
    const server = await startFoxglove(memory, {
      port: 0,
      recheckMs: 10,
      admit: async () => labels && { principal: { id: "guest", labels } },
    });
    running.push(server);
    for (const next of [[], undefined]) {
      const viewer = new Viewer(server.url, "foxglove.sdk.v1", [THINGS]);
      await viewer.until<SceneUpdate>(THINGS, () => true);
      labels = next;
      await once(viewer.socket, "close");
    }
  });

  it("is there beside the HTTP server, by the same tokens", async () => {
    const access = new Access(folder);
    const server = await startFoxglove(memory, { port: 0, admit: byTokens(access) });
    running.push(server);
    const open = new Viewer(server.url, "foxglove.sdk.v1", [THINGS]);
    expect(ids(await open.until<SceneUpdate>(THINGS, () => true))).toHaveLength(2);
    open.socket.terminate();
    const grant = { name: "guest", scopes: ["read" as const], labels: [] };
    const token = access.add(grant, 1);
    const writer = access.add({ ...grant, name: "writer", scopes: ["write"] }, 1);
    for (const url of [server.url, `${server.url}/?token=wrong`, `${server.url}/?token=${writer}`]) {
      const refused = new WebSocket(url, "foxglove.sdk.v1");
      refused.on("error", () => {});
      const [, response] = (await once(refused, "unexpected-response")) as [unknown, { statusCode: number }];
      expect(response.statusCode).toBe(401);
      refused.terminate();
    }
    const guest = new Viewer(`${server.url}/?token=${token}`, "foxglove.sdk.v1", [THINGS]);
    expect(ids(await guest.until<SceneUpdate>(THINGS, () => true))).toEqual(["mug-state"]);
    guest.socket.terminate();
  });

  it("has room for others whatever one token takes, and a bound for all sockets", async () => {
    const access = new Access(folder);
    const grant = { name: "many", scopes: ["read" as const], labels: [] };
    const [many, other] = [access.add(grant, 1), access.add({ ...grant, name: "other" }, 1)];
    const server = await startFoxglove(memory, { port: 0, admit: byTokens(access) });
    running.push(server);
    const opened: WebSocket[] = [];
    /** 101 where it is let in. */
    const call = async (token: string): Promise<number> => {
      const socket = new WebSocket(`${server.url}/?token=${token}`, "foxglove.sdk.v1");
      opened.push(socket);
      socket.on("error", () => {});
      return Promise.race([
        once(socket, "open").then(() => 101),
        once(socket, "unexpected-response").then(
          ([, response]) => (response as { statusCode: number }).statusCode,
        ),
      ]);
    };
    const codes: number[] = [];
    for (let n = 0; n < 10; n++) codes.push(await call(many));
    expect(codes).toEqual([...Array(8).fill(101), 503, 503]);
    // Sockets that ask for nothing keep nobody out either.
    const { port, hostname } = new URL(server.url);
    const silent = Array.from({ length: 80 }, () => connect(Number(port), hostname).on("error", () => {}));
    await Promise.all(silent.map((socket) => once(socket, "connect")));
    expect(await call(other)).toBe(101);
    for (const socket of opened) socket.terminate();
    for (const socket of silent) socket.destroy();
    for (const { name } of access.list()) access.remove(name);
  });

  it("answers one who asks again and again no more than a share of the time", async () => {
    const server = await startFoxglove(memory, { port: 0, orders: { most: 50, everyMs: 3_600_000 } });
    running.push(server);
    const flood = new Viewer(server.url, "foxglove.sdk.v1", [THINGS]);
    await flood.until<SceneUpdate>(THINGS, () => true);
    const { id: channelId } = [...flood.channels.values()].find(({ topic }) => topic === THINGS)!;
    const id = channelId + 100;
    for (let n = 0; n < 2_000; n++) {
      flood.socket.send(JSON.stringify({ op: "unsubscribe", subscriptionIds: [id] }));
      flood.socket.send(JSON.stringify({ op: "subscribe", subscriptions: [{ id, channelId }] }));
    }
    // Whoever comes after all of that is served meanwhile.
    for (let n = 0; n < 5; n++) {
      const other = new Viewer(server.url, "foxglove.sdk.v1", [THINGS]);
      expect(ids(await other.until<SceneUpdate>(THINGS, () => true))).toContain("mug-state");
      other.socket.terminate();
    }
    expect(flood.told.length).toBeLessThanOrEqual(50);
    flood.socket.terminate();
  });

  it("says what it does not understand, and hangs up on who goes on", async () => {
    const { url } = await serve();
    const viewer = new Viewer(url, "foxglove.sdk.v1", []);
    await once(viewer.socket, "open");
    const closed = once(viewer.socket, "close");
    for (const nonsense of [
      "{",
      "[]",
      "null",
      '{"op":"subscribe","subscriptions":[{"id":-1,"channelId":1}]}',
      '{"op":"subscribe","subscriptions":[{"id":1,"channelId":999}]}',
    ])
      viewer.socket.send(nonsense);
    for (let n = 0; n < 20; n++) viewer.socket.send(Buffer.from([1, 2, 3]));
    const [code] = (await closed) as [number];
    expect(code).toBe(1008);
    const complaints = viewer.said.filter(({ op }) => op === "status").map(({ message }) => message);
    expect(complaints).toContain("there is no channel 999");
    expect(complaints.length).toBeLessThanOrEqual(20);
  });
});
