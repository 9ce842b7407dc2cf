import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestServer, testServer } from "../../src/interfaces/testing/test-server.ts";

const T0 = 1_767_225_600_000_000;
let server: TestServer;

beforeAll(async () => {
  server = await testServer({
    memory: { embedder: "hashing:16" },
    tokens: [
      { name: "boss", scopes: ["admin"], labels: "*" },
      { name: "guest", scopes: ["read"], labels: [] },
      { name: "open", scopes: ["write"], labels: [] },
      { name: "lab", scopes: ["write"], labels: ["mine"] },
    ],
  });
});
afterAll(() => server.close());

async function said(as: string, path: string, body?: unknown): Promise<string> {
  const response = await server.fetch(path, {
    as,
    ...(body !== undefined && {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    }),
  });
  return `${response.status} ${await response.text()}`;
}

/** Four looks at one thing, tracked. */
async function see(as: string, second: number, category: string, x: number, labels?: string[]) {
  const looks = [0, 1, 2, 3].map((n) => ({
    time: T0 + second * 1e6 + n * 5e5,
    agent: "eye",
    pose: { p: { x: 2, y: 2, z: 1 }, q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 } },
    detections: [
      {
        category,
        position: { x, y: 2, z: 1 },
        extent: { x: 0.3, y: 0.3, z: 0.3 },
        text: `a purple ${category}`,
      },
    ],
  }));
  const reply = await said(as, "/v1/detections", { track: true, looks, ...(labels && { labels }) });
  expect(reply).toMatch(/^200 /);
  const { finishFrames } = await import("../../src/compose.ts");
  await finishFrames(server.memory);
}

const shared = () =>
  said("guest", "/v1/search", { kinds: ["region", "place"], limit: 1000 }).then((text) =>
    text.replace(/"plan":\{.*/s, ""),
  );

const known = async () =>
  Promise.all([
    said("guest", "/v1/search", { kinds: ["track", "state", "event", "relation"], limit: 1000 }).then(
      (text) => text.replace(/"plan":\{.*/s, ""),
    ),
    said("guest", "/v1/list", { what: "things" }),
    said("guest", "/v1/list", { what: "rooms" }),
    // How long it took is no part of an answer.
    said("guest", "/v1/ask", { question: "Who is here?" }).then((text) => text.replace(/"trace":\{.*/s, "")),
    said("guest", "/v1/stats"),
  ]);

describe("things that all see", () => {
  it("stay as they are when others look at them, and past where they were, under a label", async () => {
    await see("open", 0, "person", 3);
    await see("open", 10, "mug", 3.4);
    const before = await known();
    expect(before[1]).toContain("mug");
    await see("lab", 60, "mug", 5, ["mine"]);
    await see("boss", 7200, "strongbox", 3.2, ["secret"]);
    expect(await known()).toEqual(before);
  });
});

describe("regions and places that all see", () => {
  it("stay as they are when others look under a label of their own", async () => {
    await see("open", 0, "globe", 3);
    const before = await shared();
    expect(before).toContain("site");
    await see("lab", 60, "strongbox", 3.5, ["mine"]);
    await see("boss", 120, "strongbox", 4, ["secret"]);
    expect(await shared()).toBe(before);
  });

  it("tell of nothing hidden when they are drawn anew", async () => {
    const before = await shared();
    await see("open", 180, "lamp", 4.5);
    await see("boss", 240, "vase", 5);
    const after = await shared();
    expect(after).not.toBe(before);
    expect(after).not.toMatch(/strongbox/);
    expect(await said("guest", "/v1/search", { text: "strongbox", by: "words", limit: 50 })).toContain(
      '"hits":[]',
    );
  });

  it("are not told of in changes when only what is hidden was written", async () => {
    const guest = await server.memory.engine.reader({ principal: { id: "guest", labels: [] } });
    const commits = async () => {
      const all: unknown[] = [];
      for await (const change of guest.changes({ live: false })) all.push(change);
      return all;
    };
    const before = await commits();
    await see("lab", 300, "strongbox", 3.5, ["mine"]);
    await see("boss", 360, "unicorn", 4, ["secret"]);
    expect(await commits()).toEqual(before);
    await guest.close();
  });
});
