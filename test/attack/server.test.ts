import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingestRecording, simulate } from "../../src/index.ts";
import { type TestServer, testServer } from "../../src/interfaces/testing/test-server.ts";

const base = mkdtempSync(join(tmpdir(), "loci-attack-server-"));
const recording = join(base, "tour");
const EVERY_PAIR =
  'total(things(), count(filter(relate(things(), it(), relation: "near", withinM: 1000), reachable(it(), rooms(name: "kitchen")))))';
let server: TestServer;

beforeAll(async () => {
  await simulate({
    family: "house",
    seed: "70011",
    minutes: 0.5,
    fps: 2,
    noise: 0.5,
    out: recording,
  } as never);
  server = await testServer({
    fill: (memory) => ingestRecording(memory, recording),
    tokens: [
      { name: "hostile", scopes: ["read"], labels: [] },
      { name: "other", scopes: ["read", "write"], labels: [] },
    ],
  });
}, 180_000);
afterAll(async () => {
  await server.close();
  rmSync(base, { recursive: true, force: true });
});

const post = (path: string, as: string, body: object, signal?: AbortSignal) =>
  server.fetch(path, {
    method: "POST",
    as,
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
    ...(signal && { signal }),
  });

describe("a read token that does its worst", { timeout: 180_000 }, () => {
  it("holds nobody up with a standing query over all pairs, which is refused", async () => {
    const order: string[] = [];
    const hostile = post("/v1/watches", "hostile", { expression: EVERY_PAIR }).then((response) => {
      order.push("hostile");
      return response;
    });
    for (let n = 0; n < 10; n++) {
      expect((await server.fetch("/health")).status).toBe(200);
      const found = await post("/v1/search", "other", { near: { x: 1, y: 1, z: 1 }, within: 3 });
      expect(found.status).toBe(200);
    }
    order.push("others");
    const refused = await hostile;
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      413,
      "limit-exceeded",
    ]);
    // All others were answered while it was at work.
    expect(order).toEqual(["others", "hostile"]);
    expect(await (await server.fetch("/v1/watches", { as: "hostile" })).json()).toEqual([]);
  });

  it("gets no further once it has gone", async () => {
    const gone = new AbortController();
    const hostile = post("/v1/watches", "hostile", { expression: EVERY_PAIR }, gone.signal);
    await server.fetch("/health");
    gone.abort();
    await expect(hostile).rejects.toThrow();
    // The place at work that it had is free again: more questions than there are places are answered.
    const asked = Array.from({ length: 4 }, () =>
      post("/v1/ask", "hostile", { question: "Where is the sofa?" }),
    );
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });

  it("delays its own questions and not those of others", async () => {
    const order: string[] = [];
    const flood = Array.from({ length: 40 }, async () => {
      const { status } = await post("/v1/ask", "hostile", { question: "How many chairs are there?" });
      order.push("hostile");
      return status;
    });
    const other = await post("/v1/ask", "other", { question: "Where is the sofa?" });
    expect(other.status).toBe(200);
    const before = order.length;
    expect(new Set(await Promise.all(flood))).toEqual(new Set([200]));
    expect(before).toBeLessThan(20);
  });
});
