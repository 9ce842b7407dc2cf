import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openHashing } from "../hashing/hashing.ts";
import { describeTextEmbedder } from "../testing/text-embedder-contract.ts";
import { type OpenAiCompatibleOptions, openOpenAiCompatible } from "./openai-compatible.ts";

const KEY = "sk-very-secret-0123456789";
const DIM = 48;
const model = openHashing(DIM);

interface Asked {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly key: string | undefined;
  readonly body: { model: string; input: string[]; encoding_format: string; dimensions?: number };
}
type Answer = (response: ServerResponse, asked: Asked, request: IncomingMessage) => void | Promise<void>;

/** A real local server; `script` answers the next requests in turn, then it behaves normally. */
let server: Server;
let baseUrl: string;
let script: Answer[] = [];
let asked: Asked[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method, url: path, headers } = request;
    const one = {
      method,
      path,
      key: headers.authorization,
      body: JSON.parse(Buffer.concat(chunks).toString()),
    };
    asked.push(one);
    await (script.shift() ?? answerWell)(response, one, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  script = [];
  asked = [];
});

const send = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));

async function vectorsOf(body: Asked["body"]): Promise<number[][]> {
  const rows = await model.embed(body.input);
  // Not unit length, as from some servers.
  return rows.map((row) => Array.from(row ?? new Float32Array(DIM).fill(1), (item) => 3 * item));
}

const toBase64 = (row: number[]) => Buffer.from(Float32Array.from(row).buffer).toString("base64");

const answerWell: Answer = async (response, { body }) => {
  const rows = await vectorsOf(body);
  const encode = body.encoding_format === "base64" ? toBase64 : (row: number[]) => row;
  const data = rows.map((row, index) => ({ object: "embedding", index, embedding: encode(row) }));
  // The order of an answer is not guaranteed, the index is.
  send(response, 200, { object: "list", model: body.model, data: data.toReversed(), usage: {} });
};

const refuse =
  (status: number, body: unknown = { error: { message: "no" } }, headers = {}): Answer =>
  (response) =>
    void send(response, status, body, headers);
const oneVector =
  (embedding: unknown, count = 1): Answer =>
  (response) =>
    void send(response, 200, { data: new Array(count).fill({ embedding }) });

const open = (options: Partial<OpenAiCompatibleOptions> = {}) =>
  openOpenAiCompatible({ baseUrl, model: "tiny", apiKey: KEY, pauseMs: 1, random: () => 0, ...options });

describeTextEmbedder("openai-compatible", { open: () => open() });
describeTextEmbedder("openai-compatible, base64", {
  open: () => open({ encoding: "base64", batchSize: 5 }),
  tolerance: 1e-6,
});

describe("openai-compatible, asking", () => {
  it("posts what OpenAI's clients post", async () => {
    const embedder = await open({ baseUrl: `${baseUrl}/`, dimensions: DIM });
    await embedder.embed(["mug", "half \ud83d"]);
    const last = asked.at(-1)!;
    expect(last).toMatchObject({ method: "POST", path: "/v1/embeddings", key: `Bearer ${KEY}` });
    expect(last.body).toEqual({
      model: "tiny",
      input: ["mug", "half \ufffd"],
      encoding_format: "float",
      dimensions: DIM,
    });
    expect(embedder.info).toEqual({ id: `openai:tiny:${DIM}`, dim: DIM });
    expect(embedder.background?.sd).toBeGreaterThan(0);
  });

  it("sends no key where none was given, and asks with the fetch it was given", async () => {
    const { apiKey, ...rest } = { apiKey: KEY, baseUrl, model: "tiny" };
    const urls: unknown[] = [];
    const fetch: typeof globalThis.fetch = (url, init) => {
      urls.push(url);
      return globalThis.fetch(url, init);
    };
    await openOpenAiCompatible({ ...rest, fetch });
    expect(asked[0]?.key).toBeUndefined();
    expect(urls).toEqual([`${baseUrl}/embeddings`]);
  });

  it("splits into batches and takes an answer of a megabyte", async () => {
    const embedder = await open({ batchSize: 32 });
    asked = [];
    await embedder.embed(Array.from({ length: 70 }, (_, i) => `box ${i}`));
    expect(asked.map(({ body }) => body.input.length)).toEqual([32, 32, 6]);
    script = [
      async (response, { body }) => {
        const data = (await vectorsOf(body)).map((embedding, index) => ({ index, embedding }));
        send(response, 200, { data, padding: "x".repeat(1_048_576) });
      },
    ];
    expect((await embedder.embed(["mug"]))[0]?.length).toBe(DIM);
  });

  it.each([
    { baseUrl: "http://user:hunter2@127.0.0.1/v1" },
    { baseUrl: "http://127.0.0.1/v1?key=hunter2" },
    { baseUrl: "ftp://127.0.0.1/v1" },
    { baseUrl: "nonsense" },
    { apiKey: "two\nlines hunter2" },
    { model: "" },
    { retries: 1e6 },
  ])("refuses %o before asking anybody", async (options) => {
    const error = await open(options).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: "invalid-input" });
    expect(inspect(error, { depth: 9 })).not.toContain("hunter2");
    expect(asked).toEqual([]);
  });
});

