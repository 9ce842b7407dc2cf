import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Generated, LanguageModel } from "../../models/index.ts";
import { openTestMemory, type TestMemory } from "../../retrieval/testing/small-memory.ts";
import { answerSchema, isLociError, LociError } from "../../schema/index.ts";
import { askWithModel } from "./ask-with-model.ts";
import { TOOLS } from "./tools.ts";

let memory: TestMemory;
beforeAll(async () => {
  memory = await openTestMemory();
});
afterAll(() => memory.close());

const ids = fc.constantFrom(
  "mug1",
  "mug2",
  "blue",
  "table",
  "v1",
  "kitchen",
  "kitchen-a",
  "t-mug1",
  "me",
  "nowhere",
  "",
);
const number = fc.oneof(fc.constantFrom(0, -1, 1, 2.5, 1e9, 1e300, Number.NaN), fc.double());
const text = fc.oneof(
  fc.constantFrom("red mug", "kitchen", "yesterday", "Yes", "No.", "A", "12:00"),
  fc.string({ unit: "binary", maxLength: 40 }),
);
/** Fields that tools and answers have, with values that they should and should not have. */
const fields = fc.dictionary(
  fc.constantFrom(
    ..."id text room radiusM limit from to category direction status type cited subject second moment measure counted count binary choice set confidence contradictions moving".split(
      " ",
    ),
  ),
  fc.oneof(
    ids,
    number,
    text,
    fc.boolean(),
    fc.constant(null),
    fc.array(ids, { maxLength: 4 }),
    fc.jsonValue({ maxDepth: 2 }),
  ),
  { maxKeys: 9 },
);
const answered = fc
  .record({
    status: fc.constantFrom(
      "answered",
      "not-seen",
      "looked-absent",
      "false-premise",
      "ambiguous",
      "insufficient",
      "denied",
      "sure",
    ),
    type: fc.constantFrom(
      "text",
      "binary",
      "position",
      "time",
      "duration",
      "count",
      "quantity",
      "choice",
      "set",
      "motion",
      "poem",
    ),
    text,
    confidence: fc.oneof(fc.constantFrom(0, 0.4, 1), number),
    cited: fc.array(ids, { maxLength: 4 }),
  })
  .chain((whole) => fields.map((more) => ({ ...more, ...whole })));
const keyed = fc.record({
  basis: fc.constantFrom("view", "general", "memory"),
  confidence: fc.constantFrom(0, 0.9),
  answer: text,
  keys: fields,
});
const toolCall = fc.record({
  name: fc.constantFrom(...TOOLS.keys(), "answer", "forget", "__proto__"),
  input: fc.oneof(fields, answered, text),
});
const json = fc.oneof(
  fields,
  answered,
  keyed,
  answered.map((answer) => ({ answer })),
  fc.jsonValue({ maxDepth: 3 }),
);

type Reply = Partial<Generated> | LociError["code"];
const reply: fc.Arbitrary<Reply> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.array(toolCall, { maxLength: 12 }).map((calls) => ({
      toolCalls: calls.map((one, n) => ({ ...one, id: `c${n}` })),
      finish: "tool-calls" as const,
    })),
  },
  { weight: 4, arbitrary: json.map((value) => ({ text: JSON.stringify(value) ?? "" })) },
  { weight: 1, arbitrary: text.map((said) => ({ text: said })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Reply>(
      { text: "no", finish: "refused" },
      { text: "{", finish: "length" },
      "model-failed",
      "model-unavailable",
      "not-supported",
      "limit-exceeded",
    ),
  },
);

/** A model that says these in turn and then begins again. */
function scripted(replies: readonly Reply[], tools: boolean): LanguageModel & { calls: number } {
  const model = {
    id: "fake:mad",
    capabilities: { vision: true, tools },
    calls: 0,
    async generate() {
      const next = replies[model.calls++ % replies.length]!;
      if (typeof next === "string") throw new LociError(next, "answered 400: image and tools");
      return {
        text: "",
        toolCalls: [],
        usage: { inputTokens: 1, outputTokens: 1 },
        finish: "stop" as const,
        ...next,
      };
    },
    close: async () => undefined,
  };
  return model;
}

describe("whatever a model says", () => {
  it("there is an answer of the right form, after a bounded number of calls, and the memory stays as it was", async () => {
    const { reader, embedder, nowUs } = memory;
    const before = await reader.stats();
    await fc.assert(
      fc.asyncProperty(
        fc.array(reply, { minLength: 1, maxLength: 8 }),
        fc.boolean(),
        fc.option(fc.constant(["kitchen", "bedroom"]), { nil: undefined }),
        fc.constantFrom(
          "Where is the red mug?",
          "How many mugs are there?",
          "Is the stove on?",
          "When did I see this?",
        ),
        async (replies, tools, options, question) => {
          const model = scripted(replies, tools);
          const live = { images: [{ bytes: Uint8Array.of(0xff, 0xd8) }] };
          const said = await askWithModel(question, {
            reader,
            embedder,
            nowUs,
            model,
            options,
            rounds: 6,
            live,
          });
          expect(answerSchema.safeParse(said).error).toBeUndefined();
          expect(model.calls).toBeLessThanOrEqual(32);
          for (const { ref } of said.evidence) expect((await reader.get([ref]))[0]).toBeDefined();
          if (said.choice !== undefined) expect(["A", "B"]).toContain(said.choice);
          if (said.count !== undefined) expect(said.count).toBeLessThan(100);
        },
      ),
      { numRuns: 150 },
    );
    expect(await reader.stats()).toEqual(before);
  }, 60_000);

  it("throws only errors of ours where failures are asked for", async () => {
    const { reader, embedder, nowUs } = memory;
    await fc.assert(
      fc.asyncProperty(fc.array(reply, { minLength: 1, maxLength: 5 }), async (replies) => {
        const model = scripted(replies, true);
        const asked = askWithModel("Where is the red mug?", {
          reader,
          embedder,
          nowUs,
          model,
          onFailure: "throw",
        });
        const error = await asked.then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error !== undefined) expect(isLociError(error)).toBe(true);
      }),
      { numRuns: 60 },
    );
  }, 60_000);
});
