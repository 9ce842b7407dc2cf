import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openOpenAiChat } from "../../models/language/openai-chat.ts";
import {
  call,
  imagesIn,
  refuse,
  type ScriptedServer,
  sayJson,
  startScriptedServer,
  textOf,
} from "../../models/testing/scripted-server.ts";
import { openTestMemory, type TestMemory } from "../../retrieval/testing/small-memory.ts";
import type { AnswerRecord } from "../../schema/index.ts";
import { ask } from "../ask.ts";
import { type AskWithModelOptions, askWithModel } from "./ask-with-model.ts";

const JPEG = { bytes: Uint8Array.from([0xff, 0xd8, 0xff]) };
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

const asking = (
  question: string,
  more: Partial<AskWithModelOptions> & { tools?: boolean; vision?: boolean } = {},
): Promise<AnswerRecord> => {
  const { tools = true, vision = true, ...options } = more;
  const model = openOpenAiChat({ baseUrl: server.baseUrl, model: "tiny", retries: 0, tools, vision });
  const { reader, embedder, nowUs } = memory;
  const pose = { position: { x: 2, y: 2, z: 0.5 }, yawRad: 0 };
  return askWithModel(question, { reader, embedder, nowUs, pose, model, onFailure: "throw", ...options });
};

/** The first reply: nothing in view answers it; look for these. */
const keys = (found: object) => sayJson({ basis: "memory", confidence: 0.1, keys: found });
const answer = (fields: object) =>
  call(["answer", { status: "answered", type: "text", confidence: 0.9, cited: [], ...fields }]);
const strategies = ({ trace }: AnswerRecord) => trace.rounds.map(({ strategy }) => strategy);
/** The model's input in a request after the first turn, as one text. */
const told = (n: number) => textOf(server.asked[n]!);

