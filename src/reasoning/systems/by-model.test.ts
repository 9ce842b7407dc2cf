import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openOpenAiChat } from "../../models/language/openai-chat.ts";
import {
  imagesIn,
  type Reply,
  refuse,
  type ScriptedServer,
  say,
  sayJson,
  startScriptedServer,
  textOf,
} from "../../models/testing/scripted-server.ts";
import { openTestMemory, type TestMemory } from "../../retrieval/testing/small-memory.ts";
import { type AnswerRecord, blobRefOf } from "../../schema/index.ts";
import { answerBy, SYSTEMS, type SystemName, type SystemOptions } from "./index.ts";

const JPEG = { bytes: Uint8Array.from([0xff, 0xd8, 0xff]) };
/** Other systems than ours that ask a model: all of them without R⁴, whose loop has tests of its own. */
const OTHERS = ["star", "memory-eqa", "embodied-rag", "r-eqa", "blind", "uniform", "whole-history"] as const;
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

function optionsOf({ vision = true, ...more }: Partial<SystemOptions> & { vision?: boolean }): SystemOptions {
  const model = openOpenAiChat({ baseUrl: server.baseUrl, model: "tiny", retries: 0, vision });
  const { reader, embedder, nowUs, forest } = memory;
  const pose = { position: { x: 2, y: 2, z: 0.5 }, yawRad: 0 };
  return { reader, embedder, nowUs, pose, model, forest: async () => forest, onFailure: "throw", ...more };
}

const asking = (
  system: SystemName,
  question: string,
  script: Reply[],
  more: Partial<SystemOptions> & { vision?: boolean } = {},
): Promise<AnswerRecord> => {
  server.script = script;
  return answerBy(system, question, optionsOf(more));
};

const promptsOf = ({ trace }: AnswerRecord) =>
  trace.rounds.flatMap(({ strategy = "" }) =>
    SYSTEMS[trace.rounds[0]!.strategy!.split("/")[0] as SystemName] || strategy.includes("/")
      ? [strategy]
      : [],
  );
const sent = (n: number) => textOf(server.asked[n]!);
const idIn = (text: string, line: RegExp) => line.exec(text)![1]!;

describe("R-EQA and its baselines", () => {
  it("asks once, from the captions most like the question, and takes the place from the one that is named", async () => {
    const said = await asking("r-eqa", "Where is the green lamp?", [say("in the bedroom [1]")], { k: 2 });
    expect(server.asked).toHaveLength(1);
    expect(sent(0)).toContain("A green lamp.");
    expect(sent(0)).not.toContain("stove stands");
    expect(said).toMatchObject({ status: "answered", type: "position", text: "in the bedroom" });
    expect(said.position?.point).toMatchObject({ x: 8, y: 2 });
    expect(said.evidence.map(({ ref }) => ref)).toEqual(["bedroom-b"]);
    expect(said.trace.plan).toMatchObject({ prompts: ["r-eqa/answer@3"] });
  });

  it("tells beside the captions what is believed of the things in them, which may be named as well", async () => {
    const named: Reply = (response, asked) => {
      const id = idIn(textOf(asked), /\| (t\d+) .*lamp/);
      say(`by the bed [${id}]`)(response, asked);
    };
    const said = await asking("r-eqa", "Where is the green lamp?", [named], { k: 2 });
    expect(sent(0)).toMatch(/Shows t\d/);
    expect(sent(0)).toMatch(/\| t\d+ .*lamp.* · front 7\.5 m of the robot/);
    expect(sent(0)).toContain("the robot is at (2.0, 2.0, 0.5), facing 0° from east");
    expect(said.evidence.map(({ kind }) => kind)).toEqual(["state"]);
    expect(said.trace.shown.map(({ ref }) => ref)).toContain(said.evidence[0]!.ref);
    server.asked.length = 0;
    await asking("r-eqa", "Where is the green lamp?", [say("by the bed")], { k: 2, mode: "paper" });
    expect(sent(0)).not.toMatch(/Shows|of the robot|It is now/);
  });

  it("in the paper's way asks for no citation, and everything shown is what the answer rests on", async () => {
    const said = await asking("r-eqa", "Is there a lamp?", [say("yes")], { mode: "paper", k: 2 });
    expect(sent(0)).not.toContain("in brackets");
    expect(said).toMatchObject({ type: "binary", binary: true });
    expect(said.evidence.map(({ ref }) => ref).sort()).toEqual(["bedroom-a", "bedroom-b"]);
  });

  it("blind: the question and examples, and nothing of the memory", async () => {
    const said = await asking("blind", "What colour is the mug?", [say("white")]);
    expect(sent(0)).not.toMatch(/red|blue|kitchen-a|Captions:/);
    expect(said).toMatchObject({ strategy: "blind", text: "white", evidence: [], trace: { shown: [] } });
  });

  it("uniform: captions over the whole time, with their pictures for a model that sees", async () => {
    await asking("uniform", "What is there?", [say("a stove [1]")]);
    expect(sent(0)).toContain("A green lamp.");
    expect(sent(0)).toContain("grey fridge");
    expect(imagesIn(server.asked[0]!)).toBe(1);
    server.asked.length = 0;
    await asking("uniform", "What is there?", [say("a stove [1]")], { vision: false });
    expect(imagesIn(server.asked[0]!)).toBe(0);
  });

  it("whole history: every caption, those that say the same on one line with all their times", async () => {
    const said = await asking("whole-history", "What is there?", [say("a bed")]);
    expect(sent(0).match(/A large bed with pillows/g)).toHaveLength(1);
    expect(sent(0)).toContain("00:00:30 and at 00:10:30");
    // An answer that names no caption is worth little.
    expect(said.confidence).toBeLessThanOrEqual(0.2);
  });

  it("chooses by the letter, and says so where the captions do not tell", async () => {
    const options = ["red", "green"];
    const chosen = await asking("r-eqa", "What colour is the lamp?", [say("B [1]")], { options });
    expect(chosen).toMatchObject({ type: "choice", choice: "B" });
    const unseen = await asking("r-eqa", "Where is the car?", [say("I have not seen it")]);
    expect(unseen).toMatchObject({ status: "not-seen", type: "text" });
    expect(unseen.position).toBeUndefined();
  });
});

