import { afterEach, describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../testing/test-server.ts";
import { Access } from "./access.ts";

const GUEST = { name: "guest", scopes: ["read", "write"] as const, labels: ["family"] };
const BOSS = { name: "boss", scopes: ["admin"] as const, labels: "*" as const };
const grants = () => [GUEST, BOSS].map((grant) => ({ ...grant, scopes: [...grant.scopes] }));

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const post = (path: string, as: string, body: object, headers: Record<string, string> = {}) =>
  server!.fetch(path, {
    method: "POST",
    as,
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });

/** As `loci token remove` does it, in another process. */
const removed = (name: string) => new Access(server!.memory.folder).remove(name);
const madeAgain = (labels: string[]) =>
  new Access(server!.memory.folder).add({ name: "guest", scopes: ["read", "write"], labels }, 1);

describe("a token that is removed", { timeout: 30_000 }, () => {
  it("ends the streams that it opened, and the watches that it made", async () => {
    server = await testServer({ tokens: grants() });
    const stream = await server.fetch("/v1/changes", { as: "guest" });
    const others = await server.fetch("/v1/changes", { as: "boss" });
    const watch = await post("/v1/watches", "guest", { expression: "count(things())" });
    expect([stream.status, watch.status]).toEqual([200, 200]);
    removed("guest");
    // It ends by itself, with what it has told until then.
    expect(await stream.text()).toMatch(/^retry: \d+/);
    await expect
      .poll(async () => (await server!.fetch("/v1/watches", { as: "boss" })).json(), { timeout: 10_000 })
      .toEqual([]);
    expect((await server.fetch("/v1/stats", { as: "guest" })).status).toBe(401);
    // Other tokens are not affected.
    await server.memory.remember("the bell rang");
    const told = others.body!.getReader();
    expect(new TextDecoder().decode((await told.read()).value)).toMatch(/retry/);
    expect(new TextDecoder().decode((await told.read()).value)).toMatch(/commit/);
    await told.cancel();
  });

  it("leaves nothing to one of the same name: no watch, no conversation, no answer", async () => {
    server = await testServer({ tokens: grants() });
    const key = { "idempotency-key": "k" };
    const fact = { text: "The codeword is alpha.", labels: ["family"] };
    expect((await post("/v1/facts", "guest", fact, key)).status).toBe(200);
    expect((await post("/v1/watches", "guest", { expression: "count(things())" })).status).toBe(200);
    const talk = (await (await post("/v1/conversations", "guest", {})).json()) as { id: string };
    removed("guest");
    const other = madeAgain([]);
    await expect
      .poll(async () => (await server!.fetch("/v1/watches", { as: other })).status, { timeout: 10_000 })
      .toBe(200);
    expect(await (await server.fetch("/v1/watches", { as: other })).json()).toEqual([]);
    const asked = await post(`/v1/conversations/${talk.id}/questions`, other, { question: "Where is it?" });
    expect(asked.status).toBe(404);
    // The label is not held any more: it is refused, and not answered as the first time.
    const again = await post("/v1/facts", other, fact, key);
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([403, null]);
  });

  it("does not open the server to everybody on this machine when it was the last", async () => {
    server = await testServer({ tokens: grants() });
    for (const { name } of grants()) removed(name);
    await expect
      .poll(async () => (await server!.fetch("/v1/stats", { as: "boss" })).status, { timeout: 10_000 })
      .toBe(401);
    expect((await server.fetch("/v1/stats")).status).toBe(401);
    expect(new Access(server.memory.folder).isOpen).toBe(false);
  });
});