describe("a question put to a language model", () => {
  it("is answered directly if three samples of the view agree and are sure", async () => {
    const seen = { basis: "view", answer: "It is red.", confidence: 0.9, keys: { semantic: ["mug"] } };
    server.script = [
      sayJson(seen),
      sayJson({ ...seen, answer: "Red." }),
      sayJson({ basis: "memory", confidence: 0 }),
    ];
    const said = await asking("What colour is this?", { live: { images: [JPEG], recordIds: ["v1"] } });
    expect(said).toMatchObject({
      status: "answered",
      type: "text",
      text: "It is red.",
      evidence: [{ ref: "v1" }],
    });
    expect(said.confidence).toBeGreaterThan(0.6);
    expect(server.asked.map(imagesIn)).toEqual([1, 1, 1]);
    expect(strategies(said)).toEqual(["model/answerability"]);
  });

  it.each([
    [
      "disagree",
      [
        { answer: "red", confidence: 0.9 },
        { answer: "blue", confidence: 0.9 },
        { answer: "green", confidence: 0.9 },
      ],
    ],
    [
      "are unsure",
      [
        { answer: "red", confidence: 0.6 },
        { answer: "red", confidence: 0.5 },
        { answer: "red", confidence: 0.6 },
      ],
    ],
  ])("is looked up if the samples %s", async (_name, samples) => {
    server.script = [
      ...samples.map((sample) => sayJson({ basis: "view", ...sample, keys: { semantic: ["blue mug"] } })),
      answer({ text: "Blue.", cited: ["blue"], subject: "blue" }),
    ];
    const said = await asking("What colour is this?", { live: { images: [JPEG] } });
    expect(said.evidence.map(({ ref }) => ref)).toEqual(["blue"]);
    // Looks are asked for, but no picture shows the mug: that of its room would be of something else.
    expect(strategies(said)).toEqual(["model/answerability", "model/keys", "model/answer"]);
    expect(server.asked.map(imagesIn)).toEqual([1, 1, 1, 1]);
  });

  it("takes no answer from a view that is not there", async () => {
    server.script = [
      sayJson({ basis: "view", answer: "On the roof.", confidence: 1, keys: { semantic: ["red mug"] } }),
      answer({ text: "In the bedroom.", type: "position", subject: "mug2", cited: ["mug2"] }),
    ];
    const said = await asking("Where is the red mug?");
    expect(said.text).toBe("In the bedroom.");
  });

  it("takes one round where the keys find it, with place and time of the record whatever the model says", async () => {
    server.script = [
      keys({ semantic: ["red mug"] }),
      answer({
        text: "The red mug is at 99, 99.",
        type: "position",
        subject: "mug2",
        moment: "last-seen",
        cited: ["mug2"],
        position: { x: 99, y: 99, z: 99 },
        time: { atUs: 1 },
      }),
    ];
    const said = await asking("Where is the red mug?");
    expect(said).toMatchObject({ status: "answered", type: "position", confidence: 0.9 });
    expect(said.position?.point.x).toBeCloseTo(9.4, 6);
    expect(said.position).toMatchObject({ region: "bedroom", trackId: "t-mug1" });
    expect(said.time).toEqual({ atUs: 631_000_000, agoS: 369 });
    expect(said.trace).toMatchObject({ tokens: 220, models: { reasoner: "openai:tiny" } });
    expect(told(1)).toMatch(/^\| t1 mug · bedroom · /m);
    expect(server.asked[1]!.body.tools!.map((tool) => tool.function.name).sort()).toEqual(
      "answer changes look query room route search".split(" "),
    );
  });

  it("takes up to three rounds of tools, then has to answer", async () => {
    server.script = [
      keys({ semantic: ["lamp"] }),
      call(["search", { text: "bed" }], ["query", { expr: 'count(things(category: "mug"))' }]),
      call(["search", { text: "mug2" }]),
      // A fourth round is not to be had.
      call(["search", { text: "stove" }]),
      answer({ text: "There are two.", type: "count", count: 2, cited: ["mug2", "blue"] }),
    ];
    const said = await asking("How many mugs are there?");
    expect(said).toMatchObject({ type: "count", count: 2, status: "answered" });
    expect(strategies(said)).toEqual([
      "model/answerability",
      "model/keys",
      "model/tools",
      "model/tools",
      "model/answer",
    ]);
    expect(server.asked[3]!.body.tools!.map((tool) => tool.function.name)).toEqual(["answer"]);
    expect(told(4)).toContain("no more rounds");
    expect((said.trace.plan as { calls: { tool: string }[] }).calls.map(({ tool }) => tool)).toEqual([
      "search_objects",
      "search_text",
      "search",
      "query",
      "search",
    ]);
  });

  it.each([1, 2, 3])("takes %i rounds where so many are needed and allowed", async (rounds) => {
    const looks = ["bed", "stove"].slice(0, rounds - 1).map((text) => call(["search", { text }]));
    server.script = [
      keys({ semantic: ["red mug"] }),
      ...looks,
      answer({ text: "Bedroom.", cited: ["mug2"] }),
    ];
    const said = await asking("Where is the red mug?", { rounds });
    expect(strategies(said).filter((one) => /keys|tools/.test(one ?? ""))).toHaveLength(rounds);
    expect(said.evidence[0]?.ref).toBe("mug2");
    expect(server.asked).toHaveLength(rounds + 1);
  });

  it("is as sure as somebody else says who was asked for it, and no surer than the records allow", async () => {
    const rate = async ({ memories }: { memories: string }) =>
      /^t1 mug · bedroom/m.test(memories) ? 0.8 : 0.1;
    const confidence = { id: "fake:rater", rate };
    server.script = [
      keys({ semantic: ["red mug"] }),
      answer({ text: "Bedroom.", cited: ["mug2"], confidence: 0.2 }),
    ];
    const said = await asking("Where is the red mug?", { confidence, vision: false });
    expect(said).toMatchObject({ confidence: 0.8, trace: { models: { confidence: "fake:rater" } } });
    expect(said.trace.rounds.at(-1)).toMatchObject({
      strategy: "model/confidence",
      cues: ["fake:rater is 80 % sure"],
    });
    const unbacked = answer({ text: "Bedroom.", cited: ["mug-99"] });
    server.script = [keys({ semantic: ["red mug"] }), unbacked, unbacked];
    expect((await asking("Where is the red mug?", { confidence })).confidence).toBeLessThanOrEqual(0.2);
  });

  it("chains: the table first, then what lies around it", async () => {
    server.script = [
      keys({ semantic: ["table"] }),
      call(["search", { near: "table" }]),
      answer({ text: "A blue mug.", cited: ["blue", "table"], set: ["blue mug"], type: "set" }),
    ];
    const said = await asking("What lies within 2 m of the table?");
    expect(said).toMatchObject({ type: "set", set: ["blue mug"] });
    expect(told(2)).toMatch(/t\d+ mug · kitchen · .*on t\d+ table · colour blue/);
  });

  it("finds an anchor of the keys by itself and looks around it", async () => {
    server.script = [
      keys({ near: "round wooden table", withinM: 1 }),
      answer({ text: "A blue mug.", cited: ["blue"] }),
    ];
    const said = await asking("What lies near the table?");
    expect(said.trace.rounds[1]!.cues).toContainEqual(
      expect.stringMatching(/^search_near .*"table".*"radiusM":1/),
    );
    expect(said.evidence[0]?.ref).toBe("blue");
  });

  it("looks wider until it finds something", async () => {
    // The mug stood on the table until 500 s; asked for the last minute nothing fits.
    server.script = [
      keys({ semantic: ["red mug"], room: "kitchen", fromAgoS: 60, toAgoS: 0 }),
      answer({ status: "not-seen", text: "I have not seen it.", confidence: 0.6 }),
      answer({ text: "It is in the bedroom.", type: "position", subject: "mug2", cited: ["mug2"] }),
    ];
    const said = await asking("Where in the kitchen was the red mug just now?", { rounds: 6 });
    expect(said).toMatchObject({ status: "answered", position: { region: "bedroom" } });
    expect(strategies(said).filter((strategy) => strategy === "model/broaden").length).toBeGreaterThan(0);
    expect(Math.max(...said.trace.rounds.map(({ broadened }) => broadened))).toBeGreaterThan(0);
    expect(told(2)).toContain("searched more widely");
  });

  it("says honestly that it was not seen, after looking as widely as it may", async () => {
    server.script = [
      keys({ semantic: ["xylophone"], fromAgoS: 10, toAgoS: 5 }),
      ...Array.from({ length: 4 }, () =>
        answer({ status: "not-seen", text: "I have not seen a xylophone.", confidence: 0.8 }),
      ),
    ];
    const said = await asking("Where is the xylophone?", { rounds: 6 });
    expect(said).toMatchObject({ status: "not-seen", evidence: [], text: "I have not seen a xylophone." });
    expect(Math.max(...said.trace.rounds.map(({ broadened }) => broadened))).toBe(3);
    expect(said.position).toBeUndefined();
  });

  it("refuses at once what no memory could hold, without a wider look or a picture", async () => {
    const why = "Which is prettier is a matter of taste.";
    server.script = [
      keys({ semantic: ["mug"] }),
      answer({ status: "unknowable", text: why, confidence: 0.9, cited: ["blue"] }),
    ];
    const said = await asking("Which of the mugs is prettier?");
    expect(said).toMatchObject({ status: "insufficient", text: why });
    expect(strategies(said)).toEqual(["model/answerability", "model/keys", "model/answer"]);
  });

  it("looks wider once for what the records do not tell, and takes the same answer then", async () => {
    const lacking = answer({ status: "insufficient", text: "They do not say.", confidence: 0.9 });
    server.script = [keys({ semantic: ["stove"] }), lacking, lacking, lacking];
    const said = await asking("Who painted the stove?", { rounds: 6, vision: false });
    expect(said.status).toBe("insufficient");
    expect(server.asked.length).toBe(3);
  });

  it("gives help on an operator without a round for it", async () => {
    server.script = [
      keys({ semantic: ["mug"] }),
      call(["query", { expr: "help(most)" }]),
      answer({ text: "In the bedroom.", type: "position", subject: "mug2", cited: ["mug2"] }),
    ];
    await asking("Where is the red mug?", { rounds: 2 });
    expect(told(2)).toContain("1 round is left");
  });

  it("shows keyframes when words are not enough", async () => {
    server.script = [
      keys({ semantic: ["white stove"] }),
      answer({
        status: "insufficient",
        text: "The records do not say.",
        confidence: 0.3,
        cited: ["kitchen-a"],
      }),
      answer({ text: "Yes, it is on.", type: "binary", binary: true, cited: ["v1"] }),
      sayJson({ verdicts: ["yes", "yes"] }),
    ];
    const said = await asking("Is the stove on?", { rounds: 1 });
    expect(said).toMatchObject({ binary: true, evidence: [{ ref: "v1", kind: "view" }] });
    expect(said.trace.plan).toMatchObject({ support: "picture" });
    // The picture goes along once more, when it is asked whether it shows that.
    expect(server.asked.map(imagesIn)).toEqual([0, 0, 1, 1]);
    expect(strategies(said)).toEqual(expect.arrayContaining(["model/look", "model/does-it-show"]));
    expect(said.confidence).toBeCloseTo(0.81, 6);
  });

  it("does not stand on a picture that does not show it", async () => {
    const on = answer({ text: "Yes, it is on.", type: "binary", binary: true, cited: ["v1"] });
    server.script = [
      keys({ semantic: ["white stove"] }),
      call(["look", { at: "kitchen-a" }]),
      on,
      sayJson({ verdicts: ["unclear", "no"] }),
      answer({ status: "insufficient", text: "The picture does not show it.", confidence: 0.9 }),
    ];
    const said = await asking("Is the stove on?");
    expect(said).toMatchObject({ status: "insufficient", evidence: [] });
    expect(told(4)).toContain("it is on. – the records say: otherwise");
  });

  it("shows the picture that a model asks for, and none to one that does not see", async () => {
    const script = () => [
      keys({ semantic: ["white stove"] }),
      call(["look", { at: "kitchen-a" }]),
      answer({ text: "It is on.", cited: ["v1"] }),
      sayJson({ verdicts: ["yes"] }),
    ];
    server.script = script();
    await asking("Is the stove on?");
    expect(imagesIn(server.asked[2]!)).toBe(1);
    server.asked.length = 0;
    server.script = script().slice(0, 2);
    server.script.push(
      answer({ text: "I see a stove.", cited: ["kitchen-a"] }),
      sayJson({ verdicts: ["yes"] }),
    );
    await asking("Is the stove on?", { vision: false });
    expect(server.asked.map(imagesIn).every((images) => images === 0)).toBe(true);
  });

  it("chooses among options, by letter or by words", async () => {
    const options = ["kitchen", "bedroom"];
    for (const choice of ["B", "bedroom"]) {
      server.script = [
        keys({ semantic: ["red mug"] }),
        answer({ text: "The bedroom.", type: "choice", choice, cited: ["mug2"] }),
      ];
      expect(await asking("Where is the red mug?", { options })).toMatchObject({
        type: "choice",
        choice: "B",
      });
    }
    expect(told(0)).toContain("| A. kitchen");
  });

  it("knows what “this” is from the picture, and looks that up", async () => {
    server.script = [
      keys({ semantic: ["red mug"] }),
      keys({ semantic: ["red mug"] }),
      answer({ text: "I saw it 6 minutes ago.", type: "time", subject: "mug2", cited: ["mug2"] }),
    ];
    const said = await asking("When did you last see this?", { live: { images: [JPEG] } });
    expect(said).toMatchObject({ type: "time", time: { atUs: 631_000_000 } });
    expect(told(0)).toContain("“This” and “that” mean what they show");
  });

  it("measures lengths and counts things by the records", async () => {
    server.script = [
      keys({ semantic: ["stove", "fridge", "mug"] }),
      answer({
        text: "Far.",
        type: "quantity",
        subject: "stove",
        second: "fridge",
        cited: ["stove", "fridge"],
      }),
    ];
    const far = await asking("How far is the stove from the fridge?");
    expect(far.quantity).toEqual({ value: expect.closeTo(Math.hypot(0.9, 0, 0.5), 6), unit: "m" });
    server.script = [
      keys({ semantic: ["mug"] }),
      answer({
        text: "Two mugs.",
        type: "count",
        counted: ["mug1", "mug2", "blue"].slice(1),
        cited: ["mug2"],
      }),
    ];
    expect((await asking("How many mugs?")).count).toBe(2);
  });

  it("does as well with plain JSON where a model has no tools, or turns out to have none", async () => {
    const script = [
      sayJson({ calls: [{ tool: "search", input: { near: "table" } }] }),
      sayJson({ answer: { status: "answered", text: "A blue mug.", confidence: 0.8, cited: ["blue"] } }),
    ];
    server.script = [keys({ semantic: ["table"] }), ...script];
    expect(await asking("What is near the table?", { tools: false })).toMatchObject({
      evidence: [{ ref: "blue" }],
    });
    expect(server.asked.every(({ body }) => body.tools === undefined)).toBe(true);
    expect(told(1)).toContain("search: ");
    server.asked.length = 0;
    server.script = [keys({ semantic: ["table"] }), refuse(400, "tiny does not support tools"), ...script];
    const said = await asking("What is near the table?");
    expect(said.evidence[0]?.ref).toBe("blue");
    expect((said.trace.plan as { notes: string[] }).notes).toEqual(["asked again without tools"]);
  });

  it("shares its trace format with the rules", async () => {
    server.script = [keys({ semantic: ["red mug"] }), answer({ text: "Bedroom.", cited: ["mug2"] })];
    const { reader, embedder, nowUs } = memory;
    const byModel = await asking("Where is the red mug?");
    const byRules = await ask("Where is the red mug?", { reader, embedder, nowUs });
    for (const { trace } of [byModel, byRules]) {
      expect(trace.rounds.length).toBeGreaterThan(0);
      expect((trace.plan as { expressions: { op: string }[] }).expressions[0]).toMatchObject({ op: "place" });
      expect(Object.keys(trace.ms)).toContain("total");
      expect(trace.models.reasoner).toBeTruthy();
    }
  });

  it("answers the same question the same way every time", async () => {
    const script = () => [keys({ semantic: ["red mug"] }), answer({ text: "Bedroom.", cited: ["mug2"] })];
    const strip = ({ trace, ...rest }: AnswerRecord) => ({ ...rest, shown: trace.shown, plan: trace.plan });
    server.script = [...script(), ...script()];
    expect(strip(await asking("Where is the red mug?"))).toEqual(
      strip(await asking("Where is the red mug?")),
    );
    expect(server.asked[0]!.body).toEqual(server.asked[2]!.body);
    expect(server.asked[1]!.body).toEqual(server.asked[3]!.body);
  });
});
