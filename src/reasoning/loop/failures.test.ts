import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openOpenAiChat } from "../../models/language/openai-chat.ts";
import {
  call,
  hang,
  type Reply,
  refuse,
  type ScriptedServer,
  say,
  sayJson,
  startScriptedServer,
  stream,
  textOf,
} from "../../models/testing/scripted-server.ts";
import { openTestMemory, type TestMemory } from "../../retrieval/testing/small-memory.ts";
import type { AnswerRecord } from "../../schema/index.ts";
import { type AskWithModelOptions, askWithModel } from "./ask-with-model.ts";

const KEY = "sk-very-secret-0123456789";
let server: ScriptedServer;
let memory: TestMemory;

beforeAll(async () => {
  memory = await openTestMemory();
});
afterAll(() => memory.close());
// A new server for each test: an abandoned request may arrive when the next test has its script ready.
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());

const asking = (question: string, more: Partial<AskWithModelOptions> & { timeoutMs?: number } = {}) => {
  const { timeoutMs = 5_000, ...options } = more;
  const model = openOpenAiChat({
    baseUrl: server.baseUrl,
    model: "tiny",
    apiKey: KEY,
    retries: 1,
    pauseMs: 0,
    timeoutMs,
  });
  const { reader, embedder, nowUs } = memory;
  return askWithModel(question, { reader, embedder, nowUs, model, ...options });
};

const keys = sayJson({ basis: "memory", confidence: 0.1, keys: { semantic: ["red mug"] } });
const answer = (fields: object) =>
  call([
    "answer",
    {
      status: "answered",
      type: "text",
      text: "In the bedroom.",
      confidence: 0.9,
      cited: ["mug2"],
      ...fields,
    },
  ]);
const rejectedIn = ({ trace }: AnswerRecord) =>
  trace.rounds.flatMap(({ rejected }) => rejected.map(({ reason }) => reason));

