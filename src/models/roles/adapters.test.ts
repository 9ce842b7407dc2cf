import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openOpenAiChat } from "../language/openai-chat.ts";
import {
  imagesIn,
  refuse,
  type ScriptedServer,
  say,
  sayJson,
  startScriptedServer,
  textOf,
} from "../language/scripted-server.ts";
import {
  modelCaptioner,
  modelConfidence,
  modelDescriber,
  modelMatcher,
  modelSelector,
  modelSummariser,
} from "./adapters.ts";

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

  it("says which known thing it is, that it is new, or nothing at all", async () => {
    const matcher = modelMatcher(open());
    const known = [{ id: "mug-1", text: "a red mug" }];
    server.script = [
      sayJson({ same: "mug-1", confidence: 0.9 }),
      sayJson({ same: null, confidence: 0.9 }),
      sayJson({ same: "sofa-9", confidence: 1 }),
      refuse(400),
    ];
    const said = [];
    for (let n = 0; n < 4; n++) said.push(await matcher.same("a mug", known));
    // A thing that was not proposed, and a failure, leave it to the rule.
    expect(said).toEqual(["mug-1", null, undefined, undefined]);
    expect(textOf(server.asked[0]!)).toContain("| [mug-1] a red mug");
  });

  it("says by a letter how sure one can be", async () => {
    const rater = modelConfidence(open());
    server.script = [say("A"), say("d) little"), say("perhaps"), say("perhaps")];
    const asked = { question: "Where is the mug?", memories: "a mug on the table", images: [JPEG] };
    expect(await rater.rate(asked)).toBe(0.95);
    expect(await rater.rate(asked)).toBe(0.25);
    expect(await rater.rate(asked)).toBeUndefined();
    expect(imagesIn(server.asked[0]!)).toBe(1);
  });
});
