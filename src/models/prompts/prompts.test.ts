import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openOpenAiChat } from "../language/openai-chat.ts";
import { HOSTILE_TEXTS, outsideOfData } from "../testing/hostile-texts.ts";
import {
  imagesIn,
  type ScriptedServer,
  say,
  startScriptedServer,
  textOf,
} from "../testing/scripted-server.ts";
import { PROMPTS, QUOTING_RULE, quoted, runPrompt } from "./index.ts";

const JPEG = { bytes: Uint8Array.from([0xff, 0xd8, 0xff]) };
const asked = { question: "Where is the mug?", memories: "a mug on the table" };
const node = { id: "kitchen", text: "a kitchen" };
const modelAnswer = {
  status: "answered",
  type: "text",
  text: "On the table.",
  confidence: 0.9,
  cited: ["mug"],
};

/** For each prompt: an input, an answer that fits, what it becomes, and one that does not fit. */
const CASES: Record<string, { input: object; good: unknown; bad: unknown; becomes?: unknown }> = {
  "r4/describe-instances": {
    input: { labels: ["mug", null] },
    good: { things: [{ n: 1, phrase: "a red mug", kind: "mug" }] },
    becomes: { things: [{ n: 1, phrase: "a red mug", kind: "mug", sure: true }] },
    bad: { things: [{ n: 0 }] },
  },
  "r4/same-object": {
    input: { seen: "a red mug", proposals: [{ id: "mug", text: "a mug" }] },
    good: { same: "mug", confidence: 0.8 },
    bad: { same: "not an id!", confidence: 0.8 },
  },
  "r4/answerability": {
    input: { question: asked.question, now: "2026-01-01 12:00:00 UTC", live: "a table" },
    good: { basis: "memory", confidence: 0.1, keys: { semantic: ["mug"] } },
    bad: { basis: "perhaps" },
  },
  "r4/answer": {
    input: {
      question: asked.question,
      evidence: "[mug] state: red mug",
      now: "12:00",
      roundsLeft: 2,
      tools: "none",
      pictures: ["view-1"],
    },
    good: { answer: { ...modelAnswer, contradictions: [] } },
    bad: { answer: { status: "sure" } },
  },
  "memory-eqa/planner-query": {
    input: { pose: { x: 1, y: 2, z: 0 }, visible: ["sofa"], goal: "mug" },
    good: "mugs near the sofa",
    bad: " ",
  },
  "memory-eqa/stop-query": { input: { question: "q?", observation: "a sofa" }, good: "the mug", bad: "" },
  "memory-eqa/answer-query": { input: { question: "q?", observation: "a sofa" }, good: "the mug", bad: "" },
  "memory-eqa/confidence": { input: asked, good: "d) high", becomes: "D", bad: "F" },
  "memory-eqa/answer-letter": {
    input: { ...asked, options: ["here", "there"] },
    good: "B.",
    becomes: "B",
    bad: "here",
  },
  "memory-eqa/answer-sentence": { input: asked, good: "On the table.", bad: "" },
  "memory-eqa/explore-direction": {
    input: { ...asked, letters: ["A", "B"] },
    good: { letter: "A", reason: "A door." },
    bad: { letter: 1 },
  },
  "memory-eqa/explore-worth": { input: asked, good: "Yes, a door.", becomes: "yes", bad: "perhaps" },
  "memory-eqa/question-synthesis": {
    input: { label: "counting" },
    good: {
      objects: ["mug"],
      question: "How many mugs?",
      options: ["1", "2", "3", "4"],
      answer: "A",
      label: "counting",
    },
    bad: { objects: ["mug"], question: "How many mugs?", options: ["1"], answer: "A", label: "counting" },
  },
  "memory-eqa/question-validity": {
    input: { question: "How many mugs?" },
    good: { valid: "yes", reason: "One must look." },
    bad: { valid: true },
  },
  "r4/does-it-show": {
    input: {
      now: "2026-01-05 09:00:00 UTC",
      question: "q?",
      claims: ["the mug is red"],
      evidence: "[m] a red mug",
    },
    good: { verdicts: ["yes"] },
    bad: { verdicts: ["perhaps"] },
  },
  "star/clip-caption": {
    input: { room: "hall", things: ["bin"] },
    good: "A hall with a bin.",
    bad: "word ".repeat(200),
  },
  "star/retrieval-agent": {
    input: { question: "q?", results: "", now: "12:00", roundsLeft: 2 },
    good: { reasoning: "Look for mugs.", calls: [{ tool: "text", query: "mug" }], timestamps: [] },
    bad: { reasoning: "x", calls: [{ tool: "sql", query: "drop" }] },
  },
  "star/answer-writer": {
    input: { question: "q?", captions: "[c1] a mug", now: "12:00", pose: "0, 0", keyframes: ["12:01"] },
    good: { reasoning: "r", type: "text", text: "a mug", recordId: "c1", cited: ["t1"], confidence: 0.5 },
    bad: { type: "poem" },
  },
  "loci/find-things": {
    input: { classes: ["mug"] },
    good: { things: [{ label: "mug", box: [0, 100, 500, 1000], confidence: 0.9 }] },
    bad: { things: [{ label: "mug", box: [0, 100, 5000, 1000] }] },
  },
  "embodied-rag/abstraction": {
    input: { children: ["a stove", "a fridge"] },
    good: { name: "a small kitchen", summary: "A kitchen.", relationships: ["stove beside fridge"] },
    bad: { name: "x" },
  },
  "embodied-rag/select-child": {
    input: { query: "somewhere to cook", children: [node] },
    good: { chosen: [{ id: "kitchen", score: 90 }] },
    bad: { chosen: [{ id: "kitchen", score: 900 }] },
  },
  "embodied-rag/waypoint": {
    input: { query: "cook", chains: [node] },
    good: { id: "kitchen", reason: "It has a stove." },
    bad: { id: "" },
  },
  "embodied-rag/explanation": {
    input: { query: "what is it like", chains: [node] },
    good: "A flat.",
    bad: "",
  },
  "r-eqa/answer": { input: { question: "q?", captions: "a mug" }, good: "a mug", bad: "" },
  "r-eqa/judge": {
    input: { question: "q?", truth: "a mug", extra: ["mug"], prediction: "cup" },
    good: "4",
    becomes: 4,
    bad: "good",
  },
};

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
const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

