import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeByRules } from "../src/evaluation/judge/rule-judge.ts";
import { extractiveSummariser } from "../src/map/index.ts";
import { openOpenAiChat } from "../src/models/language/openai-chat.ts";
import { PROMPTS, runPrompt } from "../src/models/prompts/index.ts";
import { type ScriptedServer, say, startScriptedServer } from "../src/models/testing/scripted-server.ts";
import { sceneLines } from "../src/perception/scene-text.ts";
import { phraseOf } from "../src/perception/words.ts";
import { ask } from "../src/reasoning/ask.ts";
import { embeddingScorer } from "../src/retrieval/forest/selector.ts";
import { cuesOf } from "../src/retrieval/index.ts";
import { openTestMemory, type TestMemory } from "../src/retrieval/testing/small-memory.ts";
import { answerSchema, questionSchema } from "../src/schema/index.ts";
import { type Proposal, RULE_ADJUDICATOR } from "../src/tracking/index.ts";

const JPEG = { bytes: Uint8Array.from([0xff, 0xd8, 0xff]) };
const QUESTION = "Where is the red mug?";
const memories = "a red mug stands in the bedroom";
let server: ScriptedServer;
let memory: TestMemory;
beforeAll(async () => {
  [server, memory] = await Promise.all([startScriptedServer(), openTestMemory()]);
});
afterAll(() => Promise.all([server.close(), memory.close()]));

const byRules = (question: string, options?: string[]) => {
  const { reader, embedder, nowUs } = memory;
  return ask(question, { reader, embedder, nowUs, ...(options && { options }) });
};
const things = [
  { category: "mug", attributes: { colour: "red" } },
  { category: "table", attributes: { material: "wood" } },
];

/** A judge's question and answer in the form the rules take. */
function marked(truth: string, prediction: string) {
  const question = questionSchema.parse({
    id: "q",
    family: "test",
    suite: "test",
    type: "recognition",
    subtype: "test",
    text: "What is it?",
    scope: "episodic",
    askedAtUs: 0,
    difficulty: "easy",
    answerable: true,
    answer: { type: "text", text: truth },
  });
  const asked = { question: "What is it?", askedAtUs: 0, strategy: "test", confidence: 0.5 };
  const answer = answerSchema.parse({ ...asked, type: "text", status: "answered", text: prediction });
  return judgeByRules(question, answer);
}

/** The embedding's choice among texts, 0 to 100: what the selector's model is there instead of. */
async function scored(query: string, children: readonly { id: string; text: string }[]) {
  const texts = new Map(children.map(({ id, text }) => [id, text]));
  const [asked, ...vectors] = await memory.embedder.embed([query, ...texts.values()]);
  const cosine = (v: Float32Array | null | undefined) =>
    v?.reduce((sum, x, i) => sum + x * (asked?.[i] ?? 0), 0) ?? 0;
  const scorer = embeddingScorer({
    forest: {
      roots: [...texts.keys()],
      children: () => [],
      parent: () => undefined,
      text: (id) => [texts.get(id) ?? ""],
      centroid: () => undefined,
      leafCount: () => 1,
    },
    meaning: async (ids) => ids.map((id) => 5 * cosine(vectors[[...texts.keys()].indexOf(id)])),
  });
  const scores = await scorer([...texts.keys()]);
  return children.map(({ id }, n) => ({ id, score: Math.round(100 / (1 + Math.exp(-scores[n]!))) }));
}

interface RuleCase {
  readonly input: Record<string, unknown>;
  /** What the rule gives for that input, in the form in which a model would write it. */
  readonly rule: () => Promise<unknown>;
  /** What must be so of it: a rule that gives just anything of the right form is no rule. */
  readonly holds: unknown;
}

const children = [
  { id: "kitchen", text: "a kitchen with a stove, a fridge and a table" },
  { id: "bedroom", text: "a bedroom with a large bed and a lamp" },
];
const options = ["kitchen", "bedroom"];
const lines = async () => sceneLines(things, "kitchen").join(" ");
const observed = { question: QUESTION, observation: "a table" };