describe("openai-compatible, when it goes wrong", () => {
  /** The error of a call that meets these answers, and the number of requests. */
  async function meeting(answers: Answer[], options: Partial<OpenAiCompatibleOptions> = {}) {
    script = [];
    const embedder = await open({ retries: 2, ...options });
    asked = [];
    script = answers;
    const result = await embedder.embed(["mug"]).then(
      (vectors) => ({ vectors }),
      (error: Error & { code: string }) => ({ error }),
    );
    await embedder.close();
    const error = "error" in result ? result.error : null;
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(KEY);
    return { error, code: error?.code ?? "fine", requests: asked.length };
  }
  const always = (answer: Answer): Answer[] => new Array(20).fill(answer);

  it("does not try again with a key that was refused, nor repeat it", async () => {
    const echo = refuse(401, { error: { message: `Incorrect API key provided: ${KEY}` } });
    expect(await meeting(always(echo))).toMatchObject({ code: "model-unavailable", requests: 1 });
  });

  it("hides a key that a server quotes in any other error", async () => {
    const { error, code } = await meeting([
      refuse(400, { error: { message: `bad header Bearer ${KEY} here` } }),
    ]);
    expect(code).toBe("model-failed");
    expect(error?.message).toContain("bad header Bearer [key] here");
  });

  it("says that a model is unknown", async () => {
    const { error, code, requests } = await meeting([
      refuse(404, { error: { message: 'model "tiny" not found' } }),
    ]);
    expect({ code, requests }).toEqual({ code: "model-unavailable", requests: 1 });
    expect(error?.message).toContain("not found");
  });

  it("waits as long as it is asked to and tries again", async () => {
    const started = performance.now();
    const busy = refuse(429, "slow down", { "retry-after": "0.2" });
    expect(await meeting([busy])).toMatchObject({ code: "fine", requests: 2 });
    expect(performance.now() - started).toBeGreaterThan(190);
    const date = refuse(503, "", { "retry-after": new Date(Date.now() - 5_000).toUTCString() });
    expect(await meeting([date])).toMatchObject({ code: "fine", requests: 2 });
  });

  it("does not wait longer than it may", async () => {
    const busy = refuse(429, "slow down", { "retry-after": "3600" });
    expect(await meeting([busy])).toMatchObject({ code: "model-unavailable", requests: 1 });
  });

  it("gives up after its retries", async () => {
    expect(await meeting([refuse(500), refuse(502)])).toMatchObject({ code: "fine", requests: 3 });
    expect(await meeting(always(refuse(500)))).toMatchObject({ code: "model-failed", requests: 3 });
    expect(await meeting(always(refuse(503)))).toMatchObject({ code: "model-unavailable", requests: 3 });
  });

  it("survives a cut connection, before and within the answer", async () => {
    const cut: Answer = (_, __, request) => void request.socket.destroy();
    const cutWithin: Answer = (response, _, request) => {
      response.writeHead(200, { "content-length": 1_000 });
      response.write('{"data": [', () => request.socket.destroy());
    };
    expect(await meeting([cut, cutWithin])).toMatchObject({ code: "fine", requests: 3 });
    expect(await meeting(always(cut))).toMatchObject({ code: "model-unavailable", requests: 3 });
  });

  it("does not wait for a slow answer past its time, nor for one that trickles", async () => {
    const never: Answer = () => {};
    const trickle: Answer = (response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    };
    expect(await meeting([never, trickle], { timeoutMs: 150 })).toMatchObject({ code: "fine", requests: 3 });
    const { error, code } = await meeting(always(never), { timeoutMs: 100, retries: 0 });
    expect(code).toBe("model-unavailable");
    expect(error?.message).toContain("no answer within 100 ms");
  });

  it.each<[string, Answer, string]>([
    ["no JSON", refuse(200, "<html>sign in</html>"), "model-failed"],
    ["an empty body", refuse(200, ""), "model-failed"],
    ["NaN as a word", refuse(200, '{"data":[{"index":0,"embedding":[NaN]}]}'), "model-failed"],
    ["null for a number", oneVector(new Array(DIM).fill(null)), "model-failed"],
    ["NaN in base64", oneVector(toBase64(new Array(DIM).fill(Number.NaN))), "model-failed"],
    ["infinity in base64", oneVector(toBase64(new Array(DIM).fill(Infinity))), "model-failed"],
    ["only zeros", oneVector(new Array(DIM).fill(0)), "model-failed"],
    ["another length", oneVector([1, 2, 3]), "embedder-mismatch"],
    ["three bytes of base64", oneVector("AAAA"), "model-failed"],
    ["a number too many", oneVector(new Array(9_000).fill(1)), "model-failed"],
    ["no vector", refuse(200, { data: [] }), "model-failed"],
    ["two for one", oneVector(new Array(DIM).fill(1), 2), "model-failed"],
    [
      "another text's",
      refuse(200, { data: [{ index: 7, embedding: new Array(DIM).fill(1) }] }),
      "model-failed",
    ],
    ["something else", refuse(200, { error: "no" }), "model-failed"],
    ["a redirect", refuse(307, "", { location: "http://127.0.0.1:9/" }), "model-unavailable"],
  ])("refuses %s", async (_, answer, code) => {
    expect(await meeting(always(answer), { retries: 0 })).toMatchObject({ code, requests: 1 });
  });

  it("stops reading past its limit", async () => {
    const flood: Answer = (response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
      };
      response.on("drain", more);
      more();
    };
    expect(await meeting([flood], { maxReplyBytes: 1_048_576 })).toMatchObject({
      code: "limit-exceeded",
      requests: 1,
    });
  });

  it("stops at once when aborted, within a request and within a pause", async () => {
    const embedder = await open({ pauseMs: 20_000, maxPauseMs: 30_000 });
    for (const answer of [() => {}, refuse(503)] as Answer[]) {
      script = [answer];
      asked = [];
      const controller = new AbortController();
      const call = embedder.embed(["mug"], { signal: controller.signal });
      setTimeout(() => controller.abort(), 100);
      await expect(call).rejects.toMatchObject({ code: "aborted" });
      expect(asked.length).toBe(1);
    }
  });

  it("ends what is under way when closed", async () => {
    const embedder = await open();
    script = [() => {}];
    const call = expect(embedder.embed(["mug"])).rejects.toMatchObject({ code: "model-unavailable" });
    await embedder.close();
    await call;
  });

  it("says when opening that nobody is there", async () => {
    const nobody = open({ baseUrl: "http://127.0.0.1:9/v1", retries: 1 });
    await expect(nobody).rejects.toMatchObject({ code: "model-unavailable" });
  });
});
