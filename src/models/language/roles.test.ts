import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openOpenAiChat } from "./openai-chat.ts";
import { modelCaptioner, modelDescriber, modelSelector, modelSummariser } from "./roles.ts";
import {
  imagesIn,
  refuse,
  type ScriptedServer,
  say,
  sayJson,
  startScriptedServer,
  textOf,
} from "./scripted-server.ts";

const JPEG = { bytes: Uint8Array.from([0xff, 0xd8, 0xff]) };
let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.script = [];
  server.asked.length = 0;
});
const open = () => openOpenAiChat({ baseUrl: server.baseUrl, model: "tiny", retries: 0 });

describe("a language model in other roles", () => {
  it("describes things, and says nothing of what it cannot", async () => {
    server.script = [say('"a red mug"')];
    const describer = modelDescriber(open());
    expect(await describer.describe([{ label: "mug", image: async () => JPEG }])).toEqual(["a red mug"]);
    expect(textOf(server.asked[0]!)).toContain("| mug");
    server.script = [refuse(500)];
    expect(await describer.describe([{ image: async () => JPEG }, { image: async () => undefined }])).toEqual(
      [null, null],
    );
  });

  it("captions a clip of at most six frames", async () => {
    server.script = [say("A hall with a bin.")];
    const images = async () => Array.from({ length: 9 }, () => JPEG);
    expect(await modelCaptioner(open()).caption({ room: "hall", things: ["bin"], images })).toBe(
      "A hall with a bin.",
    );
    expect(imagesIn(server.asked[0]!)).toBe(6);
  });

  it("summarises parts", async () => {
    server.script = [sayJson({ name: "small kitchen", summary: "A kitchen.", relationships: [] })];
    const parts = [{ name: "corner", lines: ["a stove"], leaves: 1 }];
    const things = [{ category: "stove", count: 1 }];
    expect(await modelSummariser(open()).summarise({ type: "cluster", leaves: 1, parts, things })).toEqual({
      name: "small kitchen",
      summary: "A kitchen.",
      relationships: [],
    });
    expect(textOf(server.asked[0]!)).toContain("corner a stove");
  });

  it("scores the children it was offered and no others", async () => {
    server.script = [
      sayJson({
        chosen: [
          { id: "kitchen", score: 90 },
          { id: "moon", score: 100 },
        ],
      }),
    ];
    const children = [
      { id: "kitchen", text: "a stove" },
      { id: "hall", text: "a bin" },
    ];
    expect(await modelSelector(open()).score("cook", children)).toEqual(new Map([["kitchen", 90]]));
  });
});
