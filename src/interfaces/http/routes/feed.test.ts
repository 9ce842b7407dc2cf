import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readStates, readWays } from "../../../exchange/feed/decode.ts";
import { feedSceneSchema, type RecordInput } from "../../../schema/index.ts";
import { type TestServer, testServer } from "../../testing/test-server.ts";

const START_US = Date.UTC(2026, 0, 5, 9) * 1_000;

function thing(id: string, x: number, labels: string[] = []): RecordInput[] {
  const common = { labels, validFromUs: START_US, validToUs: null, name: `red ${id}`, category: "mug" };
  return [
    { ...common, kind: "track", id: `track-${id}` },
    {
      ...common,
      kind: "state",
      id,
      trackId: `track-${id}`,
      anchor: { submap: "world", p: { x, y: 1, z: 1 } },
      extent: { x: 0.1, y: 0.1, z: 0.1 },
    },
  ];
}

const ROOM: RecordInput = {
  kind: "region",
  id: "kitchen",
  type: "room",
  level: 1,
  name: "kitchen",
  validFromUs: START_US,
  validToUs: null,
  anchor: { submap: "world", p: { x: 2, y: 2, z: 0 } },
  hull: [
    { x: 0, y: 0, z: 0 },
    { x: 4, y: 0, z: 0 },
    { x: 4, y: 4, z: 0 },
    { x: 0, y: 4, z: 0 },
  ],
};

let server: TestServer;
beforeAll(async () => {
  server = await testServer({
    tokens: [
      { name: "guest", scopes: ["read"], labels: [] },
      { name: "friend", scopes: ["read"], labels: ["private"] },
      { name: "writer", scopes: ["write"], labels: "*" },
    ],
    fill: (memory) =>
      memory.write({ records: [ROOM, ...thing("mug", 1), ...thing("diary", 2, ["private"])] }),
  });
});
afterAll(() => server.close());

const get = (path: string, as: string, headers: Record<string, string> = {}) =>
  server.fetch(path, { as, headers });
const post = (path: string, as: string, body: unknown) =>
  server.fetch(path, {
    as,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

describe("the feed over HTTP", () => {
  it("gives the scene with an etag, and not again to whoever holds it", async () => {
    const first = await get("/v1/feed", "friend");
    const scene = feedSceneSchema.parse(await first.json());
    expect(scene.regions).toMatchObject([{ id: "kitchen", type: "room", z: 0 }]);
    expect(scene.counts).toMatchObject({ states: 2 });
    const etag = first.headers.get("etag")!;
    const again = await get("/v1/feed", "friend", { "if-none-match": etag });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
  });

  it("gives states and ways as blocks, and then what changed since", async () => {
    const { revision } = feedSceneSchema.parse(await (await get("/v1/feed", "friend")).json());
    const response = await get("/v1/feed/states", "friend");
    expect(response.headers.get("content-type")).toBe("application/vnd.loci.block");
    const states = readStates(await response.arrayBuffer());
    expect(states.id.all().sort()).toEqual(["diary", "mug"]);
    await server.memory.write({ records: thing("cup", 3) });
    const update = readStates(await (await get(`/v1/feed/states?since=${revision}`, "friend")).arrayBuffer());
    expect(update.id.all()).toEqual(["cup"]);
    expect(readWays(await (await get("/v1/feed/ways", "friend")).arrayBuffer()).ways).toEqual([]);
  });

  it("shows whoever lacks a label nothing of it, and the same words as for what is not there", async () => {
    const theirs = readStates(await (await get("/v1/feed/states?versions=true", "guest")).arrayBuffer());
    expect(theirs.id.all()).not.toContain("diary");
    expect(theirs.tracks.all()).not.toContain("track-diary");
    expect((await (await get("/v1/feed", "guest")).json()) as object).toMatchObject({
      counts: { states: theirs.count, tracks: theirs.count },
    });
    const [hidden, nothing] = await Promise.all(
      ["diary", "d1ary"].map(async (name) => {
        const response = await get(`/v1/life/${name}`, "guest");
        return { status: response.status, text: (await response.text()).replaceAll(name, "it") };
      }),
    );
    expect(hidden!.status).toBe(404);
    expect(hidden).toEqual(nothing);
    expect((await get("/v1/life/diary", "friend")).status).toBe(200);
  });

  it("refuses what it cannot read, and whoever has no scope for it", async () => {
    for (const path of [
      "/v1/feed/states?limit=0",
      "/v1/feed/states?since=yesterday",
      "/v1/feed/states?after=x",
      "/v1/feed/states?since=1.1&after=1~a",
      "/v1/feed/map/world:0:0?level=9",
      "/v1/feed/ways?from=soon",
    ])
      expect([path, (await get(path, "friend")).status]).toEqual([path, 400]);
    for (const path of ["/v1/feed/map/world:0:0", "/v1/feed/ground/world:0", "/v1/life/nothing"])
      expect([path, (await get(path, "friend")).status]).toEqual([path, 404]);
    for (const path of ["/v1/feed", "/v1/feed/states", "/v1/feed/ways", "/v1/feed/ground", "/v1/life/mug"])
      expect([path, (await get(path, "writer")).status]).toEqual([path, 403]);
  });
});

describe("accounts over HTTP", () => {
  it("tells the life of a thing by id and by words", async () => {
    for (const ref of ["track-mug", "mug"])
      expect(await (await get(`/v1/life/${ref}`, "guest")).json()).toMatchObject({
        id: "track-mug",
        stays: [{ stateId: "mug", room: { name: "kitchen" } }],
      });
  });

  it("gives timeline, diff, coverage, route and goal", async () => {
    const b = new Date(START_US / 1_000).toISOString();
    const answers = await Promise.all([
      post("/v1/timeline", "guest", { buckets: 4 }),
      post("/v1/diff", "guest", { a: START_US - 1_000_000, b }),
      post("/v1/coverage", "guest", {}),
      post("/v1/route", "guest", { from: { x: 1, y: 3, z: 0 }, to: "mug" }),
      post("/v1/goal", "guest", { to: "kitchen" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const [timeline, diff, coverage, route, goal] = await Promise.all(answers.map((answer) => answer.json()));
    expect(timeline).toMatchObject({ events: [] });
    expect(diff).toMatchObject({ gone: [], moved: [] });
    expect(JSON.stringify(diff)).toContain("track-mug");
    expect(JSON.stringify(diff)).not.toContain("diary");
    expect(coverage).toMatchObject({ floors: [], rooms: [] });
    expect(route).toMatchObject({ to: { id: "track-mug" }, rooms: [{ id: "kitchen" }] });
    expect(goal).toMatchObject({ goal: null });
    expect((await post("/v1/diff", "guest", { a: 1 })).status).toBe(400);
    expect((await post("/v1/route", "guest", { to: "moon", from: "kitchen" })).status).toBe(404);
  });
});