describe("the prompt registry", () => {
  it("holds every prompt of the inventory, each with a case here", () => {
    expect([...PROMPTS.keys()].sort()).toEqual(Object.keys(CASES).sort());
    for (const { version } of PROMPTS.values()) expect(version).toBeGreaterThanOrEqual(1);
  });

  describe.each([...PROMPTS.values()])("$id", (spec) => {
    const { input, good, bad, becomes } = CASES[spec.id]!;
    const images = Array.from({ length: spec.images.least }, () => JPEG);

    it("is asked with its pictures and limits, and read by its schema", async () => {
      server.script = [
        say(spec.form === "json" ? `Here it is:\n\`\`\`json\n${text(good)}\n\`\`\`` : text(good)),
      ];
      const { output, repaired } = await runPrompt(open(), spec, input, { images });
      expect(output).toMatchObject((becomes ?? good) as object);
      expect(repaired).toBe(false);
      const [first] = server.asked;
      expect(imagesIn(first!)).toBe(images.length);
      expect(first!.body).toMatchObject({ max_tokens: spec.maxTokens, temperature: spec.temperature });
      expect(first!.body.response_format !== undefined).toBe(spec.form === "json");
      expect(textOf(first!)).toContain(QUOTING_RULE);
    });

    it("is repaired once, with the problem told, and then fails", async () => {
      server.script = [say(text(bad)), say(text(good))];
      expect((await runPrompt(open(), spec, input, { images })).repaired).toBe(true);
      expect(textOf(server.asked[1]!)).toContain("could not be used");
      server.script = [say(text(bad)), say(text(bad))];
      await expect(runPrompt(open(), spec, input, { images })).rejects.toMatchObject({
        code: "model-failed",
      });
      expect(server.asked).toHaveLength(4);
    });

    it("keeps hostile texts inside its data blocks", () => {
      const strings = fieldsOf(input);
      for (const hostile of HOSTILE_TEXTS) {
        for (const path of strings) {
          const parsed = spec.input.safeParse(withField(input, path, hostile));
          if (!parsed.success) continue;
          const { system, user } = spec.render(parsed.data as never);
          const plain = spec.render(spec.input.parse(input) as never);
          expect(outsideOfData(user)).toBe(outsideOfData(plain.user));
          expect(system).toBe(plain.system);
        }
      }
    });
  });
});

describe("a model that thinks its tokens away", () => {
  it("gets more of them the second time, within bounds", async () => {
    const spec = PROMPTS.get("memory-eqa/confidence")!;
    server.script = [say("", "length"), say("B")];
    const { output } = await runPrompt(open(), spec, CASES[spec.id]!.input);
    expect(output).toBe("B");
    expect(server.asked.map(({ body }) => body.max_tokens)).toEqual([8, 128]);
  });
});

describe("quoted data", () => {
  it("cannot be left, whatever it holds", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 80 }),
        fc.constantFrom(...HOSTILE_TEXTS),
        (noise, hostile) => {
          const block = quoted("sign", noise + hostile + noise);
          expect(outsideOfData(`before\n${block}\nafter`)).toBe("before\nafter");
          expect(
            block
              .split("\n")
              .slice(1, -1)
              .every((line) => line.startsWith("| ")),
          ).toBe(true);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("is the way of every prompt: no file of this folder puts an input into a template by itself", () => {
    for (const paper of ["r4", "memory-eqa", "star", "embodied-rag", "r-eqa"]) {
      const source = readFileSync(join(import.meta.dirname, `${paper}.ts`), "utf8");
      expect(source).not.toMatch(/\$\{(?:asked|input\.question|memories|captions|observation|query)\}/);
    }
  });
});

/** Where the strings of an input are. */
function fieldsOf(value: unknown, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (typeof value === "string") return [path];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value)
    .filter(([name]) => !["now", "pose", "tools", "letters", "id"].includes(name))
    .flatMap(([name, inner]) => fieldsOf(inner, [...path, name]));
}

function withField(value: unknown, [head, ...rest]: readonly (string | number)[], text: string): unknown {
  if (head === undefined) return text;
  if (Array.isArray(value))
    return value.map((one, n) => (String(n) === String(head) ? withField(one, rest, text) : one));
  const record = value as Record<string, unknown>;
  return { ...record, [head]: withField(record[head], rest, text) };
}
