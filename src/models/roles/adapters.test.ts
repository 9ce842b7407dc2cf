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
} from "../testing/scripted-server.ts";
import { modelCaptioner, modelConfidence, modelMatcher, modelSelector, modelSummariser } from "./adapters.ts";
import { modelDetector } from "./detector.ts";

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
    // For a thing that was not proposed, and on failure, the rule decides.
    expect(said).toEqual(["mug-1", null, undefined, undefined]);
    expect(textOf(server.asked[0]!)).toContain("| [mug-1] a red mug");
  });

  it("says by a letter how sure one can be", async () => {
    const rater = modelConfidence(open());
    server.script = [say("A"), say("d) high"), say("perhaps"), say("perhaps")];
    const asked = { question: "Where is the mug?", memories: "a mug on the table", images: [JPEG] };
    expect(await rater.rate(asked)).toBe(0.05);
    expect(await rater.rate(asked)).toBe(0.8);
    expect(await rater.rate(asked)).toBeUndefined();
    expect(imagesIn(server.asked[0]!)).toBe(1);
  });
});

describe("a language model that finds things", () => {
  const picture = { width: 200, height: 100, data: new Uint8Array(200 * 100 * 3).fill(90) };

  it("gives boxes in pixels, under the words that were asked for", async () => {
    const things = [
      { label: "the Coffee mug", box: [100, 200, 300, 600], confidence: 0.8 },
      { label: "mug", box: [110, 210, 300, 600], confidence: 0.7 },
      { label: "chair", box: [500, 0, 1000, 1000] },
      { label: "spaceship", box: [0, 0, 500, 500], confidence: 0.9 },
      { label: "mug", box: [800, 200, 700, 600], confidence: 0.9 },
    ];
    server.script = [sayJson({ things })];
    const found = await modelDetector(open(), ["coffee mug", "chair"]).detect(picture);
    expect(found).toEqual([
      { label: "coffee mug", score: 0.8, bbox: [20, 20, 60, 60] },
      { label: "chair", score: 0.6, bbox: [100, 0, 200, 100] },
    ]);
    expect(imagesIn(server.asked[0]!)).toBe(1);
    expect(textOf(server.asked[0]!)).toContain("| coffee mug\n| chair");
  });

  it("without words finds what there is, and nothing in what it cannot read", async () => {
    server.script = [sayJson({ things: [{ label: "Lamp", box: [0, 0, 100, 100] }] })];
    const detector = modelDetector(open());
    expect(await detector.detect(picture)).toEqual([{ label: "lamp", score: 0.6, bbox: [0, 0, 20, 10] }]);
    server.script = [say("I see a lamp."), say("Still a lamp.")];
    expect(await detector.detect(picture)).toEqual([]);
  });

  it("fails where its server does, and is refused where it is blind", async () => {
    server.script = [refuse(401)];
    await expect(modelDetector(open()).detect(picture)).rejects.toMatchObject({ code: "model-unavailable" });
    const blind = openOpenAiChat({ baseUrl: server.baseUrl, model: "tiny", vision: false });
    expect(() => modelDetector(blind)).toThrow(/sees no pictures/);
  });
});
