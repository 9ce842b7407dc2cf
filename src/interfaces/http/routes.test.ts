import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Memory, openMemory } from "../../compose.ts";
import { blobRefOf, type RecordInput } from "../../schema/index.ts";
import { type TestServer, testServer } from "../testing/test-server.ts";

const T0 = 1_767_225_600_000_000;
const JPEG = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, ...Array.from({ length: 96 }, (_, n) => n)]);
const THUMB = blobRefOf(JPEG);

const span = { validFromUs: T0, validToUs: null };
const at = (x: number) => ({ anchor: { submap: "world", p: { x, y: 0, z: 0 } } });

/** A room with a mug that all may see and a safe that the family may see. */
const RECORDS: RecordInput[] = [
  {
    kind: "observation",
    id: "look",
    sensorId: "camera",
    validFromUs: T0,
    validToUs: T0 + 1,
    ...at(0),
  },
  {
    kind: "view",
    id: "view",
    observationId: "look",
    thumb: THUMB,
    validFromUs: T0,
    validToUs: T0 + 1,
    ...at(0),
  },
  { kind: "track", id: "mug", name: "red mug", category: "mug", text: ["red mug"], ...span },
  {
    kind: "state",
    id: "mug-1",
    trackId: "mug",
    name: "red mug",
    category: "mug",
    text: ["red mug"],
    extent: { x: 0.1, y: 0.1, z: 0.1 },
    views: ["view"],
    ...at(1),
    ...span,
  },
];

const fill = (memory: Memory) => memory.write({ records: RECORDS, blobs: [JPEG] });