const CASES: Readonly<Record<string, RuleCase>> = {
  "r4/describe-instances": {
    input: { labels: ["mug"] },
    rule: async () => ({
      things: [{ n: 1, phrase: phraseOf(undefined, "mug", { colour: "red" }), kind: "mug", sure: true }],
    }),
    holds: { things: [{ phrase: "red mug", kind: "mug" }] },
  },
  "r4/same-object": {
    input: { seen: "a red mug", proposals: [{ id: "mug", text: "a mug" }] },
    rule: async () => {
      const known = { stateId: "mug", name: "mug", category: "mug" };
      const pair = { known, score: 0.6, meaning: 0.6, place: 0.8, kindAgreement: 1, overlap: 0.5 };
      const [same] = await RULE_ADJUDICATOR.decide([{ ...pair, detection: {} as Proposal["detection"] }]);
      return { same: same ? "mug" : null, confidence: pair.score };
    },
    holds: { same: "mug" },
  },
  "r4/answerability": {
    input: { question: QUESTION, now: "2026-01-01 12:00:00 UTC" },
    rule: async () => ({ basis: "memory", confidence: 0, keys: { semantic: cuesOf(QUESTION).phrases } }),
    holds: { basis: "memory", keys: { semantic: [expect.stringContaining("mug")] } },
  },
  "r4/answer": {
    input: { question: QUESTION, evidence: "[mug2] state: red mug", now: "12:00", roundsLeft: 0 },
    rule: async () => {
      const { status, type, text, confidence, evidence, contradictions } = await byRules(QUESTION);
      const cited = evidence.map(({ ref }) => ref);
      return { answer: { status, type, text, confidence, cited, contradictions, subject: cited[0] } };
    },
    holds: {
      answer: {
        status: "answered",
        type: "position",
        subject: "mug2",
        cited: expect.arrayContaining(["mug2"]),
      },
    },
  },
  "memory-eqa/planner-query": {
    input: { pose: { x: 0, y: 0, z: 0 }, visible: ["table"], goal: "red mug" },
    rule: async () => cuesOf("red mug").query,
    holds: expect.stringContaining("mug"),
  },
  "memory-eqa/stop-query": {
    input: observed,
    rule: async () => cuesOf(QUESTION).query,
    holds: expect.stringContaining("mug"),
  },
  "memory-eqa/answer-query": {
    input: observed,
    rule: async () => cuesOf(QUESTION).query,
    holds: expect.stringContaining("mug"),
  },
  "memory-eqa/confidence": {
    input: { question: QUESTION, memories },
    rule: async () => "ABCDE"[Math.min(4, Math.floor((await byRules(QUESTION)).confidence * 5))],
    holds: expect.stringMatching(/^[C-E]$/),
  },
  "memory-eqa/answer-letter": {
    input: { question: QUESTION, memories, options },
    rule: async () => (await byRules(QUESTION, options)).choice,
    holds: "B",
  },
  "memory-eqa/answer-sentence": {
    input: { question: QUESTION, memories },
    rule: async () => (await byRules(QUESTION)).text,
    holds: expect.stringContaining("bedroom"),
  },
  "star/clip-caption": {
    input: { room: "kitchen", things: ["red mug"] },
    rule: lines,
    holds: expect.stringContaining("mug"),
  },
  "star/retrieval-agent": {
    input: { question: QUESTION, results: "", now: "12:00", roundsLeft: 3 },
    rule: async () => {
      const { query, phrases } = cuesOf(QUESTION);
      const calls = (phrases.length > 0 ? phrases : [query]).map((cue) => ({ tool: "text", query: cue }));
      return { reasoning: "The question names it.", calls, timestamps: [] };
    },
    holds: { calls: [{ tool: "text", query: expect.stringContaining("mug") }] },
  },
  "star/answer-writer": {
    input: { question: QUESTION, captions: "[mug2] a red mug", now: "12:00", pose: "0, 0" },
    rule: async () => {
      const { type, text, confidence, evidence } = await byRules(QUESTION);
      return { reasoning: evidence[0]?.why, type, text, confidence, recordId: evidence[0]?.ref };
    },
    holds: { type: "position", recordId: "mug2" },
  },
  "embodied-rag/abstraction": {
    input: { children: children.map(({ text }) => text) },
    rule: () =>
      extractiveSummariser.summarise({
        type: "cluster",
        leaves: 2,
        parts: children.map(({ text }) => ({ lines: [text], leaves: 1 })),
        things: [{ category: "stove", count: 1 }],
      }),
    holds: { name: expect.stringMatching(/\w/), summary: expect.stringMatching(/\w/) },
  },
  "embodied-rag/select-child": {
    input: { query: "a large bed", children },
    rule: async () => ({ chosen: await scored("a large bed", children) }),
    holds: { chosen: [{ id: "kitchen" }, { id: "bedroom", score: expect.any(Number) }] },
  },
  "embodied-rag/waypoint": {
    input: { query: "a large bed", chains: children },
    rule: async () => {
      const [best] = (await scored("a large bed", children)).sort((a, b) => b.score - a.score);
      return { id: best?.id, reason: children.find(({ id }) => id === best?.id)?.text };
    },
    holds: { id: "bedroom" },
  },
  "r-eqa/answer": {
    input: { question: QUESTION, captions: memories },
    rule: async () => (await byRules(QUESTION)).text,
    holds: expect.stringContaining("bedroom"),
  },
  "r-eqa/judge": {
    input: { question: "What is it?", truth: "a red mug", prediction: "red mug" },
    rule: async () => String(marked("a red mug", "red mug").score),
    holds: 5,
  },
};

/** Prompts for which nothing of ours does the same by rules, and why. */
const WITHOUT_RULE: Readonly<Record<string, string>> = {
  "memory-eqa/explore-direction":
    "frontiers are chosen by what is likely beyond them and by their way, not by letters",
  "memory-eqa/explore-worth": "the same",
  "memory-eqa/question-synthesis": "the simulator makes questions from its truth, not from pictures",
  "memory-eqa/question-validity": "the simulator asks only what it knows to be answerable",
  "loci/find-things": "boxes come from a detector, which is a model of its own, or from the recording",
  "r4/does-it-show": "it is asked only where no field of a record tells",
  "embodied-rag/explanation": "rules do not write reports about a whole place",
};

describe("prompts and the rules that stand in for them", () => {
  it("are all of the inventory", () => {
    expect([...Object.keys(CASES), ...Object.keys(WITHOUT_RULE)].sort()).toEqual([...PROMPTS.keys()].sort());
  });

  it.each(Object.entries(CASES))(
    "%s: the rule's answer is one that a model could give",
    async (id, { input, rule, holds }) => {
      const spec = PROMPTS.get(id)!;
      expect(spec.input.safeParse(input).success).toBe(true);
      const given = await rule();
      const parsed = spec.output.parse(given);
      if (typeof holds === "object" && holds !== null && !("asymmetricMatch" in holds))
        expect(parsed).toMatchObject(holds);
      else expect(parsed).toEqual(holds);
      // The same words from a server are read as the same answer.
      server.script = [say(typeof given === "string" ? given : JSON.stringify(given))];
      const model = openOpenAiChat({ baseUrl: server.baseUrl, model: "tiny", retries: 0 });
      const images = Array.from({ length: spec.images.least }, () => JPEG);
      expect(await runPrompt(model, spec, input, { images })).toEqual({ output: parsed, repaired: false });
    },
  );
});
