import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findPackage } from "../optional-package.ts";
import { openAiSdk } from "./ai-sdk.ts";

const from = process.env.LOCI_PACKAGES;
const missing = (["@ai-sdk/anthropic", "@ai-sdk/google"] as const).filter(
  (name) => findPackage(name, from) === null,
);
const KEY = "sk-very-secret-0123456789";

const ANTHROPIC = {
  type: "message",
  id: "m",
  role: "assistant",
  model: "some-model",
  content: [
    { type: "text", text: "Let me look." },
    { type: "tool_use", id: "c1", name: "look", input: { at: 1 } },
  ],
  stop_reason: "tool_use",
  usage: { input_tokens: 7, output_tokens: 5 },
};
const GOOGLE = {
  candidates: [
    {
      content: { role: "model", parts: [{ functionCall: { name: "look", args: { at: 1 } } }] },
      finishReason: "STOP",
    },
  ],
  usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 5, totalTokenCount: 12 },
};

describe("a vendor whose package is not there", () => {
  it("says what to install", async () => {
    const opening = openAiSdk({ vendor: "anthropic", model: "x", packagesFrom: "/nowhere" });
    await expect(opening).rejects.toMatchObject({
      code: "model-unavailable",
      message: expect.stringContaining("npm install @ai-sdk/anthropic@"),
    });
  });
});

describe.skipIf(missing.length > 0)(
  `models through the AI SDK (needs ${missing.join(", ") || "nothing"})`,
  () => {
    let server: Server;
    let baseUrl: string;
    let replies: { status: number; body: unknown }[] = [];
    let asked: { headers: Record<string, unknown>; body: string }[] = [];

    beforeAll(async () => {
      server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        asked.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
        const { status, body } = replies.shift() ?? { status: 500, body: {} };
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    });
    afterAll(() => {
      server.closeAllConnections();
      server.close();
    });
    beforeEach(() => {
      replies = [];
      asked = [];
    });

    const request = {
      messages: [
        { role: "system" as const, text: "You are a robot." },
        {
          role: "user" as const,
          parts: [
            { type: "text" as const, text: "Look." },
            { type: "image" as const, image: { bytes: Uint8Array.from([0x89, 0x50, 0x4e, 0x47]) } },
          ],
        },
        { role: "assistant" as const, text: "", toolCalls: [{ id: "c0", name: "look", input: { at: 0 } }] },
        { role: "tool" as const, callId: "c0", name: "look", text: "nothing" },
      ],
      tools: [
        {
          name: "look",
          description: "Looks.",
          input: { type: "object", properties: { at: { type: "number" } } },
        },
      ],
      maxTokens: 64,
    };

    describe.each([
      ["anthropic", ANTHROPIC],
      ["google", GOOGLE],
    ] as const)("%s", (vendor, reply) => {
      const open = () =>
        openAiSdk({
          vendor,
          model: "some-model",
          apiKey: KEY,
          baseUrl,
          pauseMs: 0,
          retries: 1,
          ...(from === undefined ? {} : { packagesFrom: from }),
        });

      it("calls tools with text and pictures before it", async () => {
        replies = [{ status: 200, body: reply }];
        const generated = await (await open()).generate(request);
        expect(generated.toolCalls).toEqual([expect.objectContaining({ name: "look", input: { at: 1 } })]);
        expect(generated.usage).toEqual({ inputTokens: 7, outputTokens: 5 });
        expect(asked[0]!.body).toContain(Buffer.from([0x89, 0x50, 0x4e, 0x47]).toString("base64"));
      });

      it("retries what may pass, ends on the rest, and never says the key", async () => {
        replies = [
          { status: 503, body: {} },
          { status: 200, body: reply },
        ];
        expect((await (await open()).generate(request)).toolCalls).toHaveLength(1);
        for (const [status, code] of [
          [401, "model-unavailable"],
          [400, "model-failed"],
        ] as const) {
          replies = [
            { status, body: { error: { type: "x", code: status, status: "x", message: `bad ${KEY}` } } },
          ];
          const error = await (await open()).generate(request).catch((thrown: unknown) => thrown as Error);
          expect(error).toMatchObject({ code });
          expect(String((error as Error).message)).not.toContain(KEY);
        }
      });
    });
  },
);