describe("what a program can ask of the server", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer({ fill });
  });
  afterAll(() => server.close());

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    server.fetch(path, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
    });

  it("says of every answer what it is, whose it is, and that it is not kept", async () => {
    const answers = [
      await post("/v1/search", { text: "red mug" }),
      await post("/v1/search", { limit: -1 }),
      await post("/v1/list", { what: "things" }),
      await server.fetch("/v1/stats"),
      await server.fetch("/v1/nothing"),
      await server.fetch("/health"),
    ];
    for (const { url, headers } of answers) {
      expect(headers.get("x-content-type-options"), url).toBe("nosniff");
      expect(headers.get("cross-origin-resource-policy"), url).toBe("same-origin");
      expect(headers.get("cache-control"), url).toBe("no-store");
      expect(headers.get("content-type"), url).toMatch(/^application\/(problem\+)?json/);
    }
  });

  it("finds by meaning and place", async () => {
    const response = await post("/v1/search", {
      text: "mug",
      near: { x: 1, y: 0, z: 0 },
      within: 2,
      kinds: ["state"],
    });
    const { hits } = (await response.json()) as { hits: { record: { id: string } }[] };
    expect(hits.map(({ record }) => record.id)).toEqual(["mug-1"]);
  });

  it("refuses what is nested too deeply in one line, and goes on", async () => {
    const deep = (op: string, n: number) =>
      `${`{"op":"${op}","of":[`.repeat(n)}{"op":"things"}${"]}".repeat(n)}`;
    const body = `{"expression":${deep("count", 30_000)}}`;
    const refused = await server.fetch("/v1/watches", {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    });
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      400,
      "invalid-input",
    ]);
    const said = await post("/v1/watches", {
      expression: `${"count(".repeat(2_500)}things()${")".repeat(2_500)}`,
    });
    expect(said.status).toBe(400);
  });

  it("remembers a fact once, however often it is said with the same key", async () => {
    const fact = { text: "The ladder is in the garage.", at: { x: 5, y: 5, z: 0 } };
    const first = await (await post("/v1/facts", fact, { "idempotency-key": "k1" })).json();
    const again = await post("/v1/facts", fact, { "idempotency-key": "k1" });
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await again.json()).toEqual(first);
    const other = await post("/v1/facts", { text: "Another." }, { "idempotency-key": "k1" });
    expect(other.status).toBe(409);
    const { hits } = (await (await post("/v1/search", { text: "ladder", by: "words" })).json()) as {
      hits: unknown[];
    };
    expect(hits).toHaveLength(1);
  });

  it("takes detections and captions, the same ones once", async () => {
    const looks = [
      {
        time: "2026-02-01T00:00:00Z",
        agent: "rob",
        detections: [{ category: "kettle", position: { x: 9, y: 9, z: 1 } }],
      },
    ];
    expect(await (await post("/v1/detections", { looks })).json()).toMatchObject({
      written: 2,
      unchanged: 0,
    });
    expect(await (await post("/v1/detections", { looks })).json()).toMatchObject({
      written: 0,
      unchanged: 2,
    });
    const captions = [{ text: "A dog sleeps on the rug.", time: T0, position: { x: 2, y: 2, z: 0 } }];
    expect(await (await post("/v1/captions", { captions })).json()).toMatchObject({ written: 1 });
    expect(await (await post("/v1/captions", { captions })).json()).toMatchObject({ written: 0 });
  });

  it("makes things of detections that are to be tracked", async () => {
    const look = (n: number) => ({
      time: T0 + n * 500_000,
      agent: "rob",
      pose: { p: { x: 20, y: 0, z: 1 }, q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 } },
      detections: [
        { category: "kettle", position: { x: 22, y: 0, z: 0.8 }, extent: { x: 0.2, y: 0.2, z: 0.2 } },
      ],
    });
    const looks = Array.from({ length: 5 }, (_, n) => look(n));
    expect(await (await post("/v1/detections", { looks, track: true })).json()).toMatchObject({ written: 5 });
    expect(await (await post("/v1/ask", { question: "How many kettles are there?" })).json()).toMatchObject({
      status: "answered",
      count: 1,
    });
    const { pose: _, ...unposed } = look(9);
    expect((await post("/v1/detections", { looks: [unposed], track: true })).status).toBe(400);
  });

  it("answers a question as JSON and as a stream, and goes on in a conversation", async () => {
    const answer = (await (await post("/v1/ask", { question: "Where is the mug?" })).json()) as {
      status: string;
    };
    expect(answer.status).toBe("answered");
    const stream = await post("/v1/ask", { question: "Where is the mug?" }, { accept: "text/event-stream" });
    expect(stream.headers.get("content-type")).toBe("text/event-stream");
    const events = (await stream.text()).split("\n\n").map((event) => /^event: (\w+)/.exec(event)?.[1]);
    expect(new Set(events)).toEqual(new Set(["reading", "evidence", "answer", undefined]));
    expect(events.indexOf("reading")).toBeLessThan(events.indexOf("answer"));
    const { id } = (await (await post("/v1/conversations", {})).json()) as { id: string };
    const asked = (question: string) => post(`/v1/conversations/${id}/questions`, { question });
    expect(await (await asked("Where is the mug?")).json()).toMatchObject({ status: "answered" });
    expect(await (await asked("What colour is it?")).json()).toMatchObject({
      text: expect.stringMatching(/red/i),
    });
    expect((await server.fetch(`/v1/conversations/${id}`, { method: "DELETE" })).status).toBe(204);
    expect((await asked("And now?")).status).toBe(404);
  });

  it("refuses an empty question in words", async () => {
    for (const question of ["", "  "]) {
      const response = await post("/v1/ask", { question });
      expect(response.status).toBe(400);
      const { detail } = (await response.json()) as { detail: string };
      expect(detail).toBe("json at question: a question has at least one word; got an empty one");
    }
  });

  it("says that there is no such room, place or agent", async () => {
    const refused = async (path: string, body: unknown) => {
      const response = await post(path, body);
      const { detail } = (await response.json()) as { detail: string };
      return `${response.status} ${detail}`;
    };
    const asked = { question: "Where is the mug?" };
    expect(await refused("/v1/ask", { ...asked, scene: "attic" })).toMatch(/^404 .*place.*"attic"/);
    expect(await refused("/v1/ask", { ...asked, agent: "nobody" })).toMatch(/^404 .*agent "nobody"/);
  });

  it("lists things", async () => {
    const { rows } = (await (await post("/v1/list", { what: "things", kind: "mug" })).json()) as {
      rows: unknown[];
    };
    expect(rows).toMatchObject([{ id: "mug" }]);
  });

  it("gives records, their history, pictures and parts of them", async () => {
    expect(await (await server.fetch("/v1/records/mug")).json()).toMatchObject({ kind: "track", version: 1 });
    expect(await (await server.fetch("/v1/records/mug/history")).json()).toHaveLength(1);
    expect((await server.fetch("/v1/records/nothing")).status).toBe(404);
    const picture = await server.fetch("/v1/views/view/picture");
    expect(picture.headers.get("content-type")).toBe("image/jpeg");
    expect(new Uint8Array(await picture.arrayBuffer())).toEqual(JPEG);
    const part = await server.fetch(`/v1/blobs/${THUMB}`, { headers: { range: "bytes=10-19" } });
    expect(part.status).toBe(206);
    expect(part.headers.get("content-range")).toBe(`bytes 10-19/${JPEG.length}`);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(JPEG.subarray(10, 20));
    const range = async (value: string) =>
      (await server.fetch(`/v1/blobs/${THUMB}`, { headers: { range: value } })).status;
    expect([await range("bytes=90-"), await range("bytes=-5"), await range("bytes=500-")]).toEqual([
      206, 206, 416,
    ]);
    const known = await server.fetch(`/v1/blobs/${THUMB}`, { headers: { "if-none-match": `"${THUMB}"` } });
    expect(known.status).toBe(304);
  });

  it("forgets for good, and keeps who did it", async () => {
    await post("/v1/facts", { text: "A secret.", id: "secret" });
    const { forgotten } = (await (
      await post("/v1/forget", { ids: ["secret"], reason: "asked to" })
    ).json()) as {
      forgotten: { id: string }[];
    };
    expect(forgotten.map(({ id }) => id)).toEqual(["secret"]);
    expect((await server.fetch("/v1/records/secret")).status).toBe(404);
    expect(await (await server.fetch("/v1/audit")).json()).toMatchObject([
      { who: "owner", act: "forget", ids: ["secret"], reason: "asked to" },
    ]);
  });

  it("describes itself, with a page that asks nobody else", async () => {
    const { openapi, paths } = (await (await server.fetch("/v1/openapi.json")).json()) as {
      openapi: string;
      paths: Record<string, unknown>;
    };
    expect(openapi).toBe("3.1.0");
    expect(Object.keys(paths)).toEqual(
      expect.arrayContaining(["/v1/search", "/v1/ask", "/v1/frames", "/v1/records/{id}"]),
    );
    const page = await (await server.fetch("/docs")).text();
    for (const [, url] of page.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect(url).toMatch(/^\//);
      expect((await server.fetch(url!)).status).toBe(200);
    }
  });

  it("counts for Prometheus, and logs no words of anybody", async () => {
    await post("/v1/search", { text: "verysecretword" });
    await server.fetch("/health");
    const metrics = await (await server.fetch("/metrics")).text();
    expect(metrics).toMatch(/loci_http_requests_total\{route="POST \/v1\/search",status="200"\} [1-9]/);
    expect(metrics).toMatch(/loci_http_requests_total\{route="GET \/health",status="200"\} [1-9]/);
    expect(metrics).toMatch(/loci_http_request_seconds_bucket\{route="POST \/v1\/search",le="\+Inf"\} [1-9]/);
    expect(server.log.length).toBeGreaterThan(0);
    expect(server.log.join("")).not.toMatch(/verysecretword|Bearer|loci_[\w-]{20}/);
  });
});

/** Settles when a server of this process has the head of its next request. */
const requestBegun = () =>
  new Promise<void>((resolve) => {
    const heard = () => {
      unsubscribe("http.server.request.start", heard);
      resolve();
    };
    subscribe("http.server.request.start", heard);
  });

describe("a server that is told to end", () => {
  it("finishes what it began, and the memory opens again as it was left", async () => {
    const server = await testServer({ fill });
    const body = JSON.stringify({ text: "Said at the last moment.", id: "last" });
    const headers = { "content-type": "application/json" };
    const begun = requestBegun();
    const last = server.fetch("/v1/facts", { method: "POST", body, headers });
    await begun;
    const ended = server.serving.close();
    expect((await last).status).toBe(200);
    await ended;
    await expect(server.fetch("/health")).rejects.toThrow();
    await server.memory.close();
    const again = await openMemory(server.memory.folder);
    expect((await (await again.reader()).get(["last"]))[0]).toMatchObject({ kind: "caption" });
    await again.close();
  });
});
