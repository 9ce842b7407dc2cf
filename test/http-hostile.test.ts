import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type TestServer, testServer } from "../src/interfaces/testing/test-server.ts";
import { encodePng } from "../src/sensors/index.ts";

interface Raw {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A request as no well-behaved client sends it; the path goes out as it stands. */
function raw(
  server: TestServer,
  { method = "GET", path, headers = {}, body }: Raw,
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (part: Buffer) => {
        text += part.toString("latin1");
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** What comes back over a socket on which these bytes were sent and no more, until the server ends it. */
function untilClosed(server: TestServer, bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on("data", (part) => {
      text += part.toString("latin1");
    });
    socket.on("error", () => resolve(text));
    socket.on("close", () => resolve(text));
  });
}

const json = { "content-type": "application/json" };

describe("requests that mean harm", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer({
      limits: {
        headersMs: 200,
        requestMs: 400,
        jsonBytes: 100_000,
        answerBytes: 20_000,
        frameBytes: 1_000_000,
      },
      fill: (memory) => memory.remember("The mug is here.", { id: "mug" }),
    });
    // Something worth stealing beside the memory.
    writeFileSync(join(server.memory.folder, "server.json"), '{"token":"loci_this-is-worth-stealing"}');
  });
  afterAll(() => server.close());

  const isWell = async () => expect((await server.fetch("/v1/records/mug")).status).toBe(200);

  it("reach no file", async () => {
    const paths = [
      "/../../etc/passwd",
      "/docs/../../../../etc/passwd",
      "/docs/..%2f..%2f..%2fpackage.json",
      "/docs/%2e%2e/%2e%2e/package.json",
      "/v1/blobs/..%2f..%2fserver.json",
      "/v1/blobs/../server.json",
      "/v1/records/..%2fserver.json",
      "/v1/records/%00",
      "/v1/views/..%5c..%5cserver.json/picture",
      "//etc/passwd",
    ];
    for (const path of paths) {
      const { status, text } = await raw(server, { path });
      expect([path, [400, 404].includes(status)]).toEqual([path, true]);
      expect(text).not.toMatch(/root:|worth-stealing|"dependencies"/);
    }
    await isWell();
  });

  it("are not read when they are too large, nor when they hide how large they are", async () => {
    const claimed = await raw(server, {
      method: "POST",
      path: "/v1/search",
      headers: { ...json, "content-length": "1000000000" },
      body: "",
    }).catch(() => ({ status: 413, text: "" }));
    expect(claimed.status).toBe(413);
    const streamed = await raw(server, {
      method: "POST",
      path: "/v1/search",
      headers: { ...json, "transfer-encoding": "chunked" },
      body: "{}",
    });
    expect(streamed.status).toBe(413);
    const header = await raw(server, { path: "/v1/stats", headers: { "x-long": "x".repeat(20_000) } });
    expect(header.status).toBe(431);
    await isWell();
  });

  it("are refused when they ask for too much or are no JSON", async () => {
    const post = async (path: string, body: string) =>
      (await raw(server, { method: "POST", path, headers: json, body })).status;
    expect(await post("/v1/search", '{"limit":100000}')).toBe(400);
    expect(await post("/v1/search", `{"text":"${"x".repeat(20_000)}"}`)).toBe(400);
    expect(await post("/v1/search", '{"text":')).toBe(400);
    expect(await post("/v1/search", "[".repeat(40_000))).toBe(400);
    expect(await post("/v1/search", '{"near":{"x":1e999,"y":0,"z":0}}')).toBe(400);
    expect(await post("/v1/search", '{"__proto__":{"limit":1}}')).not.toBe(500);
    expect(await post("/v1/search", '{"unknown":1}')).toBe(400);
    const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`;
    const event = `{"records":[{"kind":"event","id":"e","type":"custom","validFromUs":0,"validToUs":1,"detail":{"a":${deep}}}]}`;
    expect(await post("/v1/records", event)).toBe(400);
    await isWell();
  });

  it("get no answer larger than a limit", async () => {
    const lines = Array.from({ length: 40 }, (_, n) => `${n} ${"long ".repeat(200)}`.trim());
    await server.memory.write({
      records: [{ kind: "caption", id: "long", source: "human", text: lines, validFromUs: 0, validToUs: 1 }],
    });
    const body = JSON.stringify({ ids: ["long", "mug"] });
    expect((await raw(server, { method: "POST", path: "/v1/search", headers: json, body })).status).toBe(413);
    const one = JSON.stringify({ ids: ["mug"] });
    expect((await raw(server, { method: "POST", path: "/v1/search", headers: json, body: one })).status).toBe(
      200,
    );
  });

  it("are cut off when they are slow, in their head or in their body", async () => {
    const [head, body] = await Promise.all([
      untilClosed(server, "POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow"),
      untilClosed(
        server,
        "POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
      ),
    ]);
    expect([head, body].every((text) => text === "" || text.startsWith("HTTP/1.1 408"))).toBe(true);
    await isWell();
  });

  it("are not answered under a name that somebody else points here", async () => {
    for (const host of ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "["]) {
      const { status } = await raw(server, { path: "/v1/stats", headers: { host } });
      expect([host, status]).toEqual([host, expect.toBeOneOf([400, 403])]);
    }
    expect((await raw(server, { path: "/v1/stats", headers: { host: "localhost:1" } })).status).toBe(200);
    const asked = await raw(server, {
      method: "OPTIONS",
      path: "/v1/search",
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    });
    expect(asked.status).toBe(403);
  });
});

describe("frames that mean harm", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await testServer({ limits: { frameBytes: 1_000_000 } });
  });
  afterAll(() => server.close());

  const SAID = {
    timeUs: 1_767_225_600_000_000,
    agentId: "rob",
    sensorId: "camera",
    intrinsics: { fx: 50, fy: 50, cx: 32, cy: 24, width: 64, height: 48 },
    worldFromCamera: { p: { x: 0, y: 0, z: 1 }, q: { w: 1, x: 0, y: 0, z: 0 } },
  };
  const send = (said: unknown, files: Readonly<Record<string, Uint8Array | string>>) => {
    const form = new FormData();
    form.set("frame", typeof said === "string" ? said : JSON.stringify(said));
    for (const [name, bytes] of Object.entries(files))
      form.set(name, new Blob([new Uint8Array(Buffer.from(bytes))]), name);
    return server.fetch("/v1/frames", { method: "POST", body: form });
  };
  const grey = (width: number, height: number) =>
    encodePng({ width, height, channels: 1, data: new Uint16Array(width * height) });

  it("are refused within limits: pictures of another size, bombs, scripts, noise", async () => {
    const large = await grey(64, 48);
    const bomb = large.slice();
    new DataView(bomb.buffer, bomb.byteOffset).setUint32(16, 8_000);
    const files = {
      bomb: { depth: bomb },
      small: { depth: await grey(32, 24) },
      noise: { picture: Uint8Array.from({ length: 1_000 }, (_, n) => (n * 7919) % 256) },
      svg: { picture: '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>' },
      cut: { depth: large.subarray(0, 60) },
      empty: { picture: new Uint8Array(0) },
      jpeg: { picture: Uint8Array.from([0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 48, 0, 64, 3]) },
    };
    for (const [name, parts] of Object.entries(files))
      expect([name, (await send(SAID, parts)).status]).toEqual([name, 400]);
    const huge = { ...SAID, intrinsics: { ...SAID.intrinsics, width: 8_000, height: 8_000 } };
    expect((await send(huge, { depth: large })).status).toBe(413);
    expect((await send({ ...SAID, agentId: "../../x" }, {})).status).toBe(400);
    expect((await send("{", {})).status).toBe(400);
    expect((await send(SAID, { picture: new Uint8Array(2_000_000) })).status).toBe(413);
  });

  it("are refused when their parts cannot be told apart", async () => {
    const type = { "content-type": "multipart/form-data; boundary=B" };
    const bodies = [
      "",
      "--B",
      "--B\r\n\r\n",
      "--C\r\nContent-Disposition: form-data; name=frame\r\n\r\n{}\r\n--C--",
      "\0".repeat(1_000),
    ];
    for (const body of bodies)
      expect((await raw(server, { method: "POST", path: "/v1/frames", headers: type, body })).status).toBe(
        400,
      );
    const part = "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n";
    const endless = [`${part.repeat(100)}--B--`, `--B\r\nX: ${"y".repeat(100_000)}\r\n\r\n--B--`];
    for (const body of endless)
      expect((await raw(server, { method: "POST", path: "/v1/frames", headers: type, body })).status).toBe(
        413,
      );
    const none = await raw(server, {
      method: "POST",
      path: "/v1/frames",
      headers: { "content-type": "multipart/form-data" },
      body: "x",
    });
    expect(none.status).toBe(400);
    const json = await raw(server, {
      method: "POST",
      path: "/v1/frames",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    expect(json.status).toBe(400);
  });

  it("are refused before what they say is read whole, where it is too long or nested without end", async () => {
    const roomy = await testServer();
    onTestFinished(() => roomy.close());
    const begun = JSON.stringify(SAID).slice(0, -1);
    const told: Record<string, readonly [said: string, status: number]> = {
      "more than a body of JSON may have": ["[".repeat(9_000_000), 413],
      "brackets without end": ["[".repeat(3_000_000), 400],
      "objects without end": [`${begun},"detections":[${"{},".repeat(2_000_000)}{}]}`, 413],
      "wrong members without end": [`${begun},"detections":[${"1,".repeat(3_000_000)}1]}`, 400],
    };
    for (const [name, [said, status]] of Object.entries(told)) {
      const form = new FormData();
      form.set("frame", said);
      const answer = await roomy.fetch("/v1/frames", { method: "POST", body: form });
      expect([name, answer.status]).toEqual([name, status]);
    }
  });

  it("are taken when they are what they say, once", async () => {
    const depth = await encodePng({
      width: 64,
      height: 48,
      channels: 1,
      data: new Uint16Array(64 * 48).fill(2_000),
    });
    const data = Uint8Array.from({ length: 64 * 48 * 3 }, (_, n) => 60 + ((n * 37) % 150));
    const picture = await encodePng({ width: 64, height: 48, channels: 3, data });
    const detections = [{ bbox: [20, 14, 44, 34], score: 0.9, label: "mug" }];
    const first = await send({ ...SAID, detections }, { depth, picture });
    expect(first.status).toBe(200);
    const outcome = (await first.json()) as { observationId: string; detections: number };
    expect(outcome.detections).toBe(1);
    expect((await server.fetch(`/v1/records/${outcome.observationId}`)).status).toBe(200);
    const again = await send({ ...SAID, detections }, { depth, picture });
    expect(await again.json()).toMatchObject({ reason: "duplicate" });
  });
});

describe("a flood", () => {
  it("is told to come back, and leaves the server well", async () => {
    const server = await testServer({ limits: { requests: 4, requestsOfOne: 2, connections: 64 } });
    const tell = () =>
      server
        .fetch("/v1/facts", { method: "POST", body: '{"text":"A mug."}', headers: json })
        .then(async (response) => {
          await response.arrayBuffer();
          return { status: response.status, retry: response.headers.get("retry-after") };
        });
    const answers = await Promise.all(Array.from({ length: 40 }, tell));
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].every((status) => [200, 429, 503].includes(status))).toBe(true);
    expect(statuses.has(200)).toBe(true);
    expect(statuses.has(429) || statuses.has(503)).toBe(true);
    for (const { status, retry } of answers) expect(retry).toBe(status === 200 ? null : "1");
    expect((await tell()).status).toBe(200);
    await server.close();
  });
});
