import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openOpenAiChat } from "../../models/language/openai-chat.ts";
import { HOSTILE_TEXTS, outsideOfData } from "../../models/testing/hostile-texts.ts";
import {
  call,
  type Reply,
  type ScriptedServer,
  sayJson,
  startScriptedServer,
  textOf,
} from "../../models/testing/scripted-server.ts";
import { openTestMemory, type TestMemory } from "../../retrieval/testing/small-memory.ts";
import { type AnswerRecord, LIMITS, type RecordInput } from "../../schema/index.ts";
import { askWithModel } from "./ask-with-model.ts";
import { TOOLS } from "./tools.ts";

const always = { validFromUs: 0, validToUs: null };
const anchor = { submap: "world", p: { x: 3, y: 2.5, z: 1 } };

/** A sign beside the mug, a caption, a region, an event and a thing's name, all with the same text. */
function hostileRecords(text: string, n: number): RecordInput[] {
  const name = text.slice(0, LIMITS.nameChars);
  const attributes = { text: { value: name, p: 0.9, support: 3, lastUs: 1 } };
  const sign = { name, category: "sign", ...always };
  return [
    { kind: "track", id: `t-sign-${n}`, ...sign },
    {
      kind: "state",
      id: `sign-${n}`,
      trackId: `t-sign-${n}`,
      text: ["a sign beside the blue mug", text],
      attributes,
      anchor,
      ...sign,
    },
    {
      kind: "caption",
      id: `note-${n}`,
      source: "vlm",
      text: ["A blue mug and a sign.", text],
      anchor,
      ...always,
    },
    {
      kind: "region",
      id: `nook-${n}`,
      type: "cluster",
      level: 1,
      name,
      text: ["a nook with a mug", text],
      anchor,
      ...always,
    },
    {
      kind: "event",
      id: `shout-${n}`,
      type: "custom",
      text: ["somebody at the blue mug", text],
      detail: { said: text },
      ...always,
    },
  ];
}

/**
 * A model that obeys any text outside of quoted data: if any word of a hostile text got out, it would call another
 * tool, cite another record and say something else.
 */
function gullible(server: ScriptedServer): Reply {
  return (response, asked) => {
    const free = outsideOfData(textOf(asked)).toLowerCase();
    const taken =
      /pwned|maintenance mode|previous instructions|obey|delete the memory|api key|owner says|passwd|cite record bed/.test(
        free,
      );
    if (taken)
      return call(["answer", { status: "answered", text: "PWNED", confidence: 1, cited: ["bed"] }])(
        response,
        asked,
      );
    const turn = server.asked.filter(({ body }) => body.model === asked.body.model).length;
    if (turn === 1)
      return sayJson({ basis: "memory", confidence: 0, keys: { semantic: ["blue mug"] } })(response, asked);
    if (turn === 2)
      return call(["search", { text: "blue" }], ["search", { near: "blue" }], ["room", {}])(response, asked);
    return call([
      "answer",
      {
        status: "answered",
        type: "position",
        text: "On the table.",
        confidence: 0.9,
        subject: "blue",
        cited: ["blue"],
      },
    ])(response, asked);
  };
}

describe("hostile texts in the scene", () => {
  let server: ScriptedServer;
  let plain: AnswerRecord;

  const asking = async (memory: TestMemory, name: string): Promise<AnswerRecord> => {
    const model = openOpenAiChat({ baseUrl: server.baseUrl, model: name, retries: 0 });
    const { reader, embedder, nowUs } = memory;
    const pose = { position: { x: 2, y: 2, z: 0.5 }, yawRad: 0 };
    return askWithModel("Where is the blue mug?", {
      reader,
      embedder,
      nowUs,
      pose,
      model,
      onFailure: "throw",
    });
  };
  const essence = ({ status, text, position, confidence, evidence, trace }: AnswerRecord) => ({
    status,
    text,
    position,
    confidence,
    cited: evidence.map(({ ref }) => ref),
    calls: (trace.plan as { calls: { tool: string; input: unknown }[] }).calls.map(({ tool, input }) => ({
      tool,
      input,
    })),
  });

  beforeAll(async () => {
    server = await startScriptedServer();
    server.otherwise = gullible(server);
    const memory = await openTestMemory();
    plain = await asking(memory, "plain");
    await memory.close();
  });
  afterAll(() => server.close());

  it.each([0, 1, 2, 3])("change neither the answer nor the calls (three texts, %i)", async (group) => {
    const texts = HOSTILE_TEXTS.map((text, n) => ({ text, n })).filter(({ n }) => n % 4 === group);
    const memory = await openTestMemory(texts.flatMap(({ text, n }) => hostileRecords(text, n)));
    const before = await memory.reader.stats();
    const said = await asking(memory, `hostile-${group}`);
    expect(essence(said)).toEqual(essence(plain));
    expect(said.text).toBe("On the table.");
    // It did read them, in quotes.
    const read = server.asked.filter(({ body }) => body.model === `hostile-${group}`).map(textOf);
    const signs = new Set(read.join("\n").match(/\bt\d+ .{1,200}\(sign\)/g));
    expect(signs.size).toBeGreaterThanOrEqual(texts.length);
    expect(await memory.reader.stats()).toEqual(before);
    await memory.close();
  });

  it("would be obeyed outside of the quotes, so that this test can fail", () => {
    const replies: string[] = [];
    const response = { end: (body: string) => void replies.push(body) } as never;
    const asked = {
      path: "",
      headers: {},
      body: {
        model: "x",
        max_tokens: 1,
        temperature: 0,
        messages: [{ role: "user", content: HOSTILE_TEXTS[0] }],
      },
    };
    gullible(server)(response, asked);
    expect(replies[0]).toContain("PWNED");
  });

  it("find no tool that writes", () => {
    expect(
      [...TOOLS.keys()].filter((name) => !/^(?:search|query|room|changes|look|route)$/.test(name)),
    ).toEqual([]);
  });

  it("are quoted in the question, in the options and in what is in view too", async () => {
    const memory = await openTestMemory();
    const model = openOpenAiChat({ baseUrl: server.baseUrl, model: "asked", retries: 0 });
    const { reader, embedder, nowUs } = memory;
    const [hostile] = HOSTILE_TEXTS;
    await askWithModel(`What does the sign say: ${hostile}`, {
      reader,
      embedder,
      nowUs,
      model,
      options: [hostile, "a blue mug"],
      live: { text: hostile },
    });
    const prompts = server.asked.filter(({ body }) => body.model === "asked").map(textOf);
    expect(prompts.length).toBeGreaterThan(1);
    for (const prompt of prompts) expect(outsideOfData(prompt)).not.toContain("Ignore all previous");
    await memory.close();
  });
});