describe("a model that fails", () => {
  const megabyte = say("x".repeat(1_048_576));
  it.each<[string, Reply, RegExp]>([
    ["401", refuse(401, `bad ${KEY}`), /model-unavailable.*key was refused/],
    ["429", refuse(429), /model-unavailable.*429/],
    ["500", refuse(500), /model-failed.*500/],
    ["no answer in time", hang, /model-unavailable.*no answer within/],
    ["no JSON", say("I think it is somewhere."), /model-failed.*no usable answer/],
    ["a refusal", say("I cannot help with that.", "content_filter"), /model-failed.*refused/],
    ["an answer of a megabyte", megabyte, /limit-exceeded.*bytes/],
    ["a stream cut half-way", stream(["{"], { cut: true }), /model-unavailable/],
  ])("with %s leaves the answer to the rules, and says so in the trace", async (_name, reply, reason) => {
    server.otherwise = reply;
    const said = await asking("Where is the red mug?", reply === hang ? { timeoutMs: 60 } : {});
    expect(said.status).toBe("answered");
    expect(said.evidence[0]?.ref).toBe("mug2");
    expect(said.trace.models).toMatchObject({ reasoner: "rules", failed: "openai:tiny" });
    expect(rejectedIn(said).join("\n")).toMatch(reason);
    // Over the records that the loop found; an unavailable model found none.
    const { cues, found } = said.trace.rounds.find(({ strategy }) => strategy === "model/failed")!;
    expect(cues).toEqual([
      found > 0 ? `rules over ${found} records that it had found` : "rules over the whole memory",
    ]);
    if (found > 0) expect(said.trace.shown.length).toBeLessThanOrEqual(found);
    expect(found > 0).toBe(/model-failed/.test(reason.source));
    expect(JSON.stringify(said)).not.toContain(KEY);
    // Bounded in any case: two attempts a call, a handful of calls.
    expect(server.asked.length).toBeLessThanOrEqual(8);
  });

  it("throws where failures are asked for", async () => {
    server.otherwise = refuse(401);
    await expect(asking("Where is the red mug?", { onFailure: "throw" })).rejects.toMatchObject({
      code: "model-unavailable",
    });
  });

  it("ends at once when somebody aborts", async () => {
    server.otherwise = hang;
    const stop = new AbortController();
    const waiting = asking("Where is the red mug?", { signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
  });

  it("ends at its budget of calls and of time", async () => {
    server.script = [keys];
    server.otherwise = call(["search", { text: "lamp" }]);
    const said = await asking("Where is the red mug?", { budget: { calls: 2 } });
    expect(server.asked).toHaveLength(2);
    expect(rejectedIn(said).join()).toContain("budget of 2 calls");
    server.otherwise = hang;
    const late = await asking("Where is the red mug?", { budget: { timeMs: 50 } });
    expect(rejectedIn(late).join()).toContain("budget of 50 ms");
  });
});

describe("an answer that cannot stand", () => {
  it("is read after one malformed try", async () => {
    server.script = [say("Sure!"), keys, say("{not json"), answer({})];
    const said = await asking("Where is the red mug?");
    expect(said.trace.models.reasoner).toBe("openai:tiny");
    expect(rejectedIn(said)).toContain("unreadable answer");
  });

  it("is asked for again when it cites what does not exist, and mended", async () => {
    server.script = [keys, answer({ cited: ["mug-99"] }), answer({})];
    const said = await asking("Where is the red mug?");
    expect(said).toMatchObject({ confidence: 0.9, evidence: [{ ref: "mug2" }] });
    expect(rejectedIn(said)).toEqual(["unknown id", "no citation"]);
    expect(textOf(server.asked[2]!)).toContain("do not bear this out");
  });

  it("is believed little if it insists", async () => {
    server.script = [keys, answer({ cited: ["mug-99"], subject: "mug-99" }), answer({ cited: ["mug-98"] })];
    const said = await asking("Where is the red mug?");
    expect(said.confidence).toBeLessThanOrEqual(0.2);
    expect(said.evidence).toEqual([]);
    expect(said.position).toBeUndefined();
  });

  it("does not stand on records that speak of something else", async () => {
    server.script = [
      sayJson({ basis: "memory", confidence: 0, keys: { semantic: ["mug", "bed"] } }),
      answer({ text: "Under the sink.", cited: ["stove"] }),
      answer({ text: "Under the sink.", cited: ["stove"] }),
    ];
    // The stove was never shown to it: citing it is a guess, although it exists.
    const said = await asking("Where is the piano?");
    expect(rejectedIn(said)).toContain("no citation");
    expect(said.confidence).toBeLessThanOrEqual(0.2);
  });

  it("does not stand on a record that was shown but says nothing of it", async () => {
    server.script = [
      keys,
      call(["search", { text: "large bed with pillows" }]),
      answer({ text: "It is heavy.", cited: ["bed"] }),
      sayJson({ verdicts: ["unclear"] }),
      answer({ text: "It is heavy.", cited: ["bed"] }),
      sayJson({ verdicts: ["unclear"] }),
    ];
    const said = await asking("How heavy is the red mug?");
    expect(rejectedIn(said)).toContain("It is heavy. – nothing cited shows this");
    expect(textOf(server.asked[4]!)).toContain("It is heavy. – nothing cited shows this");
    expect(said.confidence).toBeLessThanOrEqual(0.4);
  });

  it.each([
    ["a yes that says no", { type: "binary", binary: true, text: "No, it is not." }, "contradicts itself"],
    [
      "a wrong number",
      { type: "count", text: "Five.", count: 5, counted: ["mug2", "blue"] },
      "contradicts itself",
    ],
    ["a number out of the air", { type: "count", text: "Five mugs.", count: 5 }, "count without records"],
    ["an absence nobody looked at", { status: "looked-absent", text: "It is gone." }, "absence not observed"],
  ])("is doubted for %s", async (_name, fields, reason) => {
    server.script = [keys, answer(fields), answer(fields)];
    const said = await asking("How many red mugs are there?");
    expect(rejectedIn(said).filter((one) => one === reason)).toHaveLength(2);
    expect(said.confidence).toBeLessThanOrEqual(0.4);
    expect(said.binary).toBeUndefined();
    expect(said.status).not.toBe("looked-absent");
    if (said.count !== undefined) expect(said.count).toBe(2);
  });

  it("has to be one of the options", async () => {
    server.script = [keys, answer({ choice: "Q" }), answer({ choice: "B" })];
    const said = await asking("Where is the red mug?", { options: ["kitchen", "bedroom"] });
    expect(said.choice).toBe("B");
    expect(rejectedIn(said)).toEqual(["no such option"]);
  });
});

describe("tools in careless hands", () => {
  it("are not run twice for the same, nor without end, nor with nonsense", async () => {
    server.script = [
      keys,
      call(
        ["search", { text: "lamp" }],
        ["search", { text: "lamp" }],
        ["forget", { ids: ["mug2"] }],
        ["search", { near: "mug2", side: -1 }],
        ["query", "{broken"],
        ["route", { to: "nowhere" }],
        ["look", { at: "bed" }],
        ["changes", { from: "yesterday-ish" }],
        ["room", { room: "cellar" }],
        ["search", { from: 1e9, to: 0 }],
      ),
      answer({}),
    ];
    const before = await memory.reader.stats();
    const said = await asking("Where is the red mug?");
    expect(said.evidence[0]?.ref).toBe("mug2");
    expect(rejectedIn(said)).toEqual(["repeated call", "unknown tool", "too many calls"]);
    const told = server.asked[2]!.body.messages.filter(({ role }) => role === "tool");
    expect(told).toHaveLength(10);
    expect(await memory.reader.stats()).toEqual(before);
  });

  it("see nothing of the future", async () => {
    server.script = [
      sayJson({ basis: "memory", confidence: 0, keys: { semantic: ["red mug"] } }),
      call(["search", { text: "mug2" }], ["search", { from: 0, to: 0 }]),
      answer({ text: "On the table in the kitchen.", type: "position", subject: "mug1", cited: ["mug1"] }),
    ];
    const said = await asking("Where is the red mug?", { nowUs: 100_000_000 });
    expect(said.position?.region).toBe("kitchen");
    // It came to the bedroom later.
    const read = server.asked.map(textOf).join("\n");
    expect(read).toMatch(/t\d+ mug · kitchen/);
    expect(read).not.toMatch(/mug · bedroom/);
  });
});
