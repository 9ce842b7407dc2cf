import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isLociError, type LociError } from "../../schema/index.ts";
import { describeLanguageModel } from "../testing/language-model-contract.ts";
import { PROTOCOLS } from "../testing/protocols.ts";
import {
  call,
  hang,
  imagesIn,
  refuse,
  type ScriptedServer,
  say,
  startScriptedServer,
  stream,
} from "../testing/scripted-server.ts";
import type { GenerateRequest } from "./language-model.ts";
import { type OpenAiChatOptions, openOpenAiChat } from "./openai-chat.ts";

const KEY = "sk-very-secret-0123456789";
const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47]);
let server: ScriptedServer;

// One server per test: an abandoned request may arrive after the next test has set up its script.
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

const open = (options: Partial<OpenAiChatOptions> = {}) =>
  openOpenAiChat({ baseUrl: server.baseUrl, model: "tiny", apiKey: KEY, pauseMs: 0, retries: 1, ...options });
const hello: GenerateRequest = {
  messages: [
    { role: "system", text: "You are a robot." },
    { role: "user", parts: [{ type: "text", text: "Hello" }] },
  ],
  maxTokens: 16,
};
const failureOf = async (work: Promise<unknown>): Promise<LociError> => {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(isLociError(error)).toBe(true);
  const all = `${(error as LociError).message} ${JSON.stringify(error)} ${String((error as LociError).cause)}`;
  expect(all).not.toContain(KEY);
  return error as LociError;
};

describeLanguageModel(PROTOCOLS.openai, async (options) => openOpenAiChat({ model: "tiny", ...options }));

