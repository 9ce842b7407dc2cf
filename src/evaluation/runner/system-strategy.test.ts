import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openOpenAiChat } from "../../models/language/openai-chat.ts";
import {
  call,
  imagesIn,
  refuse,
  type ScriptedServer,
  sayJson,
  startScriptedServer,
} from "../../models/testing/scripted-server.ts";
import { openTestMemory, type TestMemory } from "../../retrieval/testing/small-memory.ts";
import { systemStrategy } from "./system-strategy.ts";

let server: ScriptedServer;
let memory: TestMemory;
beforeAll(async () => {
  [server, memory] = await Promise.all([startScriptedServer(), openTestMemory()]);
});
afterAll(() => Promise.all([server.close(), memory.close()]));
beforeEach(() => {
  server.script = [];
  server.asked.length = 0;
});

const answering = (more: object = {}) => {
  const model = openOpenAiChat({ baseUrl: server.baseUrl, model: "tiny", retries: 0 });
  const { reader, embedder, nowUs } = memory;
  const question = { id: "q", text: "Where is this?", askedAtUs: nowUs, scope: "episodic" as const, ...more };
  const signal = new AbortController().signal;
  return systemStrategy("r4", { model }).answer(question, {
    sceneId: "default",
    reader,
    embedder,
    nowUs,
    seed: "1",
    signal,
  });
};

describe("the loop as a strategy", () => {
  it("shows the stored view that a question points at, and cites it", async () => {
    const seen = sayJson({ basis: "view", answer: "In the kitchen.", confidence: 0.9 });
    server.script = [seen, seen, seen];
    const image = {
      agentId: "robot",
      timeUs: 2_000_000,
      bbox: [0, 0, 9, 9] as [number, number, number, number],
    };
    const said = await answering({ image });
    expect(said).toMatchObject({ status: "answered", evidence: [{ ref: "v1", kind: "view" }] });
    expect(server.asked.map(imagesIn)).toEqual([1, 1, 1]);
  });

  it("shows nothing where no picture was kept of that moment", async () => {
    server.script = [
      sayJson({ basis: "memory", confidence: 0, keys: { semantic: ["red mug"] } }),
      call([
        "answer",
        { status: "answered", type: "text", text: "Bedroom.", confidence: 0.9, cited: ["mug2"] },
      ]),
    ];
    const image = {
      agentId: "robot",
      timeUs: 900_000_000,
      bbox: [0, 0, 9, 9] as [number, number, number, number],
    };
    expect((await answering({ image })).evidence[0]?.ref).toBe("mug2");
    expect(server.asked.map(imagesIn)).toEqual([0, 0]);
  });

  it("fails where the model fails: its figures are not those of the rules", async () => {
    server.otherwise = refuse(500);
    await expect(answering()).rejects.toMatchObject({ code: "model-failed" });
  });
});
