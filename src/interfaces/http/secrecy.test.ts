import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Memory } from "../../compose.ts";
import { blobRefOf, type RecordInput } from "../../schema/index.ts";
import { type TestServer, testServer } from "../testing/test-server.ts";

const T0 = 1_767_225_600_000_000;
const jpeg = (seed: number) =>
  Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, ...Array.from({ length: 64 }, (_, n) => (n * seed) % 256)]);
const [SHOWN, HIDDEN] = [jpeg(3), jpeg(7)];

/** A thing with a look, a view and a caption of its own. */
function thing(
  name: string,
  category: string,
  x: number,
  picture: Uint8Array,
  labels: string[],
): RecordInput[] {
  const common = { labels, validFromUs: T0, anchor: { submap: "world", p: { x, y: 0, z: 0.5 } } };
  const moment = { ...common, validToUs: T0 + 1 };
  const lasting = { ...common, validToUs: null };
  return [
    { kind: "observation", id: `${name}-look`, sensorId: "camera", ...moment },
    { kind: "view", id: `${name}-view`, observationId: `${name}-look`, thumb: blobRefOf(picture), ...moment },
    { kind: "track", id: name, name: category, category, text: [category], ...lasting },
    {
      kind: "state",
      id: `${name}-state`,
      trackId: name,
      name: category,
      category,
      text: [category],
      extent: { x: 0.2, y: 0.2, z: 0.2 },
      views: [`${name}-view`],
      ...lasting,
    },
    {
      kind: "caption",
      id: `${name}-caption`,
      source: "human",
      text: [`The ${category} stands here.`],
      ...moment,
    },
  ];
}

/** The same memory with and without what the family keeps to itself; what was written before has the same times. */
async function fill(memory: Memory, withSecret: boolean): Promise<void> {
  await memory.write({ records: thing("mug", "mug", 1, SHOWN, []), blobs: [SHOWN] });
  if (withSecret)
    await memory.write({ records: thing("safe", "safe", 1.5, HIDDEN, ["family"]), blobs: [HIDDEN] });
}

const tokens = [
  { name: "guest", scopes: ["read" as const], labels: [] },
  { name: "family", scopes: ["read" as const], labels: ["family"] },
  { name: "boss", scopes: ["admin" as const], labels: "*" as const },
  { name: "robot", scopes: ["write" as const], labels: [] },
  { name: "cook", scopes: ["read" as const, "write" as const], labels: [], scene: "kitchen" },
];