describe("an OpenAI-compatible language model", () => {
  it("sends text, pictures, tools and limits, and reads text with its bill", async () => {
    server.script = [say("Hi.")];
    const generated = await open().generate({
      messages: [
        ...hello.messages,
        { role: "user", parts: [{ type: "image", image: { bytes: PNG } }] },
        { role: "assistant", text: "", toolCalls: [{ id: "c1", name: "look", input: { at: 1 } }] },
        { role: "tool", callId: "c1", name: "look", text: "nothing" },
      ],
      tools: [{ name: "look", description: "Looks.", input: { type: "object" } }],
      temperature: 0.5,
      maxTokens: 16,
      sample: 3,
    });
    expect(generated).toEqual({
      text: "Hi.",
      toolCalls: [],
      usage: { inputTokens: 100, outputTokens: 10 },
      finish: "stop",
    });
    const [asked] = server.asked;
    expect(asked).toMatchObject({
      path: "/v1/chat/completions",
      headers: { authorization: `Bearer ${KEY}` },
      body: {
        model: "tiny",
        max_tokens: 16,
        temperature: 0.5,
        seed: 3,
        tools: [{ function: { name: "look" } }],
      },
    });
    expect(imagesIn(asked!)).toBe(1);
    expect(asked!.body.messages.map(({ role }) => role)).toEqual([
      "system",
      "user",
      "user",
      "assistant",
      "tool",
    ]);
  });

  it("reads tool calls, also those whose arguments are no JSON", async () => {
    server.script = [call(["look", { at: 1 }], ["look", "{broken"])];
    const { toolCalls, finish } = await open().generate(hello);
    expect(toolCalls).toEqual([
      { id: "call-0", name: "look", input: { at: 1 } },
      { id: "call-1", name: "look", input: "{broken" },
    ]);
    expect(finish).toBe("tool-calls");
  });

  it("streams what comes, and hands on the whole", async () => {
    server.script = [stream(["Hel", "lo"])];
    const seen: string[] = [];
    const { text, usage } = await open().generate(hello, { onText: (soFar) => void seen.push(soFar) });
    expect(text).toBe("Hello");
    expect(seen).toEqual(["Hel", "Hello"]);
    expect(usage).toEqual({ inputTokens: 100, outputTokens: 10 });
  });

  it("asks a stream that was cut half-way again, and gives up in the end", async () => {
    server.script = [stream(["Hel"], { cut: true }), stream(["Hello"])];
    expect((await open().generate(hello, { onText: () => undefined })).text).toBe("Hello");
    server.script = [stream(["Hel"], { cut: true }), stream(["Hel"], { cut: true })];
    const error = await failureOf(open().generate(hello, { onText: () => undefined }));
    expect(error.code).toBe("model-unavailable");
    expect(server.asked).toHaveLength(4);
  });

  it.each([
    ["a wrong key", [refuse(401, `bad key ${KEY}`)], "model-unavailable", 1],
    ["too many requests", [refuse(429), refuse(429)], "model-unavailable", 2],
    [
      "a request for more patience than we have",
      [refuse(429, "", { "retry-after": "3600" })],
      "model-unavailable",
      1,
    ],
    ["a broken server", [refuse(500, `oops ${KEY}`), refuse(500)], "model-failed", 2],
    ["a bad request", [refuse(400, "too long")], "model-failed", 1],
    ["something else", [say({ no: 1 })], "model-failed", 1],
    ["a megabyte", [say("x".repeat(1_048_576))], "limit-exceeded", 1],
  ])("ends on %s", async (_name, script, code, calls) => {
    server.script = [...script];
    expect((await failureOf(open().generate(hello))).code).toBe(code);
    expect(server.asked).toHaveLength(calls);
  });

  it("ends when the server says nothing, and when somebody aborts", async () => {
    server.script = [hang, hang, hang];
    const error = await failureOf(open({ timeoutMs: 20 }).generate(hello));
    expect(error.code).toBe("model-unavailable");
    const stop = new AbortController();
    const waiting = open().generate(hello, { signal: stop.signal });
    stop.abort();
    expect((await failureOf(waiting)).code).toBe("aborted");
  });

  it("tells a lack of tools or of sight from other refusals", async () => {
    const tools = [{ name: "look", description: "", input: { type: "object" } }];
    server.script = [refuse(400, "tiny does not support tools")];
    expect((await failureOf(open().generate({ ...hello, tools }))).code).toBe("not-supported");
    server.script = [refuse(400, "tiny does not support tools")];
    expect((await failureOf(open().generate(hello))).code).toBe("model-failed");
  });

  it("counts a refusal as one", async () => {
    server.script = [
      (response) =>
        void response.end(
          JSON.stringify({ choices: [{ message: { content: null, refusal: "I cannot." } }] }),
        ),
      say("half", "length"),
    ];
    expect(await open().generate(hello)).toMatchObject({ text: "I cannot.", finish: "refused" });
    expect((await open().generate(hello)).finish).toBe("length");
  });

  it("says it once where a server does not stream", async () => {
    server.script = [say("Hello.")];
    const seen: string[] = [];
    await open().generate(hello, { onText: (soFar) => void seen.push(soFar) });
    expect(seen).toEqual(["Hello."]);
  });

  it("does without what a server refuses, and remembers it", async () => {
    const model = open();
    server.script = [
      refuse(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
      refuse(400, "'temperature' does not support 0 with this model"),
      refuse(422, "response_format type json_schema is unavailable"),
      say("{}"),
      say("{}"),
    ];
    const request = { ...hello, json: { type: "object" }, sample: 1 };
    expect((await model.generate(request)).text).toBe("{}");
    await model.generate(request);
    const bodies = server.asked.map(({ body }) =>
      Object.keys(body).filter((key) => !["model", "messages"].includes(key)),
    );
    expect(bodies).toEqual([
      ["max_tokens", "temperature", "seed", "response_format"],
      ["max_completion_tokens", "temperature", "seed", "response_format"],
      ["max_completion_tokens", "seed", "response_format"],
      ["max_completion_tokens", "seed"],
      ["max_completion_tokens", "seed"],
    ]);
  });

  it("does not ask for ever where a server refuses everything", async () => {
    server.otherwise = refuse(
      400,
      "temperature, seed, response_format, stream_options, max_completion_tokens",
    );
    expect((await failureOf(open().generate(hello))).code).toBe("model-failed");
    expect(server.asked.length).toBeLessThanOrEqual(6);
    server.otherwise = refuse(500);
  });

  it.each([
    ["<think>It may be {red}.\nOr not.</think>\n\na red mug", "a red mug"],
    // Some templates open the thoughts in the prompt, and a limit may cut them off.
    ["It may be {red}.</think>a red mug", "a red mug"],
    ["<think>It may be {red}", ""],
    ["a mug that says “think”", "a mug that says “think”"],
  ])("leaves the thoughts of a model that reasons out of its answer: %j", async (content, text) => {
    server.script = [say(content)];
    expect((await open().generate(hello)).text).toBe(text);
  });

  it("reads no answer out of the thoughts that a server sends beside it", async () => {
    server.script = [
      (response) => {
        const message = { content: "a red mug", reasoning_content: "It may be blue.", reasoning: "Or not." };
        response.end(JSON.stringify({ choices: [{ message, finish_reason: "stop" }] }));
      },
    ];
    expect((await open().generate(hello)).text).toBe("a red mug");
  });

  it("says how hard to think and what else the server takes, and does without what it refuses", async () => {
    const extraBody = { chat_template_kwargs: { enable_thinking: false } };
    const model = open({ reasoningEffort: "low", extraBody });
    server.script = [refuse(400, "Unrecognized request argument: reasoning_effort"), say("Hi.")];
    expect((await model.generate(hello)).text).toBe("Hi.");
    expect(server.asked[0]!.body).toMatchObject({ reasoning_effort: "low", ...extraBody });
    expect(server.asked[1]!.body).toMatchObject(extraBody);
    expect(server.asked[1]!.body).not.toHaveProperty("reasoning_effort");
    expect(() => open({ extraBody: { messages: [] } })).toThrow(/extraBody may have none of model, messages/);
  });

  it("holds the model to a schema, and then to none where the server refuses that", async () => {
    const schema = {
      type: "object",
      properties: { id: { type: "string", maxLength: 80 }, other: { type: "string" } },
      required: ["id"],
    };
    const tools = [{ name: "answer", description: "", input: schema, strict: true }];
    server.script = [
      refuse(400, "'strict' is not permitted"),
      refuse(400, "tool_choice is not known"),
      say(""),
    ];
    await open().generate({ ...hello, tools, mustCall: "answer" });
    const [held, loose, free] = server.asked.map(({ body }) => body as unknown as Record<string, unknown>);
    expect(held).toMatchObject({
      tool_choice: { function: { name: "answer" } },
      tools: [
        {
          function: {
            strict: true,
            parameters: {
              additionalProperties: false,
              required: ["id", "other"],
              properties: {
                id: { type: "string" },
                other: { type: ["string", "null"] },
              },
            },
          },
        },
      ],
    });
    expect(loose).toMatchObject({ tools: [{ function: { parameters: schema } }] });
    expect(free).not.toHaveProperty("tool_choice");
  });
});