describe("STaR", () => {
  const calls = (...queries: string[]) =>
    sayJson({ reasoning: "Look.", calls: queries.map((query) => ({ tool: "text", query })), timestamps: [] });
  const look = (...timestamps: string[]) => sayJson({ reasoning: "Enough.", calls: [], timestamps });
  const write = (fields: object) =>
    sayJson({ reasoning: "So it says.", type: "text", text: "It is.", confidence: 0.9, ...fields });

  it("searches by several cues at once, looks at the moments that the model chose, and writes", async () => {
    const thing: Reply = (response, asked) => {
      const id = idIn(textOf(asked), /\[(t\d+)\] stove/);
      write({ type: "position", text: "In the kitchen.", recordId: id, cited: ["c1"] })(response, asked);
    };
    const said = await asking("star", "Where is the stove?", [
      calls("stove", "cooker"),
      look("00:00:01"),
      thing,
    ]);
    expect(said.trace.rounds.map(({ strategy }) => strategy)).toEqual([
      "star/retrieval-agent",
      "star/star",
      "star/retrieval-agent",
      "star/star/keyframes",
      "star/answer-writer",
    ]);
    // The second turn sees captions by cluster, with the ids of the things in them; the writer sees the picture.
    expect(sent(0)).toContain("none");
    expect(sent(1)).toMatch(/“stove”, “cooker”: c\d/);
    expect(sent(1)).toMatch(/Clusters of things: \{t\d/);
    expect(sent(1)).toMatch(/Things: \[t\d+\] stove at \(1\.0, 1\.0\)/);
    expect(server.asked.map(imagesIn)).toEqual([0, 0, 1]);
    expect(sent(2)).toContain("00:00:01");
    expect(said).toMatchObject({ type: "position", position: { point: { x: 1, y: 1 }, trackId: "t-stove" } });
    expect(said.evidence[0]).toMatchObject({ ref: "stove", kind: "state" });
  });

  it("ends after three rounds of searching, and searches nothing twice", async () => {
    const said = await asking("star", "What is by the bed?", [
      calls("bed"),
      calls("bed"),
      calls("lamp"),
      calls("mug"),
      write({ cited: ["c1"] }),
    ]);
    expect(said.trace.rounds.filter(({ strategy }) => strategy === "star/star")).toHaveLength(2);
    expect(sent(1)).toContain("2 rounds of searching are left");
    expect(sent(2)).toContain("was searched before");
    expect(sent(3)).toContain("No rounds of searching are left");
    expect(server.asked).toHaveLength(5);
  });

  it("searches by place and by time", async () => {
    const both = sayJson({
      reasoning: "There and then.",
      calls: [
        { tool: "position", query: [8, 2, 0] },
        { tool: "time", query: "00:00:01" },
        { tool: "time", query: "noon" },
      ],
    });
    const said = await asking("star", "What was there?", [both, look(), write({ cited: ["c1"] })]);
    const searches = said.trace.rounds
      .map(({ strategy }) => strategy)
      .filter((one) => one?.includes("star/star/"));
    expect(searches).toEqual(["star/star/position", "star/star/time"]);
    expect(sent(1)).toContain("position 8,2,0");
    expect(sent(1)).toContain("A green lamp.");
    expect(sent(1)).toContain("a time is HH:MM:SS");
  });

  it("takes no word of the model for a place or a time, nor an id that was not shown", async () => {
    const said = await asking("star", "When did you see the lamp?", [
      calls("lamp"),
      look(),
      write({ type: "time", text: "At noon.", recordId: "c77", cited: ["t99"] }),
    ]);
    expect(said).toMatchObject({ type: "text", evidence: [] });
    expect(said.time).toBeUndefined();
    expect(said.confidence).toBeLessThanOrEqual(0.2);
  });
});

describe("MemoryEQA", () => {
  it("asks the memory for stopping and answering by queries of its own, and stops from C on", async () => {
    const said = await asking("memory-eqa", "Where is the green lamp?", [
      say("green lamp in a bedroom"),
      say("D"),
      say("green lamp"),
      say("It is in the bedroom. [1]"),
    ]);
    expect(said.trace.rounds.map(({ strategy }) => strategy)).toEqual([
      "memory-eqa/stop-query",
      "memory-eqa/memory-eqa",
      "memory-eqa/confidence",
      "memory-eqa/answer-query",
      "memory-eqa/memory-eqa",
      "memory-eqa/answer-sentence",
    ]);
    // The letter and the answer are given with the view that the agent stands before.
    expect(server.asked.map(imagesIn)).toEqual([0, 1, 0, 1]);
    expect(said.trace.rounds[4]!.cues).toEqual(["green lamp"]);
    expect(said).toMatchObject({ confidence: 0.8, text: "It is in the bedroom." });
  });

  it("below C plans where to look next, and answers when it can go nowhere else", async () => {
    const said = await asking("memory-eqa", "Is there a lamp?", [
      say("a lamp"),
      say("A"),
      say("the bedroom"),
      say("lamps"),
      say("yes [1]"),
    ]);
    expect(said.trace.rounds.map(({ strategy }) => strategy)).toContain("memory-eqa/planner-query");
    expect(said).toMatchObject({ type: "binary", binary: true, confidence: 0.05 });
  });

  it("writes each query once, literally at every step", async () => {
    const views = ["v2", "v3"].map((id, n) => ({
      kind: "view" as const,
      id,
      observationId: id,
      thumb: blobRefOf(new TextEncoder().encode("thumb")),
      anchor: { submap: "world", p: { x: 8, y: 2 + n, z: 1 } },
      validFromUs: (30 + n) * 1_000_000,
      validToUs: (30 + n) * 1_000_000 + 1,
      visible: [
        { stateId: "bed", bbox: [0, 0, 30, 10] as [number, number, number, number], depthM: 2, fraction: 1 },
      ],
      text: ["a bed in the bedroom"],
    }));
    const other = await openTestMemory(views);
    const counts = async (mode: "ours" | "paper") => {
      server.asked.length = 0;
      server.otherwise = (response, asked) =>
        say(textOf(asked).includes("How confident") ? "A" : "the bed")(response, asked);
      await asking("memory-eqa", "Where is the bed?", [], { mode, reader: other.reader, rounds: 3 });
      const all = server.asked.map(textOf);
      return [/enough has been seen/, /How confident/].map(
        (one) => all.filter((text) => one.test(text)).length,
      );
    };
    const [ours, paper] = [await counts("ours"), await counts("paper")];
    await other.close();
    expect(ours[0]).toBe(1);
    expect(paper[0]).toBe(paper[1]);
    expect(paper[1]).toBeGreaterThan(1);
  });

  it("answers with a letter where there are options", async () => {
    const script = [say("lamp"), say("E"), say("lamp"), say("B")];
    const said = await asking("memory-eqa", "What colour is the lamp?", script, {
      options: ["red", "green"],
    });
    expect(said).toMatchObject({ type: "choice", choice: "B", text: "green" });
    expect(said.trace.plan).toMatchObject({
      prompts: expect.arrayContaining(["memory-eqa/answer-letter@2"]),
    });
  });

  it("hands over as much as its settings say, with a model and without", async () => {
    const found = async (settings: Partial<SystemOptions>) => {
      const script = [say("lamp"), say("E"), say("lamp"), say("It is green. [1]")];
      const question = "Where is the green lamp?";
      const said = await asking("memory-eqa", question, script, settings);
      const offline = await answerBy("memory-eqa", question, {
        ...optionsOf(settings),
        model: undefined,
      });
      const count = (answer: AnswerRecord) =>
        answer.trace.rounds.find(({ strategy }) => strategy?.startsWith("memory-eqa/memory-eqa"))!.found;
      return [count(said), count(offline)];
    };
    const adaptive = await found({ update: false });
    const fixed = await found({ update: false, adaptive: false, k: 1 });
    const all = await found({ retrieve: false });
    const kept = await found({ retrieve: false, update: false });
    expect(fixed).toEqual([1, 1]);
    expect(adaptive[1]).toBeGreaterThan(1);
    // Four captions and a view; of the captions of a place, made from the same side, the library keeps the newest.
    expect(kept).toEqual([5, 5]);
    expect(all).toEqual([3, 3]);
  });
});

describe("Embodied-RAG", () => {
  const choose =
    (...liked: string[]): Reply =>
    (response, asked) => {
      const text = textOf(asked);
      const chosen = liked.map((name) => ({ id: idIn(text, new RegExp(`\\[(\\d+)\\] ${name}`)), score: 90 }));
      sayJson({ chosen })(response, asked);
    };

  it("lets the model choose the way down, then names a waypoint with its reason", async () => {
    const place: Reply = (response, asked) => {
      const id = idIn(textOf(asked), /\[(p\d)\] [^\n]*by the bed/);
      sayJson({ id, reason: "A bed stands there." })(response, asked);
    };
    const said = await asking("embodied-rag", "Where can I sleep?", [choose("bedroom"), place], { k: 1 });
    expect(promptsOf(said)).toEqual([
      "embodied-rag/select-child",
      "embodied-rag/embodied-rag",
      "embodied-rag/waypoint",
    ]);
    expect(said).toMatchObject({
      type: "position",
      text: "A bed stands there.",
      position: { point: { x: 8, y: 2 } },
    });
    expect(said.navGoal).toMatchObject({ position: { x: 8, y: 2 } });
    expect(sent(1)).not.toContain("by the stove");
  });

  it("explains from the chains, and cites the places that are named", async () => {
    const script = [choose("kitchen", "bedroom"), say("yes, in the bedroom [p1, a1]")];
    const said = await asking("embodied-rag", "Is there a bed?", script);
    expect(sent(1)).toContain("large bed with pillows");
    expect(sent(1)).toMatch(/It is in a\d/);
    expect(said).toMatchObject({ type: "binary", binary: true });
    expect(said.evidence.map(({ kind }) => kind)).toEqual(["place", "region"]);
  });

  it("in the paper's way is asked for the best child alone, again without what was found", async () => {
    const script = [choose("kitchen"), say("There is a kitchen.")];
    const said = await asking("embodied-rag", "What is this place like?", script, { mode: "paper", k: 2 });
    // The kitchen's only leaf is found, so that nothing is left to choose on the second walk.
    expect(promptsOf(said)).toEqual([
      "embodied-rag/select-child",
      "embodied-rag/embodied-rag/paper",
      "embodied-rag/explanation",
    ]);
    expect(sent(0)).toContain("Choose the one whose description fits best");
    expect(sent(1)).toContain("by the bed");
  });
});

describe("every system with a model", () => {
  it.each(OTHERS)("%s: falls back to its own reading where the model is gone, and says so", async (name) => {
    server.otherwise = refuse(500);
    const question = "What colour is the lamp?";
    const said = await asking(name, question, [], { onFailure: "rules" });
    const offline = await answerBy(name, question, { ...optionsOf({}), model: undefined });
    expect(said).toMatchObject({ strategy: name, text: offline.text, status: offline.status });
    expect(said.trace.models).toMatchObject({ failed: expect.stringContaining("tiny") });
    const failed = said.trace.rounds.find(({ strategy }) => strategy === `${name}/model-failed`);
    expect(failed?.rejected[0]?.reason).toMatch(/^model-failed/);
    await expect(asking(name, question, [])).rejects.toMatchObject({ code: "model-failed" });
  });

  it.each(OTHERS)(
    "%s: ends with one line where the model talks nonsense, within its budget",
    async (name) => {
      server.otherwise = say("\u0000".repeat(100_000));
      const said = await asking(name, "Is there a lamp?", [], { onFailure: "rules", budget: { calls: 4 } });
      expect(said.strategy).toBe(name);
      expect(server.asked.length).toBeLessThanOrEqual(4);
    },
  );

  it.each(OTHERS)("%s: asks in one request no more than 8k tokens", async (name) => {
    server.otherwise = say("no");
    await asking(name, "Is there a lamp?", [], { onFailure: "rules" });
    // Four characters are a token.
    for (const asked of server.asked) expect(textOf(asked).length / 4).toBeLessThan(8_000);
  });

  it("refuses an empty question and too many pictures in one line", async () => {
    await expect(asking("star", "  ", [])).rejects.toThrow("at least one word");
    const images = Array.from({ length: 17 }, () => JPEG);
    await expect(asking("r-eqa", "What is this?", [], { live: { images } })).rejects.toThrow(
      "at most 16 pictures",
    );
    expect(server.asked).toEqual([]);
  });
});
