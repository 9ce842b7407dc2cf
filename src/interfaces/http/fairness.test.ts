import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../testing/test-server.ts";
import { queuesOf } from "./fair-face.ts";
import { Idempotency } from "./idempotency.ts";
import { SERVER_LIMITS } from "./limits.ts";
import { Queue } from "./queue.ts";

let server: TestServer | undefined;
const sockets: { destroy(): void }[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close();
  server = undefined;
});

const tokens = [
  { name: "one", scopes: ["read" as const, "write" as const], labels: [] },
  { name: "other", scopes: ["read" as const, "write" as const], labels: [] },
];
const post = (path: string, as: string, body: object, headers: Record<string, string> = {}) =>
  server!.fetch(path, {
    method: "POST",
    as,
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });

describe("answers that are kept for a second time", () => {
  it("are those to writes, none to reads", async () => {
    server = await testServer({ tokens });
    const key = { "idempotency-key": "k" };
    for (const replayed of [null, null]) {
      const found = await post("/v1/search", "one", { limit: 10 }, key);
      expect(found.headers.get("idempotency-replayed")).toBe(replayed);
    }
    await post("/v1/facts", "one", { text: "The kettle is on." }, key);
    const again = await post("/v1/facts", "one", { text: "The kettle is on." }, key);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });

  it("take no more bytes than they may, in all and of one caller; what is forgotten is given up", async () => {
    const limits = { ...SERVER_LIMITS, keptBytes: 40_000, keptBytesOfOne: 20_000 };
    const answers = new Idempotency(limits);
    const ask = async (caller: string, key: string, body: string, meanwhile = async () => {}) => {
      let done = 0;
      const request = {
        method: "POST",
        path: "/v1/facts",
        header: () => key,
        arrayBuffer: async () => new ArrayBuffer(0),
      };
      const c = {
        req: request,
        res: new Response(body, { headers: { "content-type": "application/json" } }),
        get: () => ({ actor: { id: caller, labels: [] }, scopes: [] }),
      };
      const replay = await answers.middleware(c as never, async () => {
        done++;
        await meanwhile();
      });
      return { done, replay: replay instanceof Response ? await replay.text() : undefined };
    };
    for (let n = 0; n < 50; n++) await ask("flood", `k${n}`, "x".repeat(2_000));
    expect(answers.bytes).toBeLessThanOrEqual(20_000);
    await ask("other", "mine", '{"id":"cup"}');
    for (let n = 50; n < 100; n++) await ask("flood", `k${n}`, "x".repeat(2_000));
    expect(await ask("other", "mine", "")).toEqual({ done: 0, replay: '{"id":"cup"}' });
    const gone = { ids: new Set(["cup"]), names: [] };
    answers.forget(gone);
    expect((await ask("other", "mine", "{}")).done).toBe(1);
    // What the forgetting itself answers is kept: asked again it is not done again.
    await ask("other", "forgetting", '{"id":"cup"}', async () => answers.forget(gone));
    expect((await ask("other", "forgetting", "")).done).toBe(0);
    // An answer that was under way is given up once it is there.
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<void>();
    const slow = ask("other", "slow", '{"id":"cup"}', () => {
      begun.resolve();
      return end.promise;
    });
    await begun.promise;
    answers.forget(gone);
    end.resolve();
    await slow;
    expect((await ask("other", "slow", "{}")).done).toBe(1);
    for (let n = 0; n < 50; n++) await ask(`caller ${n}`, "k", "x".repeat(2_000));
    expect(answers.bytes).toBeLessThanOrEqual(40_000);
  });
});

