import { connect } from "node:net";
import { createParser } from "eventsource-parser";
import { afterEach, describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../testing/test-server.ts";

const caption = (id: string, labels: string[] = [], bytes = 0) => ({
  kind: "caption" as const,
  id,
  source: "human" as const,
  text: [`note ${id}`],
  validFromUs: 0,
  validToUs: 1,
  labels,
  ...(bytes > 0 && { path: Array.from({ length: bytes / 40 }, (_, n) => ({ x: n + 0.123456, y: n, z: 0 })) }),
});
const read = { scopes: ["read" as const], labels: [] };

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A stream as a client has it: events one by one, and everything that came. */
async function stream(path: string, init: Parameters<TestServer["fetch"]>[1] = {}) {
  const stop = new AbortController();
  const response = await server!.fetch(path, { ...init, signal: stop.signal });
  const events: { id: string | undefined; data: unknown }[] = [];
  const comments: string[] = [];
  const parser = createParser({
    onEvent: ({ id, data }) => events.push({ id, data: JSON.parse(data) }),
    onComment: (comment) => comments.push(comment),
  });
  const done = (async () => {
    const decoder = new TextDecoder();
    for await (const part of response.body ?? []) parser.feed(decoder.decode(part, { stream: true }));
  })().catch(() => undefined);
  return { response, events, comments, done, stop: () => stop.abort() };
}

const ids = (events: readonly { data: unknown }[]) =>
  events.flatMap(({ data }) => (data as { put: { id: string }[] }).put.map(({ id }) => id));

describe("a stream of changes", { timeout: 20_000 }, () => {
  it("tells each what he may see, and goes on after the last that he has", async () => {
    server = await testServer({
      tokens: [
        { name: "all", scopes: ["admin"], labels: "*" },
        { name: "guest", ...read },
      ],
    });
    const { memory } = server;
    await memory.write({ records: [caption("a")] });
    await memory.write({ records: [caption("hidden", ["private"])] });
    const guest = await stream("/v1/changes?after=0", { as: "guest" });
    const all = await stream("/v1/changes?after=0", { as: "all" });
    await memory.write({ records: [caption("b"), caption("also hidden".replace(" ", "-"), ["private"])] });
    await expect.poll(() => ids(guest.events)).toEqual(["a", "b"]);
    await expect.poll(() => ids(all.events)).toEqual(["a", "hidden", "b", "also-hidden"]);
    const [first] = all.events;
    all.stop();
    const again = await stream("/v1/changes", { as: "all", headers: { "last-event-id": first!.id! } });
    await expect.poll(() => ids(again.events)).toEqual(["hidden", "b", "also-hidden"]);
    const fresh = await stream("/v1/changes?kinds=event,caption&records=true", { as: "guest" });
    await new Promise((go) => setTimeout(go, 100));
    await memory.write({ records: [caption("c")] });
    await expect.poll(() => ids(fresh.events)).toEqual(["c"]);
    expect(fresh.events[0]!.data).toMatchObject({ put: [{ record: { text: ["note c"] } }] });
    expect((await server.fetch("/v1/changes?kinds=nonsense", { as: "guest" })).status).toBe(400);
    expect((await server.fetch("/v1/changes")).status).toBe(401);
    for (const one of [guest, again, fresh]) one.stop();
  });

  it("greets who hears nothing, takes no more than its limit, and says goodbye when the server ends", async () => {
    server = await testServer({ limits: { streamBeatMs: 30, streams: 2 } });
    const [one, two] = [await stream("/v1/changes"), await stream("/v1/changes")];
    await expect.poll(() => one.comments.length).toBeGreaterThan(2);
    const third = await server.fetch("/v1/changes");
    expect([third.status, ((await third.json()) as { code: string }).code]).toEqual([503, "overloaded"]);
    two.stop();
    await expect.poll(async () => (await stream("/v1/changes")).response.status).toBe(200);
    await server.close();
    server = undefined;
    await one.done;
  });

  it("cuts off who does not read, and only him", async () => {
    server = await testServer({ limits: { streamWriteMs: 1_000, streams: 2 } });
    const { memory, url } = server;
    const reader = await stream("/v1/changes?records=true");
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("GET /v1/changes?records=true HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
    await new Promise((go) => socket.once("data", go));
    socket.pause();
    // A third is let in when one of the two is gone.
    let third = await stream("/v1/changes");
    let written = 0;
    for (; written < 400 && third.response.status !== 200; written++) {
      await memory.write({ records: [caption(`big-${written}`, [], 160_000)] });
      third = await stream("/v1/changes");
    }
    expect(third.response.status).toBe(200);
    await expect.poll(() => ids(reader.events).length, { timeout: 5_000 }).toBe(written);
    const closed = new Promise((go) => socket.once("close", go).on("error", () => undefined));
    socket.resume();
    await closed;
    for (const one of [reader, third]) one.stop();
  });
});

describe("people over HTTP", { timeout: 20_000 }, () => {
  it("correct, name and undo with the scope to write, and are told of what they watch", async () => {
    server = await testServer({
      tokens: [
        { name: "ada", scopes: ["read", "write"], labels: [] },
        { name: "guest", ...read },
      ],
      fill: (memory) =>
        memory.write({
          records: [
            { kind: "track", id: "t", name: "black box", category: "box", validFromUs: 0, validToUs: null },
            {
              kind: "state",
              id: "s",
              trackId: "t",
              name: "black box",
              category: "box",
              text: ["black box"],
              validFromUs: 0,
              validToUs: null,
              anchor: { submap: "world", p: { x: 1, y: 2, z: 0 } },
            },
          ],
        }),
    });
    const post = async (path: string, body: unknown, as = "ada") => {
      const headers = { "content-type": "application/json" };
      const response = await server!.fetch(path, { method: "POST", body: JSON.stringify(body), headers, as });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const watch = await post("/v1/watches", { expression: 'things(category: "printer")' }, "guest");
    expect(watch).toMatchObject({
      status: 200,
      body: { owner: "guest", dependsOn: { categories: ["printer"] } },
    });
    const heard = await stream(`/v1/watches/${watch.body["id"]}/events`, { as: "guest" });
    expect((await server.fetch(`/v1/watches/${watch.body["id"]}/events`, { as: "ada" })).status).toBe(404);

    expect((await post("/v1/corrections", { target: "t", is: "printer" }, "guest")).status).toBe(403);
    const said = await post("/v1/corrections", {
      target: "the black box",
      is: "a printer",
      author: "somebody-else",
    });
    expect(said).toMatchObject({ status: 200, body: { says: "printer", was: "black box", author: "ada" } });
    await expect.poll(() => heard.events.length).toBe(1);
    expect(heard.events[0]).toMatchObject({
      id: "1",
      data: { entered: [{ id: "t", name: "black printer" }] },
    });
    const again = await stream(`/v1/watches/${watch.body["id"]}/events`, {
      as: "guest",
      headers: { "last-event-id": "0" },
    });
    await expect.poll(() => again.events.length).toBe(1);
    expect(again.events).toEqual(heard.events);

    const forged = {
      kind: "event",
      type: "correction",
      id: "f",
      author: "boss",
      who: ["t"],
      validFromUs: 0,
      validToUs: null,
    };
    expect((await post("/v1/records", { records: [forged] })).status).toBe(403);

    const dock = await post("/v1/names", { at: { x: 1, y: 2, z: 0 }, name: "charging dock" });
    expect(dock).toMatchObject({ status: 200, body: { says: "charging dock" } });
    expect((await post("/v1/names", { name: "nothing" })).status).toBe(400);
    expect((await post("/v1/names", { target: "no such thing", name: "x" })).status).toBe(404);
    const undone = await post(`/v1/corrections/${said.body["id"]}/undo`, {});
    expect(undone).toMatchObject({ status: 200, body: { undone: { by: "ada" } } });
    await expect.poll(() => heard.events.length).toBe(2);
    const list = (await (await server.fetch("/v1/corrections", { as: "guest" })).json()) as {
      says: string;
    }[];
    expect(list.map(({ says }) => says)).toEqual(["charging dock", "printer"]);
    const ended = await server.fetch(`/v1/watches/${watch.body["id"]}`, { method: "DELETE", as: "guest" });
    expect(ended.status).toBe(200);
    await Promise.all([heard.done, again.done]);
  });
});
