import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { isLociError, type LociError } from "../../schema/index.ts";
import type { GenerateRequest, LanguageModel } from "../language/language-model.ts";
import { type ProtocolServer, startProtocolServer } from "./protocol-server.ts";
import type { Protocol, ScriptedReply } from "./protocols.ts";

export interface OpenForContract {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly pauseMs: number;
}

const KEY = "sk-very-secret-0123456789";
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47]);
const LOOK = {
  name: "look",
  description: "Looks.",
  input: { type: "object", properties: { at: { type: "number" } } },
};
const hello: GenerateRequest = {
  messages: [
    { role: "system", text: "You are a robot." },
    { role: "user", parts: [{ type: "text", text: "Hello there" }] },
  ],
  maxTokens: 16,
};

/** The contract of every language model adapter, against a scripted server that speaks its vendor's protocol. */
export function describeLanguageModel(
  protocol: Protocol,
  open: (options: OpenForContract) => Promise<LanguageModel>,
): void {
  describe(`the contract of a language model, by ${protocol.vendor}`, () => {
    let server: ProtocolServer;
    beforeAll(async () => {
      server = await startProtocolServer(protocol);
    });
    afterAll(() => server.close());
    beforeEach(() => {
      server.script = [];
      server.otherwise = { status: 500 };
      server.asked.length = 0;
    });
    const opened = (more: Partial<OpenForContract> = {}) =>
      open({ baseUrl: server.baseUrl, apiKey: KEY, timeoutMs: 5_000, retries: 1, pauseMs: 0, ...more });
    const failureOf = async (work: Promise<unknown>): Promise<LociError> => {
      const error = await work.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(isLociError(error)).toBe(true);
      expect(`${(error as LociError).message} ${JSON.stringify(error)}`).not.toContain(KEY);
      return error as LociError;
    };

    it("sends words, pictures, tools and their results with the key, and reads the bill", async () => {
      server.script = [{ say: "Hi." }];
      const generated = await (await opened()).generate({
        ...hello,
        messages: [
          ...hello.messages,
          {
            role: "user",
            parts: [
              { type: "text", text: "This:" },
              { type: "image", image: { bytes: PNG } },
            ],
          },
          { role: "assistant", text: "", toolCalls: [{ id: "c1", name: "look", input: { at: 1 } }] },
          { role: "tool", callId: "c1", name: "look", text: "nothing there" },
        ],
        tools: [LOOK],
      });
      expect(generated).toEqual({
        text: "Hi.",
        toolCalls: [],
        usage: { inputTokens: 100, outputTokens: 10 },
        finish: "stop",
      });
      const { headers, body } = server.asked[0]!;
      expect(String(headers[protocol.keyHeader])).toContain(KEY);
      for (const part of [
        "You are a robot.",
        "Hello there",
        "nothing there",
        Buffer.from(PNG).toString("base64"),
      ])
        expect(body).toContain(part);
      expect(protocol.toolsIn(body)).toEqual(["look"]);
    });

    it("reads tool calls in their order", async () => {
      server.script = [
        {
          call: [
            ["look", { at: 1 }],
            ["look", { at: 2 }],
          ],
        },
      ];
      const { toolCalls, finish } = await (await opened()).generate({ ...hello, tools: [LOOK] });
      expect(toolCalls.map(({ name, input }) => ({ name, input }))).toEqual([
        { name: "look", input: { at: 1 } },
        { name: "look", input: { at: 2 } },
      ]);
      expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(2);
      expect(finish).toBe("tool-calls");
    });

    it("reads an answer in JSON where one was asked for", async () => {
      server.script = [{ say: '{"colour":"red"}' }];
      const json = { type: "object", properties: { colour: { type: "string" } }, required: ["colour"] };
      const { text } = await (await opened()).generate({ ...hello, json });
      expect(JSON.parse(text)).toEqual({ colour: "red" });
    });

    it("hands on the text as it comes, then the whole with its bill", async () => {
      server.script = [{ pieces: ["Hel", "lo."] }];
      const seen: string[] = [];
      const { text, usage, finish } = await (await opened()).generate(hello, {
        onText: (soFar) => void seen.push(soFar),
      });
      expect(seen).toEqual(["Hel", "Hello."]);
      expect({ text, usage, finish }).toEqual({
        text: "Hello.",
        usage: { inputTokens: 100, outputTokens: 10 },
        finish: "stop",
      });
    });

    it("asks a stream that was cut half-way again, gives up in the end, and bounds what it reads", async () => {
      const onText = () => undefined;
      server.script = [{ pieces: ["Hel"], cut: true }, { pieces: ["Hello."] }];
      expect((await (await opened()).generate(hello, { onText })).text).toBe("Hello.");
      server.otherwise = { pieces: ["Hel"], cut: true };
      const cut = await failureOf((await opened()).generate(hello, { onText }));
      expect({ code: cut.code, calls: server.asked.length }).toEqual({ code: "model-unavailable", calls: 4 });
      server.otherwise = { pieces: Array.from({ length: 64 }, () => "x".repeat(16_384)) };
      expect((await failureOf((await opened()).generate(hello, { onText }))).code).toBe("limit-exceeded");
    });

    it("tells a refusal and a cut answer from a whole one", async () => {
      server.script = [
        { say: "I cannot.", finish: "refused" },
        { say: "half", finish: "length" },
      ];
      const model = await opened();
      expect((await model.generate(hello)).finish).toBe("refused");
      expect((await model.generate(hello)).finish).toBe("length");
    });

    it.each<[string, ScriptedReply, LociError["code"], number]>([
      ["a wrong key", { status: 401, message: `bad key ${KEY}` }, "model-unavailable", 1],
      ["a key without rights", { status: 403, message: KEY }, "model-unavailable", 1],
      ["no such model", { status: 404, message: "unknown model" }, "model-unavailable", 1],
      ["too many requests", { status: 429 }, "model-unavailable", 2],
      ["a broken server", { status: 500, message: `oops ${KEY}` }, "model-failed", 2],
      ["an overloaded server", { status: 503 }, "model-unavailable", 2],
      ["a bad request", { status: 400, message: "too long" }, "model-failed", 1],
      ["a connection cut half-way", { fault: "cut" }, "model-unavailable", 2],
      ["a megabyte", { bytes: 1_048_576 }, "limit-exceeded", 1],
    ])("ends on %s", async (_name, reply, code, calls) => {
      server.otherwise = reply;
      const error = await failureOf((await opened()).generate(hello));
      expect({ code: error.code, calls: server.asked.length }).toEqual({ code, calls });
      expect(error.message.split("\n")).toHaveLength(1);
    });

    it("mends a passing failure by asking again", async () => {
      server.script = [{ status: 503 }, { say: "Hi." }];
      expect((await (await opened()).generate(hello)).text).toBe("Hi.");
    });

    it("ends when the server says nothing, and at once when somebody aborts", async () => {
      server.otherwise = { fault: "hang" };
      const late = await failureOf((await opened({ timeoutMs: 40, retries: 0 })).generate(hello));
      expect(late).toMatchObject({
        code: "model-unavailable",
        message: expect.stringContaining("within 40 ms"),
      });
      const stop = new AbortController();
      const waiting = (await opened()).generate(hello, { signal: stop.signal });
      stop.abort();
      expect((await failureOf(waiting)).code).toBe("aborted");
    });

    it("says so when the server refuses tools or pictures, so that the caller goes on without", async () => {
      server.otherwise = { status: 400, message: "this model does not support tools" };
      const refused = await failureOf((await opened()).generate({ ...hello, tools: [LOOK] }));
      expect(refused.code).toBe("not-supported");
      const image = { type: "image" as const, image: { bytes: PNG } };
      server.otherwise = { status: 400, message: "image input is not supported" };
      const blind = { ...hello, messages: [{ role: "user" as const, parts: [image] }] };
      expect((await failureOf((await opened()).generate(blind))).code).toBe("not-supported");
    });
  });
}