describe("what a caller may not see", () => {
  let [secret, plain] = [] as unknown as [TestServer, TestServer];
  beforeAll(async () => {
    let clock = T0 + 1_000_000_000;
    const nowUs = () => clock++;
    secret = await testServer({ tokens, memory: { nowUs }, fill: (memory) => fill(memory, true) });
    clock = T0 + 1_000_000_000;
    plain = await testServer({ tokens, memory: { nowUs }, fill: (memory) => fill(memory, false) });
  });
  afterAll(async () => {
    await secret.close();
    await plain.close();
  });

  const get = (path: string) => ({ path, init: {} });
  const post = (path: string, body: unknown, accept = "application/json") => ({
    path,
    init: {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", accept },
    },
  });

  const REQUESTS = [
    get("/v1/stats"),
    get("/v1/records/safe"),
    get("/v1/records/safe-state"),
    get("/v1/records/safe/history"),
    get("/v1/views/safe-view/picture"),
    get(`/v1/blobs/${blobRefOf(HIDDEN)}`),
    post("/v1/search", { text: "safe" }),
    post("/v1/search", { text: "safe", by: "words" }),
    post("/v1/search", { text: "mug" }),
    post("/v1/search", { ids: ["safe", "safe-state", "mug"] }),
    post("/v1/search", { near: { x: 1.5, y: 0, z: 0 }, within: 5 }),
    post("/v1/search", { limit: 1000 }),
    post("/v1/search", { owner: ["safe"], asOfWorld: T0 }),
    post("/v1/list", { what: "things" }),
    post("/v1/list", { what: "rooms" }),
    post("/v1/list", { what: "changes" }),
    post("/v1/ask", { question: "Where is the safe?" }),
    post("/v1/ask", { question: "How many things are there?" }),
    post("/v1/ask", { question: "What is next to the mug?" }),
    post("/v1/ask", { question: "Where is the safe?" }, "text/event-stream"),
  ];

  it("is not there: not in records, pictures, counts, rows, answers, streams or words of errors", async () => {
    for (const { path, init } of REQUESTS) {
      const [one, other] = await Promise.all(
        [secret, plain].map(async (server) => {
          const response = await server.fetch(path, { ...init, as: "guest" });
          return { path, status: response.status, body: withoutClock(await response.text()) };
        }),
      );
      expect(one).toEqual(other);
    }
  });

  it("is there for who holds the label, or the test above shows nothing", async () => {
    const found = await secret.fetch("/v1/records/safe", { as: "family" });
    expect(found.status).toBe(200);
    expect((await secret.fetch("/v1/views/safe-view/picture", { as: "family" })).status).toBe(200);
    const asked = post("/v1/ask", { question: "Where is the safe?" });
    expect(await (await secret.fetch(asked.path, { ...asked.init, as: "family" })).json()).toMatchObject({
      status: "answered",
    });
  });

  it("lets nobody do what his scope does not reach, in the same words for all", async () => {
    const acts = {
      read: [
        get("/v1/stats"),
        get("/v1/records/mug"),
        post("/v1/search", {}),
        post("/v1/ask", { question: "?" }),
      ],
      write: [
        post("/v1/facts", { text: "x" }),
        post("/v1/detections", { looks: [] }),
        post("/v1/captions", { captions: [] }),
        post("/v1/records", {}),
        post("/v1/frames", {}),
      ],
      admin: [post("/v1/forget", { ids: ["mug"], reason: "x" }), get("/v1/audit"), get("/metrics")],
    };
    const refused = { guest: ["write", "admin"], robot: ["read", "admin"] } as const;
    for (const [as, scopes] of Object.entries(refused)) {
      for (const scope of scopes) {
        for (const { path, init } of acts[scope]) {
          const response = await secret.fetch(path, { ...init, as });
          expect([path, response.status]).toEqual([path, 403]);
          expect(((await response.json()) as { detail: string }).detail).toBe(
            `this needs a token with the scope "${scope}"`,
          );
        }
      }
    }
    expect((await secret.fetch("/v1/records/mug", { as: "boss" })).status).toBe(200);
  });

  it("needs a token for every route but health and the description", async () => {
    const { paths } = (await (await secret.fetch("/v1/openapi.json")).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({
        method: method.toUpperCase(),
        path: path.replace(/\{\w+\}/g, "x"),
      })),
    );
    expect(routes.length).toBeGreaterThan(10);
    const isOpen = (path: string) => path === "/health" || path === "/ready";
    for (const { method, path } of routes.filter(({ path }) => !isOpen(path))) {
      expect([path, (await secret.fetch(path, { method })).status]).toEqual([path, 401]);
      expect([path, (await secret.fetch(path, { method, as: "loci_wrong" })).status]).toEqual([path, 401]);
    }
  });

  it("cannot be written over, guessed at or given away by who does not see it", async () => {
    const write = (body: unknown, path = "/v1/facts") => {
      const { init } = post(path, body);
      return secret.fetch(path, { ...init, as: "cook" });
    };
    expect((await write({ text: "x", id: "safe" })).status).toBe(403);
    expect((await write({ text: "x", id: "free" })).status).toBe(403);
    expect((await write({ text: "x", labels: ["family"] })).status).toBe(403);
    expect((await write({ records: [{ kind: "track", id: "safe" }] }, "/v1/records")).status).not.toBe(200);
    expect((await write({ records: [] }, "/v1/records")).status).toBe(403);
    const mine = (await (await write({ text: "Mine." })).json()) as { id: string };
    expect(mine).toMatchObject({ sceneId: "kitchen", labels: ["scene:kitchen"] });
    expect((await secret.fetch(`/v1/records/${mine.id}`, { as: "guest" })).status).toBe(404);
    expect((await secret.fetch(`/v1/records/${mine.id}`, { as: "cook" })).status).toBe(200);
  });

  it("is not shared through a conversation of somebody else", async () => {
    const begin = post("/v1/conversations", {});
    const { id } = (await (await secret.fetch(begin.path, { ...begin.init, as: "family" })).json()) as {
      id: string;
    };
    const next = post(`/v1/conversations/${id}/questions`, { question: "Where is the safe?" });
    expect((await secret.fetch(next.path, { ...next.init, as: "guest" })).status).toBe(404);
  });
});

/** Without what the clock of this machine says. */
function withoutClock(text: string): string {
  return text.replace(/"(?:ms|total|read|reason|retrieve)":(?:[\d.e-]+|\{[^{}]*\})/g, '"ms":0');
}
