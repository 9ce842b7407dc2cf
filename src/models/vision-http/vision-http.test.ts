import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openVisionHttp, type VisionHttpOptions } from "./vision-http.ts";

interface Asked {
  readonly path: string | undefined;
  readonly key: string | undefined;
  readonly body: {
    model: string;
    max_tokens: number;
    messages: { content: { type: string; text?: string; image_url?: { url: string } }[] }[];
  };
}

const KEY = "sk-very-secret-0123456789";
const JPEG = Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3]);
let server: Server;
let baseUrl: string;
let script: ((response: ServerResponse) => void)[] = [];
let asked: Asked[] = [];

const say = (content: unknown) => (response: ServerResponse) =>
  void response.end(JSON.stringify({ choices: [{ message: { role: "assistant", content } }] }));
const refuse =
  (status: number, body = "{}") =>
  (response: ServerResponse) =>
    void response.writeHead(status).end(body);

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    asked.push({ path: request.url, key: request.headers.authorization, body });
    (script.shift() ?? say("a red mug"))(response);
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

const open = (options: Partial<VisionHttpOptions> = {}) =>
  openVisionHttp({ baseUrl, model: "tiny-vlm", pauseMs: 0, retries: 1, ...options });
const thing = (label?: string) => ({ label, image: async () => ({ bytes: JPEG }) });

describe("a vision model over HTTP", () => {
  it("sends the crop as a data URL, with the key, and keeps the order of the things", async () => {
    script = [say('"A red mug."\nBecause it is red.'), say("a blue vase")];
    const { describer } = open({ apiKey: KEY });
    const said = [...(await describer.describe([thing("mug")])), ...(await describer.describe([thing()]))];
    expect(said).toEqual(["A red mug", "a blue vase"]);
    expect(asked[0]).toMatchObject({ path: "/v1/chat/completions", key: `Bearer ${KEY}` });
    const [text, image] = asked[0]!.body.messages[0]!.content;
    expect(text?.text).toContain("A detector took it for: mug.");
    expect(image?.image_url?.url).toBe(`data:image/jpeg;base64,${Buffer.from(JPEG).toString("base64")}`);
    expect(asked[1]!.body.messages[0]!.content[0]?.text).not.toContain("detector");
  });

  it("answers many things in their order, at most four at a time", async () => {
    const { describer } = open();
    const labels = ["a", "b", "c", "d", "e", "f", "g"];
    const held: { response: ServerResponse; label: string }[] = [];
    script = labels.map(() => (response: ServerResponse) => {
      const prompt = asked.at(-1)!.body.messages[0]!.content[0]!.text!;
      held.push({ response, label: /took it for: (\w)/.exec(prompt)![1]! });
      if (held.length === 4 || asked.length === labels.length) {
        for (const one of held.splice(0).reverse()) say(`a ${one.label}`)(one.response);
      }
    });
    const said = await describer.describe(labels.map((label) => thing(label)));
    expect(said).toEqual(labels.map((label) => `a ${label}`));
  });

  it("asks nothing without a picture", async () => {
    const blind = { label: "mug", image: async () => undefined };
    expect(await open().describer.describe([blind])).toEqual([null]);
    expect(await open().captioner.caption({ things: [], images: async () => [] })).toBeNull();
    expect(asked).toEqual([]);
  });

  it("captions a clip with its room and its things", async () => {
    script = [
      say([
        { type: "text", text: "A kitchen." },
        { type: "text", text: "A man enters." },
      ]),
    ];
    const clip = {
      room: "kitchen",
      things: ["red mug"],
      images: async () => [{ bytes: JPEG }, { bytes: Uint8Array.from([0x89, 0x50]) }],
    };
    expect(await open().captioner.caption(clip)).toBe("A kitchen. A man enters.");
    const { content } = asked[0]!.body.messages[0]!;
    expect(content[0]?.text).toMatch(/kitchen.*red mug/);
    expect(content.slice(1).map((part) => part.image_url?.url.slice(0, 15))).toEqual([
      "data:image/jpeg",
      "data:image/png;",
    ]);
  });

  it("retries what may pass, then says nothing and counts it", async () => {
    script = [refuse(503), say("a mug")];
    const vision = open();
    expect(await vision.describer.describe([thing()])).toEqual(["a mug"]);
    script = [refuse(503), refuse(503)];
    expect(await vision.describer.describe([thing()])).toEqual([null]);
    expect(asked).toHaveLength(4);
    expect(vision.usage()).toMatchObject({
      calls: 2,
      failures: 1,
      lastFailure: { code: "model-unavailable" },
    });
  });

  it.each([
    ["no JSON", (response: ServerResponse) => void response.end("hello")],
    ["another shape", (response: ServerResponse) => void response.end('{"choices":[]}')],
    ["a refusal", refuse(400, '{"error":{"message":"no pictures here"}}')],
  ])("says nothing on %s", async (_name, answer) => {
    script = [answer];
    const vision = open();
    expect(await vision.captioner.caption({ things: [], images: async () => [{ bytes: JPEG }] })).toBeNull();
    expect(vision.usage()).toMatchObject({ failures: 1, lastFailure: { code: "model-failed" } });
  });

  it("takes an empty answer for nothing to say", async () => {
    script = [say(null), say("  \n")];
    const vision = open();
    expect(await vision.describer.describe([thing()])).toEqual([null]);
    expect(await vision.describer.describe([thing()])).toEqual([null]);
    expect(vision.usage().failures).toBe(0);
  });

  it("stops asking a server that fails again and again", async () => {
    script = Array.from({ length: 9 }, () => refuse(400));
    const vision = open({ maxFailures: 2 });
    for (let n = 0; n < 5; n++) expect(await vision.describer.describe([thing()])).toEqual([null]);
    expect(asked).toHaveLength(2);
  });

  it("keeps to its budget of calls", async () => {
    const vision = open({ maxCalls: 2 });
    const said = [];
    for (let n = 0; n < 4; n++) said.push(...(await vision.describer.describe([thing()])));
    expect(said).toEqual(["a red mug", "a red mug", null, null]);
    expect(asked).toHaveLength(2);
  });

  it("gives up after its time limit", async () => {
    script = [() => {}];
    const vision = open({ timeoutMs: 50, retries: 0 });
    expect(await vision.describer.describe([thing()])).toEqual([null]);
    expect(vision.usage().lastFailure?.message).toContain("no answer within 50 ms");
  });

  it("throws when it is aborted, and only then", async () => {
    const vision = open();
    const aborted = AbortSignal.abort();
    await expect(vision.describer.describe([thing()], { signal: aborted })).rejects.toMatchObject({
      code: "aborted",
    });
    const controller = new AbortController();
    script = [() => controller.abort()];
    const clip = { things: [], images: async () => [{ bytes: JPEG }] };
    await expect(vision.captioner.caption(clip, { signal: controller.signal })).rejects.toMatchObject({
      code: "aborted",
    });
    expect(vision.usage().failures).toBe(0);
  });

  it("refuses options that make no sense, without showing the key", () => {
    expect(() => open({ baseUrl: `http://user:${KEY}@127.0.0.1/v1` })).toThrow(/an address has no user/);
    expect(() => open({ model: "" })).toThrow(/vision model at model/);
  });
});