describe("what one caller may take", { timeout: 30_000 }, () => {
  it("is a share of the bytes that bodies may have: slow ones keep nobody else from writing", async () => {
    server = await testServer({ tokens, limits: { bodyBytesAtOnce: 4_000_000, bodyBytesOfOne: 2_000_000 } });
    const token = server.serving.access.issue({ actor: { id: "slow", labels: [] }, scopes: ["read"] });
    const { port } = new URL(server.url);
    const answers: string[] = [];
    for (let n = 0; n < 6; n++) {
      const socket = connect(Number(port), "127.0.0.1", () =>
        socket.write(
          `POST /v1/ask HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n{`,
        ),
      );
      socket.on("data", (data) => answers.push(String(data).slice(9, 12)));
      socket.on("error", () => {});
      sockets.push(socket);
    }
    // Two fit into the share; the others are told to come back.
    await expect.poll(() => answers, { timeout: 10_000 }).toEqual(["429", "429", "429", "429"]);
    expect((await post("/v1/facts", "other", { text: "I am heard." })).status).toBe(200);
  });

  it("is a short body for what only reads", async () => {
    server = await testServer({ tokens });
    const long = { text: "x".repeat(1_100_000) };
    expect((await post("/v1/search", "one", long)).status).toBe(413);
    expect((await post("/v1/captions", "one", long)).status).toBe(400);
  });

  it("leaves room for who comes new, however many sockets are held open in silence", async () => {
    server = await testServer({ tokens, limits: { connections: 20 } });
    const { port } = new URL(server.url);
    for (let n = 0; n < 60; n++) {
      const socket = connect(Number(port), "127.0.0.1");
      socket.on("error", () => {});
      sockets.push(socket);
    }
    await expect.poll(() => server!.serving.connections(), { timeout: 10_000 }).toBe(20);
    for (let n = 0; n < 5; n++)
      expect((await server.fetch("/health", { headers: { connection: "close" } })).status).toBe(200);
    expect(server.serving.connections()).toBeLessThanOrEqual(20);
  });

  it("does not go on for whoever never says anything", async () => {
    server = await testServer({ tokens, limits: { headersMs: 100 } });
    const { port } = new URL(server.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.on("error", () => {});
    sockets.push(socket);
    await new Promise((closed) => socket.once("close", closed));
    await expect.poll(() => server!.serving.connections()).toBe(0);
  });

  it("is a few questions at work; the others wait, and everybody's in turn", async () => {
    const queue = new Queue({ questions: 2, questionsOfOne: 1, waitingOfOne: 4 });
    const order: string[] = [];
    const ends = new Map<string, () => void>();
    const ask = (caller: string, name: string, signal?: AbortSignal) =>
      queue.run(caller, signal, () => {
        order.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      });
    const flood = ["a1", "a2", "a3", "a4", "a5"].map((name) => ask("a", name));
    await expect(ask("a", "a6")).rejects.toThrow(/waiting already/);
    const gone = new AbortController();
    const left = ask("b", "b1");
    const never = ask("b", "b2", gone.signal);
    expect(order).toEqual(["a1", "b1"]);
    gone.abort(new Error("the client went away"));
    await expect(never).rejects.toThrow(/went away/);
    const late = ask("c", "c1");
    ends.get("a1")!();
    await flood[0];
    // A caller with none running goes before the next one of the flood when a place is free.
    ends.get("b1")!();
    await left;
    await expect.poll(() => order).toEqual(["a1", "b1", "a2", "c1"]);
    for (const name of ["a2", "c1", "a3", "a4", "a5"]) {
      await expect.poll(() => ends.has(name)).toBe(true);
      ends.get(name)!();
    }
    await Promise.all([...flood, late]);
  });

  it("is a few searches in one round of the event loop", async () => {
    const { short } = queuesOf(SERVER_LIMITS);
    const roundOf: number[] = [];
    let round = 0;
    let isOver = false;
    const tick = () => {
      round++;
      if (!isOver) setImmediate(tick);
    };
    setImmediate(tick);
    // Work that waits for nothing else, as a search of an index is.
    const flood = Array.from({ length: 64 }, () =>
      short.run("a", undefined, async () => roundOf.push(round)),
    );
    const other = short.run("b", undefined, async () => round);
    expect(await other).toBe(0);
    await Promise.all(flood);
    isOver = true;
    for (let n = 0; n <= round; n++)
      expect(roundOf.filter((at) => at === n).length).toBeLessThanOrEqual(2 * SERVER_LIMITS.searchesOfOne);
    expect(round).toBeGreaterThanOrEqual(3);
  });
});
